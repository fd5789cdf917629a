import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { CardGrid } from '#ui/news.tsx'
import { Panel } from '#ui/panel.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { MethodGuide, PayTypeData } from './load.ts'
import css from './pay-type.module.css'

export function Page({ data }: { readonly data: PayTypeData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <h1>{data.title}</h1>
      {data.methods.length === 0 ? (
        <Panel>
          <Empty level={2} title={t('cashier.guideNone')} text={t('cashier.guideNoneText')}>
            <ButtonLink look="solid" href={href('/support')}>
              {t('cashier.guideMore')}
            </ButtonLink>
          </Empty>
        </Panel>
      ) : (
        <>
          <Note lead={t('cashier.guideLead')}>{t('cashier.guideText')}</Note>
          <CardGrid>
            {data.methods.map((method) => (
              <Guide key={method.code} method={method} />
            ))}
          </CardGrid>
          <p>
            <a className="link" href={href('/support')}>
              {t('cashier.guideMore')}
            </a>
          </p>
        </>
      )}
    </div>
  )
}

function Guide({ method }: { readonly method: MethodGuide }) {
  return (
    <Panel className="stack-s">
      <div className={css.head}>
        <span className={css.plate} aria-hidden="true">
          <Icon name={method.icon} />
        </span>
        <h2 className={css.name}>{method.name}</h2>
      </div>
      {method.text === '' ? null : <p className="small muted">{method.text}</p>}
      <dl className={css.rows}>
        {method.rows.map((row) => (
          <div key={row.label}>
            <dt>{row.label}</dt>
            <dd>
              <bdi>{row.value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {method.note === null ? null : <p className="small muted">{method.note}</p>}
    </Panel>
  )
}
