import { useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Undo } from '../products/changes.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { MadeGoods } from './use-making.ts'

/** What was made, the way to it, and the way back: drafts go on sale from here, and what is on sale is taken off. */
export function MadeNote({
  made,
  again,
}: {
  readonly made: MadeGoods
  readonly again: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const [stands, setStands] = useState(made.isOnSale ? 'on' : 'draft')
  const [isUndoing, undo] = useState(false)
  const { brands, products, items } = made.told
  const first = products[0] ?? brands[0]
  const find = first?.code ?? items[0]?.code ?? ''
  async function putOnSale() {
    const drafts =
      products.length > 0
        ? [
            ...brands.map(({ code }) => ({ subject: 'brand', code })),
            ...products.map(({ code }) => ({ subject: 'product', code })),
          ]
        : items.map(({ code }) => ({ subject: 'item', code }))
    const edits = drafts.map((one) => ({ ...one, field: 'status', to: 'active' }))
    const told = await attempt.run(() => callConsole<{ hash: string }>('goods/try', { edits }))
    if (!told) return
    const body = { edits, hash: told.hash, key: newActKey(), kind: 'editor' }
    if (await attempt.run(() => callConsole('goods/change', body))) setStands('on')
  }
  return (
    <section className="panel stack-2" aria-labelledby="made" role="status">
      <h2 id="made">
        {t(stands === 'draft' ? 'console.goodsNew.madeDraft' : 'console.goodsNew.madeOnSale')}
      </h2>
      <p>
        {products.length > 0 && (
          <>
            <bdi className="mono">{products[0]?.code}</bdi>{' '}
          </>
        )}
        {t('console.goodsFiles.items', { count: items.length })}
      </p>
      <Fault text={attempt.fault} />
      <div className="row wrapx">
        {stands === 'draft' && (
          <button
            type="button"
            className="btn solid"
            disabled={attempt.isBusy}
            onClick={() => void putOnSale()}
          >
            {t('console.products.bulk.on')}
          </button>
        )}
        <a className="btn edge" href={`${CONSOLE_PATH}/products?find=${encodeURIComponent(find)}`}>
          {t('console.goodsNew.show')}
        </a>
        <button type="button" className="btn edge" onClick={again}>
          {t('console.goodsNew.another')}
        </button>
        {made.isOnSale && !isUndoing && (
          <button type="button" className="btn edge" onClick={() => undo(true)}>
            {t('console.method.undo')}
          </button>
        )}
      </div>
      {isUndoing && <Undo change={made.change} close={() => undo(false)} />}
    </section>
  )
}
