import {
  findOrderNumbers,
  listOrdersByNumber,
  listOrdersForOperators,
  type OrderListQuery,
} from '#features/buying/order/queries.ts'
import type { ConsoleContext } from '../page.ts'
import { orderRows, type OrderRow } from './rows.ts'
import { isOrderView, ORDER_VIEWS, STATUSES_OF, type OrderView } from './views.ts'

export interface OrdersData {
  readonly views: readonly OrderView[]
  /** Null where a text was looked for. */
  readonly view: OrderView | null
  readonly find: string
  readonly rows: readonly OrderRow[]
  /** Addresses of the pages beside this one; null where there is none. */
  readonly newer: string | null
  readonly older: string | null
}

const LISTED = 50

export async function load(
  context: ConsoleContext,
): Promise<{ readonly title: string; readonly data: OrdersData }> {
  const find = context.query.get('find')?.trim() ?? ''
  const title = context.t('console.orders.nav')
  return { title, data: find === '' ? await listPage(context) : await foundPage(context, find) }
}

async function foundPage(context: ConsoleContext, find: string): Promise<OrdersData> {
  const { db } = context.ctx
  const orders = await listOrdersByNumber(db, await findOrderNumbers(db, find))
  return {
    views: ORDER_VIEWS,
    view: null,
    find,
    rows: await orderRows(context, orders),
    newer: null,
    older: null,
  }
}

async function listPage(context: ConsoleContext): Promise<OrdersData> {
  const { ctx, query } = context
  const named = query.get('view')
  const view = isOrderView(named) ? named : 'all'
  const from = edgeOf(query)
  // One more than is shown tells whether there is another page.
  const found = await listOrdersForOperators(ctx.db, {
    statuses: STATUSES_OF[view],
    from,
    limit: LISTED + 1,
  })
  const isMore = found.length > LISTED
  const shown = from?.direction === 'newer' ? found.slice(-LISTED) : found.slice(0, LISTED)
  const [first, last] = [shown.at(0)?.number, shown.at(-1)?.number]
  const hasNewer = from !== null && (from.direction === 'older' || isMore)
  const hasOlder = from?.direction === 'newer' || isMore
  const address = (direction: string, number: string | undefined) =>
    number === undefined ? null : `/orders?view=${view}&${direction}=${number}`
  return {
    views: ORDER_VIEWS,
    view,
    find: '',
    rows: await orderRows(context, shown),
    newer: hasNewer ? address('newer', first) : null,
    older: hasOlder ? address('older', last) : null,
  }
}

const ORDER_NUMBER = /^\d{13}$/

/** Where a page begins: beyond which order, and which way. */
function edgeOf(query: URLSearchParams): OrderListQuery['from'] {
  for (const direction of ['older', 'newer'] as const) {
    const number = query.get(direction)
    if (number !== null && ORDER_NUMBER.test(number)) return { number, direction }
  }
  return null
}
