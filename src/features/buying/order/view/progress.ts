import { formatClock, formatDate, formatMoment } from '#platform/i18n/format.ts'
import { moneyView, type OrderReader } from './reader.ts'
import type { OrderEventView, OrderProgressView } from './shapes.ts'
import type { StoredOrder, StoredUnit } from './stored.ts'
import {
  deliverySeconds,
  EVENT_TONES,
  isPartlyRefunded,
  ORDER_TONES,
  paymentState,
  historyOf,
} from './texts.ts'

export function orderProgress(
  reader: OrderReader,
  order: Pick<
    StoredOrder,
    | 'number'
    | 'status'
    | 'createdAt'
    | 'events'
    | 'currency'
    | 'capturedMinor'
    | 'refundedMinor'
    | 'totalMinor'
  >,
): OrderProgressView {
  const isPart = isPartlyRefunded(order)
  return {
    order_no: order.number,
    status: order.status,
    status_text: reader.t(
      isPart ? 'order.payment.partly_refunded' : `order.status.${order.status}`,
    ),
    tone: isPart ? null : ORDER_TONES[order.status],
    created_at: order.createdAt.toISOString(),
    created_at_text: formatMoment(reader.language, order.createdAt, reader.timeZone),
    events: eventViews(reader, order),
  }
}

function eventViews(
  reader: OrderReader,
  { events, createdAt, currency }: Pick<StoredOrder, 'events' | 'createdAt' | 'currency'>,
): OrderEventView[] {
  const { language, timeZone, t } = reader
  const day = formatDate(language, createdAt, timeZone)
  return historyOf(events).map(({ kind, event }, index) => {
    const amount = event.details['amount_minor']
    const told =
      kind === 'refunded' && amount !== undefined
        ? moneyView(reader, String(event.details['currency'] ?? currency), BigInt(amount)).text
        : null
    return {
      kind,
      at: event.at.toISOString(),
      // The first names day and zone, which hold until another day begins.
      at_text:
        index > 0 && formatDate(language, event.at, timeZone) === day
          ? formatClock(language, event.at, timeZone)
          : formatMoment(language, event.at, timeZone),
      text:
        told !== null
          ? t('order.event.refundedAmount', { amount: told })
          : event.reason === 'underpaid'
            ? t('order.payment.partly_paid')
            : t(`order.event.${kind}`),
      tone: EVENT_TONES[kind],
    }
  })
}

/** The state in a few words, with how long it took where that is worth telling. */
export function heading(reader: OrderReader, order: StoredOrder): string {
  const { t } = reader
  const seconds = deliverySeconds(order)
  const units = order.lines.flatMap((line) => line.units)
  if (isPartlyRefunded(order))
    return t('order.heading.partlyRefunded', {
      delivered: units.filter(({ status }) => status === 'delivered').length,
      count: units.length,
      amount: moneyView(reader, order.currency, order.refundedMinor).text,
    })
  if (order.hold === null && units.some(({ status }) => status === 'needs_input'))
    return t('order.event.input_needed')
  if (isOnlyRefunding(order.hold, units)) return t('order.unit.refund_due')
  if (order.hold === 'underpaid' && order.askedBackMinor > 0n)
    return t('order.event.money_returning')
  if (order.status === 'pending_payment' && paymentState(order) === 'failed')
    return t('order.event.payment_failed')
  if (seconds === null)
    return order.hold === null ? t(`order.heading.${order.status}`) : t(`order.hold.${order.hold}`)
  if (seconds < 120) return t('order.heading.deliveredSeconds', { count: Math.max(1, seconds) })
  return seconds < 7_200
    ? t('order.heading.deliveredMinutes', { count: Math.round(seconds / 60) })
    : t('order.heading.completed')
}

/** Nothing is left to decide: what could not be delivered is on its way back. */
function isOnlyRefunding(hold: StoredOrder['hold'], units: readonly StoredUnit[]): boolean {
  return (
    hold === null &&
    units.some(({ status }) => status === 'refund_due') &&
    units.every(({ status }) => status !== 'failed' && status !== 'in_doubt')
  )
}
