import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { fromStep } from './paths.ts'
import { StarterForm } from './starter-form.tsx'

/** Something to sell: what the program brings along, a file of one's own, or one product by hand. */
export function GoodsStep({
  body,
}: {
  readonly body: Extract<StepBody, { readonly step: 'goods' }>
}) {
  const t = useT()
  const { counts, pages } = body
  const ways = [
    ...(pages.byHand ? [{ path: '/products/new', text: t('console.guide.goods.byHand') }] : []),
    ...(pages.files ? [{ path: '/products/files', text: t('console.guide.goods.file') }] : []),
  ]
  return (
    <>
      <p className="row between wrapx">
        <span>
          {t('console.guide.goods.now', { onSale: counts.onSale, drafts: counts.drafts })}
        </span>
        {counts.onSale + counts.drafts > 0 && (
          <a className="btn edge sm" href={fromStep('goods', '/products')}>
            {t('console.products.nav')}
          </a>
        )}
      </p>
      {ways.length > 0 && (
        <section className="panel flush">
          <ul className="todo line-t">
            {ways.map(({ path, text }) => (
              <li key={path}>
                <p>
                  <b>
                    <Icon name="box" /> {text}
                  </b>
                </p>
                <span className="age" />
                <a className="btn edge sm" href={fromStep('goods', path)}>
                  {t('console.open')}
                  <span className="sr"> {text}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <StarterForm run={body.run} />
    </>
  )
}
