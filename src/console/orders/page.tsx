import { useState } from 'react'
import type { OrderColumn } from '#features/office/desk/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { OrderLink } from '../kit/order-link.tsx'
import { State } from '../kit/state.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { Pager } from '../kit/pager.tsx'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Columns } from './columns.tsx'
import { FilterBar, FilterChips } from './filter-bar.tsx'
import type { OrdersData } from './load.ts'
import type { OrderRow } from './rows.ts'
import { Runs } from './runs.tsx'
import { Several } from './several.tsx'

/** The shop's orders: views as tabs, one row an order, pages by key. */
export function Page({ data }: { readonly data: OrdersData }) {
  const t = useT()
  const [chosen, choose] = useState<readonly string[]>([])
  return (
    <>
      <div className="pg">
        <div>
          <h1>{data.find === '' ? t('console.orders.nav') : t('console.orders.found')}</h1>
          {data.find !== '' && (
            <p>
              {t('console.orders.foundCount', { count: data.rows.length })} <bdi>{data.find}</bdi>
            </p>
          )}
        </div>
      </div>
      <OrderViews data={data} />
      <Runs runs={data.runs} />
      <section className="panel flush">
        <div className="tools">
          {data.find === '' && <FilterBar data={data} />}
          <Columns columns={data.columns} />
          <FilterChips data={data} />
        </div>
        {data.rows.length === 0 ? (
          <Nothing data={data} />
        ) : (
          <Table
            rows={data.rows}
            columns={data.columns}
            chosen={data.acts.length > 0 ? chosen : null}
            choose={choose}
          />
        )}
        {data.lookedTo !== null && (
          <p className="foot-l">{t('console.orders.looked', { at: data.lookedTo })}</p>
        )}
        <Pager newer={data.newer} older={data.older} />
      </section>
      <Several chosen={chosen} acts={data.acts} forget={() => choose([])} />
    </>
  )
}

function OrderViews({ data }: { readonly data: OrdersData }) {
  const t = useT()
  return (
    <Views
      views={data.views.map((name) => ({
        name,
        text: t(`console.orders.view.${name}`),
        count: data.counts[name],
      }))}
      current={data.view}
      address={(view) => `/orders?view=${view}`}
    >
      {data.own.map(({ id, name, query }) => (
        <span key={id} className="row">
          <a href={`${CONSOLE_PATH}/orders?${query}`}>
            <bdi>{name}</bdi>
          </a>
          <button
            type="button"
            aria-label={t('console.orders.removeView', { name })}
            onClick={() => {
              void callConsole('orders/remove_view', { id }).then(refreshPage)
            }}
          >
            <Icon name="x" />
          </button>
        </span>
      ))}
    </Views>
  )
}

interface TableProps {
  readonly rows: readonly OrderRow[]
  readonly columns: OrdersData['columns']
  /** Numbers that are chosen; null where nothing can be done with several. */
  readonly chosen: readonly string[] | null
  readonly choose: (numbers: readonly string[]) => void
}

function Table({ rows, columns, chosen, choose }: TableProps) {
  const t = useT()
  const has = (column: OrderColumn) => columns.includes(column)
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            {chosen && (
              <th className="sel">
                <span className="sr">{t('console.orders.select')}</span>
              </th>
            )}
            <th>{t('console.orders.order')}</th>
            {has('customer') && <th className="c2">{t('console.orders.customer')}</th>}
            {has('goods') && <th>{t('console.orders.goods')}</th>}
            {has('total') && <th className="num">{t('console.orders.total')}</th>}
            {has('method') && <th className="c1">{t('console.orders.method')}</th>}
            <th>{t('console.orders.state')}</th>
            {has('age') && <th className="num">{t('console.orders.age')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.number} row={row} columns={columns} chosen={chosen} choose={choose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  row,
  columns,
  chosen,
  choose,
}: { readonly row: OrderRow } & Omit<TableProps, 'rows'>) {
  const t = useT()
  const has = (column: OrderColumn) => columns.includes(column)
  const shopper = row.shopper ?? t('console.erased')
  return (
    <tr className={chosen?.includes(row.number) ? 'on' : undefined}>
      {chosen && (
        <td className="sel">
          <input
            type="checkbox"
            aria-label={`${t('console.orders.select')} ${row.grouped}`}
            checked={chosen.includes(row.number)}
            onChange={(event) =>
              choose(
                event.target.checked
                  ? [...chosen, row.number]
                  : chosen.filter((number) => number !== row.number),
              )
            }
          />
        </td>
      )}
      <td className="t">
        <OrderLink number={row.number} isRow /> <small className="num hide-s">{row.at}</small>
      </td>
      {has('customer') && (
        <td className="c2">
          {row.country !== null && <span className="co">{row.country}</span>} <bdi>{shopper}</bdi>
        </td>
      )}
      {has('goods') && (
        <td className="m clamp">
          {has('customer') && (
            <span className="show-s">
              <bdi>{shopper}</bdi>,{' '}
            </span>
          )}
          <Thumb picture={row.picture} />
          <bdi>{row.goods}</bdi>
          {row.more > 0 && <small> {t('console.orders.more', { count: row.more })}</small>}
        </td>
      )}
      {has('total') && (
        <td className="num a">
          <bdi className="money">{row.total}</bdi>
        </td>
      )}
      {has('method') && (
        <td className="c1">
          <bdi>{row.method}</bdi>
        </td>
      )}
      <td className="s">
        <State look={row.look} text={row.state} />
      </td>
      {has('age') && <td className="num">{row.age}</td>}
    </tr>
  )
}

/** Nothing there yet, or nothing that fits: then with the way back to all of it. */
function Nothing({ data: { find, filters, view } }: { readonly data: OrdersData }) {
  const t = useT()
  if (Object.keys(filters).length > 0)
    return (
      <div className="empty">
        <h2>{t('console.orders.noneFound')}</h2>
        <a className="btn edge" href={`${CONSOLE_PATH}/orders?view=${view ?? 'all'}`}>
          {t('console.orders.clear')}
        </a>
      </div>
    )
  const isFound = find !== ''
  return (
    <div className="empty">
      <h2>{t(isFound ? 'console.orders.noneFound' : 'console.orders.none')}</h2>
      <p>{t(isFound ? 'console.orders.noneFoundText' : 'console.orders.noneText')}</p>
    </div>
  )
}
