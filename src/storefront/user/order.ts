import { findProduct } from '#features/goods/browse/queries.ts'
import type { OrderFilter } from '#features/buying/order/rules.ts'
import type { ListedOrderView, Tone } from '#features/buying/order/view/shapes.ts'
import { listOrderViews } from '#features/buying/order/views.ts'
import { formatParts, formatShortMoment } from '#platform/i18n/format.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { pictureAddress } from '../goods/picture.ts'
import { readerOf } from '../order-reader.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from './area.ts'
import { pageAsked, pagingData, type PagingData } from './paging.ts'

const ON_A_PAGE = 20

/** A filter of the orders as a link. */
export interface FilterLink {
  readonly text: string
  readonly path: string
  readonly current?: true
}

/** The list of orders (specification §4, "Order list filters"). */
export interface OrderData {
  readonly states: readonly FilterLink[]
  readonly kinds: readonly FilterLink[]
  readonly isFiltered: boolean
  readonly orders: readonly ShownOrder[]
  readonly paging: PagingData
}

export interface ShownOrder {
  readonly id: string
  readonly number: string
  readonly time: { readonly iso: string; readonly text: string }
  readonly status: string
  readonly tone: Tone | null
  readonly image: string
  readonly name: string
  readonly notes: readonly string[]
  readonly total: string
  readonly action: { readonly path: string; readonly text: string; readonly isToPay: boolean }
}

const STATES: readonly (readonly [value: string, text: MessageKey, filter: OrderFilter])[] = [
  ['', 'user.orderAll', 'all'],
  ['unpaid', 'user.orderUnpaid', 'pending_payment'],
  ['pending', 'user.orderPending', 'pending_shipment'],
  ['completed', 'user.orderCompleted', 'completed'],
  ['after-sales', 'user.orderAfterSales', 'after_sales'],
]
const KINDS: typeof STATES = [
  ['card', 'user.orderGameCard', 'game_card'],
  ['direct', 'user.orderDirect', 'direct_charging'],
]

export async function orderData(page: PersonalPageContext): Promise<OrderData> {
  const filters = orderFilters(page)
  const { state, kind } = filters
  const list = (number: number) =>
    ordersOn(page, { status: state[2], kind: kind?.[2] ?? 'all', page: number })
  const asked = pageAsked(page)
  let found = await list(asked)
  // A page past the end is the last one.
  if (asked > 1 && found.list.length === 0) found = await list(Math.max(1, found.pages))
  return {
    ...filters.links,
    orders: found.list.map((order) => shownOrder(page, order)),
    paging: pagingData(page, address(state[0], kind?.[0] ?? ''), found.page, found.pages),
  }
}

/** The filters that the address names, and the links to the others; state and kind go together. */
export function orderFilters({ query, t }: Pick<PersonalPageContext, 'query' | 't'>) {
  const state =
    STATES.find(([value]) => value === query.get('status')) ??
    (STATES[0] as (typeof STATES)[number])
  const kind = KINDS.find(([value]) => value === query.get('kind')) ?? null
  const kindNow = kind?.[0] ?? ''
  return {
    state,
    kind,
    links: {
      states: STATES.map(([value, text]) => ({
        text: t(text),
        path: address(value, kindNow),
        ...(value === state[0] ? { current: true as const } : {}),
      })),
      // Pressing the chosen kind again takes it away.
      kinds: KINDS.map(([value, text]) => ({
        text: t(text),
        path: address(state[0], value === kindNow ? '' : value),
        ...(value === kindNow ? { current: true as const } : {}),
      })),
      isFiltered: state[0] !== '' || kind !== null,
    },
  }
}

function ordersOn(
  page: PersonalPageContext,
  query: { readonly status: OrderFilter; readonly kind: OrderFilter; readonly page: number },
) {
  return listOrderViews(page.ctx.db, readerOf(page), ownerOf(page).accountId, {
    ...query,
    limit: ON_A_PAGE,
  })
}

export function shownOrder(
  { t, shop, language, timeZone }: PersonalPageContext,
  order: ListedOrderView,
): ShownOrder {
  const [first] = order.lines
  const code = first?.product_code ?? null
  const product = code === null ? null : findProduct(shop, code)
  const count =
    first === undefined || (first.quantity === 1 && first.delivery !== 'card_key')
      ? ''
      : t(first.delivery === 'card_key' ? 'order.unitCodes' : 'order.unitPieces', {
          count: first.quantity,
        })
  const note =
    first === undefined ? '' : formatParts(language.code, [first.label, first.region, count])
  return {
    id: order.order,
    number: order.order_no,
    time: {
      iso: order.created_at,
      text: formatShortMoment(language.code, new Date(order.created_at), timeZone),
    },
    status: order.status_text,
    tone: order.tone,
    image: pictureAddress(
      { shop, language },
      'goods_thumb_3_4',
      product?.picture ?? product?.brand.picture ?? null,
      { isSmall: true },
    ),
    name: first?.goods_name ?? '',
    notes: [
      note,
      order.lines.length > 1 ? t('order.more', { count: order.lines.length - 1 }) : '',
      order.missing === null ? '' : t('order.missingAmount', { amount: order.missing.text }),
      order.refunded === null
        ? ''
        : t('order.event.refundedAmount', { amount: order.refunded.text }),
    ].filter((text) => text !== ''),
    total: order.total.text,
    action: actionOf(t, order),
  }
}

/** What is next: paying, reading the codes, following it, or looking at it once more. */
function actionOf(
  t: PersonalPageContext['t'],
  { order, status, can }: ListedOrderView,
): ShownOrder['action'] {
  const detail = `/order/detail?order=${order}`
  if (can.pay)
    return {
      path:
        status === 'waiting_for_payment'
          ? `/order/pay?order=${order}`
          : `/order/cashier?order=${order}`,
      text: t('order.payNow'),
      isToPay: true,
    }
  if (can.pay_rest)
    return { path: `/order/pay?order=${order}`, text: t('order.payRest'), isToPay: true }
  if (can.show_codes) return { path: detail, text: t('order.showCodes'), isToPay: false }
  const isUnderWay =
    status === 'waiting_for_shipment' ||
    status === 'shipping' ||
    status === 'processing' ||
    status === 'waiting_for_payment'
  return { path: detail, text: t(isUnderWay ? 'order.track' : 'order.details'), isToPay: false }
}

function address(status: string, kind: string): string {
  const query = new URLSearchParams({
    ...(status === '' ? {} : { status }),
    ...(kind === '' ? {} : { kind }),
  }).toString()
  return query === '' ? '/user/order' : `/user/order?${query}`
}
