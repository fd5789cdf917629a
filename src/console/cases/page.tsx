import { Pager } from '../kit/pager.tsx'
import { State } from '../kit/state.tsx'
import { Views } from '../kit/views.tsx'
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
      <Views
        views={data.views.map((name) => ({
          name,
          text: t(`console.cases.view.${name}`),
          count: data.counts[name],
        }))}
        current={data.view}
        address={(view) => `/cases?view=${view}`}
      >
        <a href={`${CONSOLE_PATH}/reviews`}>{t('console.reviews.nav')}</a>
      </Views>
      <section className="panel flush">
        {data.rows.length === 0 ? (
          <div className="empty">
            <h2>{t('console.cases.none')}</h2>
            <p>{t('console.cases.noneText')}</p>
          </div>
        ) : (
          <Table rows={data.rows} />
        )}
        <Pager next={data.next} />
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
