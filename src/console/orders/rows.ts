import type { ListedOrder } from '#features/buying/order/queries.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import { methodNames } from '../kit/method-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

export interface OrderRow {
  readonly number: string
  /** By fours, as it is read out. */
  readonly grouped: string
  readonly at: string
  readonly country: string | null
  readonly shopper: string | null
  /** Address of the picture of what was bought; empty where there is none. */
  readonly picture: string
  readonly goods: string
  readonly more: number
  readonly total: string
  /** What its way to pay is called. */
  readonly method: string | null
  readonly look: StateLook
  readonly state: string
  /** How long it has been what it is; of what is done, how long it took. */
  readonly age: string
}

export async function orderRows(
  context: ConsoleContext,
  orders: readonly ListedOrder[],
): Promise<OrderRow[]> {
  const [money, methodOf] = await Promise.all([moneyTexts(context), methodNames(context)])
  const { language, timeZone } = context
  return orders.map((order) => ({
    number: order.number,
    grouped: groupedNumber(order.number),
    at: formatShortMoment(language.code, order.createdAt, timeZone),
    country: order.country,
    shopper: order.shopper,
    picture: context.pictureOf(order.product),
    goods: `${order.productName}, ${order.itemName}`,
    more: order.lines - 1,
    total: money(order.totalMinor, order.currency),
    method: order.method && methodOf(order.method),
    look: lookOf(order),
    state: stateText(context, order),
    age: ageText(context, order),
  }))
}

const LOOKS: Readonly<Record<ListedOrder['status'], StateLook>> = {
  pending_payment: '',
  waiting_for_payment: 'pay',
  waiting_for_shipment: 'way',
  shipping: 'way',
  processing: 'badge warn',
  completed: 'done',
  refunded: 'gone',
  cancelled: 'gone',
  expired: 'gone',
}

export function lookOf({
  status,
  hold,
  hasOpenCase,
}: Pick<ListedOrder, 'status' | 'hold' | 'hasOpenCase'>): StateLook {
  if (status === 'processing' && (hold === 'disputed' || hold === null)) return 'badge bad'
  if (status === 'completed' && hasOpenCase) return 'badge warn'
  return LOOKS[status]
}

/** "Processing" always says why. */
export function stateText(
  { t }: Pick<ConsoleContext, 't'>,
  { status, hold, hasOpenCase }: Pick<ListedOrder, 'status' | 'hold' | 'hasOpenCase'>,
): string {
  if (status === 'processing')
    return t('console.state.processing', { reason: t(`console.hold.${hold ?? 'undecided'}`) })
  return hasOpenCase
    ? t('console.state.caseOpen', { state: t(`order.status.${status}`) })
    : t(`order.status.${status}`)
}

function ageText({ ctx, language }: ConsoleContext, order: ListedOrder): string {
  const seconds = (from: Date, to: Date) =>
    formatDuration(language.code, Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000)))
  if (order.status === 'completed' && order.settledAt)
    return seconds(order.settledAt, order.updatedAt)
  const isEnded = ['cancelled', 'expired', 'refunded'].includes(order.status)
  return isEnded ? '' : seconds(order.settledAt ?? order.createdAt, ctx.now())
}
