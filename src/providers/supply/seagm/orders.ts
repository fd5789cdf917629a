import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type {
  CardsOutcome,
  LookupOutcome,
  LookupRequest,
  PurchaseOutcome,
  SupplyCard,
  SupplyPurchase,
} from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import { failed, unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import { areCards, dataOf, errorOf, type SeagmApi } from './api.ts'

const order = z.object({
  id: z.string().nullish(),
  order_id: z.string().nullish(),
  mch_order_id: z.string(),
  type_id: z.string(),
  buy_amount: z.string(),
  status_code: z.string(),
  pay_status_code: z.string().nullish(),
  send_status_code: z.string().nullish(),
  pay_amount: z.string().nullish(),
  currency: z.string().nullish(),
  refunded_amount: z.string().nullish(),
  send_amount: z.string().nullish(),
  cards: z.unknown().optional(),
})
type Order = z.infer<typeof order>
const card = z.object({
  code: z.string().nullish(),
  pin: z.string().nullish(),
  serial: z.string().nullish(),
  expire_date: z.string().nullish(),
})

const pathOf = (purchase: SupplyPurchase) =>
  `/v1/${areCards(purchase) ? 'card' : 'recharge'}-orders`
const NAMES_OF_THEIRS = new Set([
  'uid',
  'timestamp',
  'signature',
  'type_id',
  'buy_amount',
  'mch_order_id',
])

export async function buy(
  api: SeagmApi,
  purchase: SupplyPurchase,
  now: () => Date,
): Promise<PurchaseOutcome> {
  if (Object.keys(purchase.fields).some((name) => NAMES_OF_THEIRS.has(name)))
    return failed('ours', 'not_sent', 'a field has the name of a parameter')
  const exchange = await api('POST', pathOf(purchase), {
    ...purchase.fields,
    type_id: purchase.product,
    buy_amount: String(purchase.quantity),
    mch_order_id: purchase.reference,
  })
  const data = dataOf(exchange)
  return data === null ? errorOf(exchange, now()) : outcomeOf(data, purchase, null)
}

/** By our reference; the parameter's place is not verified. An empty list or no data is no such order. */
export async function find(
  api: SeagmApi,
  { purchase, supplierId }: LookupRequest,
): Promise<LookupOutcome> {
  const exchange = await api('GET', pathOf(purchase), { mch_order_id: purchase.reference })
  if (exchange.kind !== 'answer') return unknown(exchange.why)
  const data = dataOf(exchange)
  if (data === null) return unknown('the order could not be asked for')
  const list = Array.isArray(data) ? data : [data]
  if (list.length > 1) return unknown('two orders under our reference')
  if (list.length === 1) return outcomeOf(list[0], purchase, supplierId)
  return supplierId === null
    ? { kind: 'not_found' }
    : unknown('SEAGM no longer knows what it accepted')
}

export async function take(
  api: SeagmApi,
  { purchase, supplierId }: LookupRequest,
): Promise<CardsOutcome> {
  const found = await find(api, { purchase, supplierId })
  if (found.kind !== 'done') return { kind: 'unknown', why: `the order is ${found.kind}` }
  return found.cards
    ? { kind: 'cards', cards: found.cards }
    : { kind: 'unknown', why: 'the order holds no cards' }
}

/** Decimals with zeros after them ("1.00") are whole numbers as well. */
const isNumber = (text: string | null | undefined, number: number) =>
  typeof text === 'string' && /^\d{1,9}(?:\.0{1,8})?$/.test(text) && Number(text) === number

function outcomeOf(
  json: unknown,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const told = order.safeParse(json).data
  if (!told) return unknown('an order in an unknown form')
  const supplierId = idOf(told.order_id ?? told.id)
  if (!supplierId) return unknown('an order without an id')
  if (told.mch_order_id !== purchase.reference) return unknown("another purchase's reference")
  if (expectedId !== null && supplierId !== expectedId) return unknown('another id than before')
  if (told.type_id !== purchase.product || !isNumber(told.buy_amount, purchase.quantity))
    return unknown('another product or number')
  switch (told.status_code) {
    case '10001':
    case '10002':
      return { kind: 'accepted', supplierId }
    case '10003':
      return done(told, purchase, supplierId)
    // Which of the buyer's data was wrong is not told.
    case '10004':
    case '10005':
      return told.send_status_code === '3'
        ? unknown('failed, and sent', supplierId)
        : failed('supplier', told.status_code, 'the order did not go through', { supplierId })
    default:
      return unknown(`the status ${told.status_code}`, supplierId)
  }
}

function done(told: Order, purchase: SupplyPurchase, supplierId: string): PurchaseOutcome {
  const isAgainst =
    (told.pay_status_code && told.pay_status_code !== '2') ||
    (told.send_status_code && told.send_status_code !== '3') ||
    (told.send_amount && !isNumber(told.send_amount, purchase.quantity)) ||
    (told.refunded_amount && !isNumber(told.refunded_amount, 0))
  if (isAgainst) return unknown('done, and not paid or not sent', supplierId)
  const cost = told.pay_amount ? exactMoney(told.pay_amount, told.currency ?? '') : null
  if (told.pay_amount && !cost) return unknown('a cost that is no amount', supplierId)
  if (!areCards(purchase)) return { kind: 'done', supplierId, cost }
  const cards = cardsOf(told.cards)
  return cards.length === purchase.quantity
    ? { kind: 'done', supplierId, cost, cards }
    : unknown(`${cards.length} cards of ${purchase.quantity}`, supplierId)
}

/** The names within a card come from third parties. */
function cardsOf(json: unknown): readonly SupplyCard[] {
  return (z.array(card).safeParse(json).data ?? [])
    .filter(({ code, pin }) => Boolean(code) || Boolean(pin))
    .map(({ code, pin, serial, expire_date: expires }) => ({
      id: null,
      code: code ? secret(code) : null,
      pin: pin ? secret(pin) : null,
      serial: serial ?? null,
      url: null,
      image: null,
      expiresOn: /^\d{4}-\d{2}-\d{2}$/.exec(expires ?? '')?.[0] ?? null,
    }))
}
