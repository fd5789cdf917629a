import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { BreakdownRow } from './breakdown.ts'

/** How sales are made up, with everything else that is known of each. */
export function PartsTable({
  rows,
  name: heading,
}: {
  readonly rows: readonly BreakdownRow[]
  readonly name: string
}) {
  const t = useT()
  return (
    <div className="scrollx line-t" tabIndex={0}>
      <table className="fold">
        <thead>
          <tr>
            <th>{heading}</th>
            <th className="num">{t('console.home.show.orders')}</th>
            <th className="num">{t('console.home.show.sales')}</th>
            <th className="num">{t('console.home.change')}</th>
            <th className="num">{t('console.home.show.margin')}</th>
            <th className="num">{t('console.home.show.time')}</th>
            <th className="num">{t('console.home.show.refunds')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className="t">
                {row.path === null ? (
                  <bdi>{row.name}</bdi>
                ) : (
                  <a className="link" href={CONSOLE_PATH + row.path}>
                    <bdi>{row.name}</bdi>
                  </a>
                )}
              </td>
              <td className="num m">
                <span className="show-s">{t('console.home.show.orders')} </span>
                {row.orders}
              </td>
              <td className="num a">
                <bdi>{row.sales}</bdi>
              </td>
              <td className="num s">
                <bdi>{row.change}</bdi>
              </td>
              <td className="num hide-s">
                <bdi>{row.margin}</bdi>
              </td>
              <td className="num hide-s">
                <bdi>{row.time}</bdi>
              </td>
              <td className="num hide-s">
                <bdi>{row.refunds}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
