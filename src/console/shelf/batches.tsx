import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { BatchRow } from './batch-rows.ts'

/** What came in together, what it cost, and what has become of it. */
export function Batches({ rows }: { readonly rows: readonly BatchRow[] }) {
  const t = useT()
  if (rows.length === 0)
    return (
      <section className="panel empty">
        <h2>{t('console.keys.noBatches')}</h2>
      </section>
    )
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.keys.batches')}</h2>
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.keys.batch')}</th>
              <th className="c1">{t('console.keys.supplier')}</th>
              <th className="num c1">{t('console.keys.cost')}</th>
              <th className="num">{t('console.keys.free')}</th>
              <th className="num c2">{t('console.keys.reserved')}</th>
              <th className="num">{t('console.keys.is.delivered')}</th>
              <th className="num c2">{t('console.keys.is.quarantined')}</th>
              <th className="num c2">{t('console.keys.is.void')}</th>
              <th>{t('console.orders.state')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Batch key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Batch({ row }: { readonly row: BatchRow }) {
  const t = useT()
  return (
    <tr>
      <td className="t">
        <a className="go" href={`${CONSOLE_PATH}/keys/${row.item}/${row.id}`}>
          <bdi>{row.file}</bdi>
        </a>
        <span className="sub">
          {row.at}, <bdi>{row.by}</bdi>
        </span>
      </td>
      <td className="c1" dir="auto">
        {row.supplier}
      </td>
      <td className="num c1">{row.cost !== null && <bdi>{row.cost}</bdi>}</td>
      <td className="num a">
        <b>{row.free}</b>
      </td>
      <td className="num c2">{row.reserved}</td>
      <td className="num m">
        <span className="show-s">{t('console.keys.is.delivered')}: </span>
        {row.sold}
      </td>
      <td className="num c2">{row.quarantined}</td>
      <td className="num c2">{row.void}</td>
      <td className="s">
        {row.reported > 0 && (
          <span className="badge bad">{t('console.keys.reports', { count: row.reported })}</span>
        )}
        {row.isWithdrawn && <span className="st gone">{t('console.keys.withdrawn')}</span>}
      </td>
    </tr>
  )
}
