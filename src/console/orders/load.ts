import {
  countByStatus,
  listFilteredOrders,
  listOrdersByNumber,
  listOrdersForOperators,
  type OrderListQuery,
} from '#features/buying/order/queries.ts'
import { BULK_ACTS, BULK_NEEDS, type BulkAct } from '#features/office/bulk/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listBulkRuns } from '#features/office/bulk/queries.ts'
import { bulkView, type BulkRunView } from '#features/office/bulk/views.ts'
import { findOrdersOf, openSearch } from '#features/office/desk/commands.ts'
import { listColumns, listViews } from '#features/office/desk/queries.ts'
import type { OrderColumn } from '#features/office/desk/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { COUNTED_MOST, countedTexts } from '../kit/counted.ts'
import { methodNames } from '../kit/method-name.ts'
import { edgeOf, pageBeyond, type Edge } from '../kit/paging.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { filtersOf, readFilters } from './filters.ts'
import type { FilterValues } from './filter-names.ts'
import { orderRows, type OrderRow } from './rows.ts'
import { isOrderView, ORDER_VIEWS, STATUSES_OF, type OrderView } from './views.ts'

export interface OrdersData {
  readonly views: readonly OrderView[]
  readonly counts: Readonly<Record<OrderView, string>>
  /** What is shown beside the order and its state. */
  readonly columns: readonly OrderColumn[]
  /** Null where a text was looked for. */
  readonly view: OrderView | null
  /** Lists of one's own, by the query that opens them. */
  readonly own: readonly { readonly id: string; readonly name: string; readonly query: string }[]
  readonly filters: FilterValues
  /** What the way to pay is called that the list is narrowed to. */
  readonly method: string | null
  readonly find: string
  readonly rows: readonly OrderRow[]
  /** Addresses of the pages beside this one; null where there is none. */
  readonly newer: string | null
  readonly older: string | null
  /** How far back a filtered list was looked through, where that was not to its end. */
  readonly lookedTo: string | null
  /** What may be done with several at once. */
  readonly acts: readonly BulkAct[]
  /** What was asked for several lately, and what came of it. */
  readonly runs: readonly BulkRunView[]
}

const LISTED = 50

export async function load(context: ConsoleContext): Promise<Loaded<OrdersData>> {
  const { ctx, query, t } = context
  const find = openSearch(ctx, query.get('found') ?? '') ?? ''
  const [views, columns, counts, runs] = await Promise.all([
    listViews(ctx.db, ctx.operator.id),
    listColumns(ctx.db, ctx.operator.id),
    countViews(context),
    listBulkRuns(ctx.db, ctx.operator.id),
  ])
  const acts = BULK_ACTS.filter((act) => mayDo(ctx.operator, BULK_NEEDS[act]))
  const common = {
    views: ORDER_VIEWS,
    counts,
    columns,
    own: views.map(({ id, name, filters }) => ({
      id,
      name,
      query: new URLSearchParams(filters).toString(),
    })),
    find,
    acts,
    runs: runs.map((run) => bulkView(t, run)),
  }
  const page = find === '' ? await listPage(context) : await foundPage(context, find)
  const wanted = page.filters.method
  const method = wanted === undefined ? null : (await methodNames(context))(wanted)
  return { title: t('console.orders.nav'), data: { ...common, method, ...page } }
}

type Page = Pick<OrdersData, 'view' | 'filters' | 'rows' | 'newer' | 'older' | 'lookedTo'>

/** How many orders each view holds, as far as it is told. */
async function countViews(context: ConsoleContext): Promise<OrdersData['counts']> {
  const byStatus = await countByStatus(context.ctx.db, COUNTED_MOST)
  const counts = ORDER_VIEWS.map((view) => {
    const statuses = STATUSES_OF[view].length > 0 ? STATUSES_OF[view] : [...byStatus.keys()]
    return [view, statuses.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0)]
  })
  return countedTexts(context, Object.fromEntries(counts) as Record<OrderView, number>)
}

async function foundPage(context: ConsoleContext, find: string): Promise<Page> {
  const { ctx } = context
  const orders = await listOrdersByNumber(ctx.db, await findOrdersOf(ctx, find))
  const rows = await orderRows(context, orders)
  return { view: null, filters: {}, rows, newer: null, older: null, lookedTo: null }
}

async function listPage(context: ConsoleContext): Promise<Page> {
  const { query, language, timeZone } = context
  const named = query.get('view')
  const view = isOrderView(named) ? named : 'all'
  const from = edgeOf(query, ORDER_NUMBER)
  const values = readFilters(query)
  const { found, lookedTo } = await findPage(context, view, from, values)
  const { shown, newer, older } = pageBeyond(found, LISTED, from, ({ number }) => number)
  const address = (edge: Edge | null) =>
    edge &&
    `/orders?${new URLSearchParams({ view, ...values, [edge.direction]: edge.key }).toString()}`
  return {
    view,
    filters: values,
    rows: await orderRows(context, shown),
    newer: address(newer),
    older: address(lookedTo ? { key: lookedTo.number, direction: 'older' } : older),
    lookedTo: lookedTo && formatShortMoment(language.code, lookedTo.at, timeZone),
  }
}

/** One more than is shown tells whether there is another page. */
async function findPage(
  { ctx }: ConsoleContext,
  view: OrderView,
  from: Edge | null,
  values: FilterValues,
) {
  const query: OrderListQuery = {
    statuses: STATUSES_OF[view],
    from: from && { number: from.key, direction: from.direction },
    limit: LISTED + 1,
  }
  if (Object.keys(values).length === 0)
    return { found: await listOrdersForOperators(ctx.db, query), lookedTo: null }
  const digits = new Map((await listCurrencies(ctx.db)).map((one) => [one.code, one.minorUnits]))
  const filters = filtersOf(values, (code) => digits.get(code))
  const { orders, lookedTo } = await listFilteredOrders(ctx.db, { ...query, filters })
  return { found: orders, lookedTo }
}

const ORDER_NUMBER = /^\d{13}$/
