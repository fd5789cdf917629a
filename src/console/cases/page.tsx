import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CaseRow, CasesData } from './load.ts'

/** What customers and their banks ask; open ones longest first. */
export function Page({ data }: { readonly data: CasesData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.cases.nav')}</h1>
          <p>{t('console.cases.lead')}</p>
        </div>
        <div className="acts">
          <a className="btn edge" href={`${CONSOLE_PATH}/templates`}>
            {t('console.templates.nav')}
          </a>
        </div>
      </div>
      <nav className="views" aria-label={t('console.orders.views')}>
        {data.views.map((view) => (
          <a
            key={view}
            href={`${CONSOLE_PATH}/cases?view=${view}`}
            aria-current={view === data.view ? 'page' : undefined}
          >
            {t(`console.cases.view.${view}`)}
            <span className="n">{data.counts[view]}</span>
          </a>
        ))}
        <a href={`${CONSOLE_PATH}/reviews`}>{t('console.reviews.nav')}</a>
      </nav>
      <section className="panel flush">
        {data.rows.length === 0 ? (
          <div className="empty">
            <h2>{t('console.cases.none')}</h2>
            <p>{t('console.cases.noneText')}</p>
          </div>
        ) : (
          <Table rows={data.rows} />
        )}
        {data.next !== null && (
          <nav className="foot-l" aria-label={t('console.pages')}>
            <a className="btn edge sm" href={CONSOLE_PATH + data.next}>
              {t('console.cases.more')}
              <Icon name="right" />
            </a>
          </nav>
        )}
      </section>
    </>
  )
}

function Table({ rows }: { readonly rows: readonly CaseRow[] }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.orders.customer')}</th>
            <th>{t('console.cases.about')}</th>
            <th className="c2">{t('console.orders.order')}</th>
            <th>{t('console.orders.state')}</th>
            <th className="c1">{t('console.cases.who')}</th>
            <th className="num">{t('console.orders.age')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="t">
                <a className="go" href={`${CONSOLE_PATH}/cases/${row.id}`}>
                  <bdi>{row.shopper ?? t('console.erased')}</bdi>
                </a>
              </td>
              <td className="m">
                {row.goods !== null && <bdi>{row.goods}</bdi>}
                {row.reason !== '' && <small> {row.reason}</small>}
              </td>
              <td className="c2">
                <bdi className="oid">{row.order}</bdi>
              </td>
              <td className="s">
                <State look={row.look} text={row.kind} />
              </td>
              <td className="c1">
                {row.who === null ? (
                  <small>{t('console.cases.nobody')}</small>
                ) : (
                  <bdi>{row.who}</bdi>
                )}
              </td>
              <td className="num a">
                {row.left === null ? (
                  row.age
                ) : (
                  <span className={row.left.isLate ? 'down' : undefined}>{row.left.text}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
