import { z } from 'zod'
import type { LookupOutcome, SupplyFailure, SupplyPurchase, SupplyUnknown } from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { byCode, failed, notSent, unknown } from '../wire/outcome.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { envelopeIn, moneyShape, type Envelope } from './api.ts'
import { LINE_FAULT, LUKADO_CODES } from './codes.ts'

const orderShape = z.object({
  reference: z.string(),
  order: z.string().nullable(),
  result: z.enum(['accepted', 'done', 'partial', 'failed']),
  total: moneyShape.nullable(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  lines: z.array(
    z.object({
      item: z.string(),
      quantity: z.string(),
      amount: z.string().nullish(),
      amount_currency: z.string().nullish(),
    }),
  ),
})
type Order = z.infer<typeof orderShape>

const faultsShape = z.object({ fields: z.array(z.object({ field: z.string() })).min(1) })
/** Longer than that nobody is kept waiting for a limit of calls. */
const WAIT_MOST_SECONDS = 3_600

/** What an answer about an order means. @param expectedId the other shop's name for it, where it gave one */
export function orderOutcome(
  exchange: Exchange,
  purchase: SupplyPurchase,
  expectedId: string | null,
  now: Date,
): LookupOutcome {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why, expectedId)
  const told = envelopeIn(exchange)
  if (!told) return unknown(`answer ${exchange.status} in an unknown form`, expectedId)
  if (told.code !== '1') return refusalOf(told, exchange, now)
  const order = orderShape.safeParse(told.data).data
  if (!order) return unknown('an order in an unknown form', expectedId)
  if (order.reference !== purchase.reference) return unknown("another order's reference")
  const id = order.order === null ? null : idOf(order.order)
  if (expectedId !== null && id !== expectedId) return unknown('another id than before')
  if (order.failure !== null && order.result !== 'failed')
    return unknown('an order that failed and did not', id)
  return resultOf(order, purchase, id)
}

function resultOf(order: Order, purchase: SupplyPurchase, id: string | null): LookupOutcome {
  if (order.result === 'failed')
    return order.failure
      ? failureOf(order.failure, id)
      : failed('supplier', 'given_back', 'given back, or cancelled', idIn(id))
  // Without an id it is being ordered at this moment.
  if (id === null) return unknown('being ordered')
  const [line, ...more] = order.lines
  if (
    more.length > 0 ||
    line?.item !== purchase.product ||
    line.quantity !== String(purchase.quantity)
  )
    return unknown('another product or number', id)
  if (!isOfAmount(line, purchase.face)) return unknown('another amount', id)
  if (order.result === 'accepted') return { kind: 'accepted', supplierId: id }
  if (order.result === 'partial') return unknown('delivered in part', id)
  const cost = order.total ? exactMoney(order.total.amount, order.total.currency) : null
  return cost ? { kind: 'done', supplierId: id, cost } : unknown('done at no price', id)
}

/** Whether it is of the amount that was asked for, in that currency; goods of no amount are of none. */
function isOfAmount(
  { amount, amount_currency: currency }: Order['lines'][number],
  face: SupplyPurchase['face'],
): boolean {
  if (!face) return !amount
  return amount === face.minor.toString() && currency === face.currency
}

const idIn = (id: string | null) => (id === null ? {} : { supplierId: id })

function failureOf(
  { code, reason }: NonNullable<Order['failure']>,
  id: string | null,
): SupplyFailure | SupplyUnknown {
  // It says itself that the order failed: what stands in no table is the other shop's matter.
  const known = byCode(LUKADO_CODES, code, reason, idIn(id))
  return known.kind === 'failed' ? known : failed('supplier', code, reason, idIn(id))
}

export function refusalOf(
  told: Envelope,
  exchange: Exchange,
  now: Date,
): SupplyFailure | SupplyUnknown {
  if (told.code === LINE_FAULT) {
    const fields = faultsShape.safeParse(told.data).data?.fields.map(({ field }) => field)
    if (!fields) return unknown('something is wrong, and it is not said where')
    const isAccount = fields.some((field) => field.startsWith('lines.0.fields.'))
    const isGoods = fields.some((field) =>
      /^lines\.0\.(?:item|quantity|amount|amount_currency)$/.test(field),
    )
    const cause = isAccount ? 'customer' : isGoods ? 'stock' : 'ours'
    return failed(cause, told.code, `${fields.join(', ')}: ${cleanText(told.msg)}`)
  }
  const seconds = exchange.kind === 'answer' ? Number(exchange.headers['retry-after']) : Number.NaN
  const until =
    seconds > 0 ? new Date(now.getTime() + Math.min(seconds, WAIT_MOST_SECONDS) * 1_000) : null
  return byCode(LUKADO_CODES, told.code, told.msg, until ? { until } : {})
}
