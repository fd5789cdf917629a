import type { Split } from '#features/office/report/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { useT } from '../words.tsx'
import type { ReportTable } from './table.ts'

/** What splits are called; those that home tells, too, are called the same. */
export const SPLIT_NAMES: Readonly<Record<Split, MessageKey>> = {
  time: 'console.home.moment',
  currency: 'console.home.by.currency',
  method: 'console.home.by.method',
  country: 'console.home.by.country',
  brand: 'console.home.by.brand',
  supplier: 'console.home.by.supplier',
  rate: 'console.reports.by.rate',
  words: 'console.reports.by.words',
}

/** All measures of each row; a phone shows the first two and the change. */
const FOLDED = ['num a', 'num m'] as const

export function Table({ table, by }: { readonly table: ReportTable; readonly by: Split }) {
  const t = useT()
  const isCompared = table.rows.some(({ before }) => before !== null)
  return (
    <section className="panel flush" aria-labelledby="table-title">
      <div className="panel-h">
        <h3 id="table-title">{t(SPLIT_NAMES[by])}</h3>
        {table.more > 0 && <p>{t('console.home.others', { count: table.more })}</p>}
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t(SPLIT_NAMES[by])}</th>
              {table.heads.map((head) => (
                <th key={head} className="num">
                  {head}
                </th>
              ))}
              {isCompared && <th className="num">{t('console.home.periodBefore')}</th>}
              {isCompared && <th className="num">{t('console.home.change')}</th>}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row.key}>
                <td className="t">
                  <bdi>{row.name}</bdi>
                </td>
                {row.cells.map((cell, column) => (
                  <td key={table.heads[column]} className={FOLDED[column] ?? 'num hide-s'}>
                    {column === 1 && <span className="show-s">{table.heads[1]} </span>}
                    <bdi>{cell}</bdi>
                  </td>
                ))}
                {isCompared && (
                  <td className="num hide-s">
                    <bdi>{row.before}</bdi>
                  </td>
                )}
                {isCompared && (
                  <td className="num s">
                    {row.change && (
                      <b className={row.change.look === 'same' ? undefined : row.change.look}>
                        <bdi>{row.change.text}</bdi>
                      </b>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
