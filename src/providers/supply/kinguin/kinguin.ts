import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import {
  SupplyRefusal,
  SupplyUnavailable,
  type CardsOutcome,
  type CataloguePage,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type ReturnOutcome,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyCard,
  type SupplyFailure,
  type SupplyNotice,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
  type SupplyPurchase,
  type SupplyUnknown,
} from '../provider.ts'
import { decimalOf, exactMoney, roundedMoney } from '../wire/amounts.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { readJson } from '../wire/json.ts'
import { byCode, failed, notSent, refusedHere, unknown } from '../wire/outcome.ts'
import { fingerprintOf, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { KINGUIN_KINDS } from './codes.ts'
import { keyOf } from './keys.ts'
import { searchOrders } from './report.ts'

export const KINGUIN_TIMEOUT_MS = 60_000

export interface KinguinOptions {
  readonly apiKey: Secret
  /** Compared with the header of notices; null refuses them. */
  readonly eventSecret: Secret | null
  readonly baseUrl: string
  readonly client: SupplyClient
}
type Api = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Exchange>

/** Accounts of the API are kept in euros. */
const CURRENCY = 'EUR'
const PAGE = 100
const CAPABILITIES: SupplyCapabilities = {
  kinds: ['key', 'giftcard', 'voucher'],
  idempotency: 'reference',
  // How soon the search shows an order is not verified: fifteen times the longest call.
  notFoundIsFinalAfterSeconds: 900,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: false,
  sendsNotices: true,
  // The price is part of the order.
  enforcesMaxCost: true,
  needsBuyerAddress: false,
  maxQuantity: 9,
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (2 * KINGUIN_TIMEOUT_MS) / 1_000,
}

const product = z.object({
  productId: z.string(),
  kinguinId: z.string().nullish(),
  name: z.string(),
  platform: z.string().nullish(),
  price: z.string(),
  qty: z.string().nullish(),
  countryLimitation: z.array(z.string()).nullish().catch(null),
  ageRating: z.string().nullish().catch(null),
})
type Product = z.infer<typeof product>
const order = z.object({
  orderId: z.string(),
  orderExternalId: z.string(),
  status: z.string(),
  kind: z.string().nullish(),
  totalPrice: z.string().nullish(),
  paymentPrice: z.string().nullish(),
  products: z.array(z.object({ productId: z.string().nullish(), qty: z.string() })).nullish(),
})
const problem = z.object({
  kind: z.string(),
  detail: z.string().nullish(),
  title: z.string().nullish(),
  propertyPath: z.string().nullish(),
})

/** Game keys by Kinguin's eCommerce API. Without `keyType` a key may be a picture: both are read. */
export function createKinguinSupplier(options: KinguinOptions): SupplyProvider {
  const api: Api = (method, path, body) =>
    options.client({
      method,
      url: `${options.baseUrl}${path}`,
      headers: { 'x-api-key': options.apiKey.reveal() },
      ...(body === undefined ? {} : { body }),
    })
  return {
    code: 'kinguin',
    capabilities: { ...CAPABILITIES, sendsNotices: options.eventSecret !== null },
    catalogue: (cursor) => catalogue(api, cursor),
    async quote(asked): Promise<QuoteOutcome> {
      const ready = await prepare(api, asked)
      return 'kind' in ready ? ready : { kind: 'quote', cost: ready.cost }
    },
    validateAccount: async () => ({ kind: 'unchecked', why: 'a key has no account' }),
    purchase: (purchase) => buy(api, purchase),
    lookup: (request) => find(api, request),
    cards: (request) => take(api, request),
    balances: () => balances(api),
    report: (from, to, cursor) =>
      searchOrders((path) => api('GET', path), { from, to, currency: CURRENCY }, cursor),
    readNotice: async (body, headers) => readNotice(body, headers, options.eventSecret),
    returnCards: (request) => giveBack(api, request),
  }
}

function errorOf(exchange: Exchange): SupplyFailure | SupplyUnknown {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = problem.safeParse(exchange.json).data
  if (!told) return unknown(`answer ${exchange.status} in an unknown form`)
  const text = told.detail ?? told.title
  return told.kind === 'ConstraintViolation'
    ? violationOf(told.propertyPath, text)
    : byCode(KINGUIN_KINDS, told.kind, text)
}

/** By the property that was refused: the price has moved, our reference was used before, or the request was wrong. */
function violationOf(
  path: string | null | undefined,
  text: unknown,
): SupplyFailure | SupplyUnknown {
  if (/price$/i.test(path ?? '')) return failed('price', 'ConstraintViolation', text)
  return path && !/orderExternalId/i.test(path)
    ? failed('ours', 'ConstraintViolation', text)
    : unknown('our reference was refused')
}

async function prepare(api: Api, asked: SupplyOrder) {
  if (!/^[\w-]{1,64}$/.test(asked.product)) return refusedHere('ours', 'no product of Kinguin')
  const exchange = await api('GET', `/v2/products/${asked.product}`)
  const known = product.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!known || known.productId !== asked.product) return errorOf(exchange)
  if (known.qty === '0') return refusedHere('stock', 'sold out')
  const one = exactMoney(known.price, CURRENCY)
  if (!one) return unknown('a price that is no amount')
  return { one, cost: { minor: one.minor * BigInt(asked.quantity), currency: CURRENCY } }
}

async function buy(api: Api, purchase: SupplyPurchase): Promise<PurchaseOutcome> {
  if (purchase.quantity > CAPABILITIES.maxQuantity)
    return refusedHere('ours', 'too many in one order')
  const ready = await prepare(api, purchase)
  if ('kind' in ready)
    return ready.kind === 'unknown' ? failed('supplier', 'not_sent', ready.why) : ready
  const { one, cost } = ready
  const { maxCost } = purchase
  if (maxCost && (maxCost.currency !== CURRENCY || cost.minor > maxCost.minor))
    return refusedHere('price', 'it costs more than was allowed')
  const exchange = await api('POST', '/v2/order', {
    products: [
      { productId: purchase.product, qty: purchase.quantity, price: Number(decimalOf(one)) },
    ],
    orderExternalId: purchase.reference,
  })
  const isOrder = exchange.kind === 'answer' && order.safeParse(exchange.json).success
  return isOrder ? outcomeOf(exchange.json, purchase, null) : errorOf(exchange)
}

/** What does not bear our reference is not ours. */
async function find(api: Api, { purchase, supplierId }: LookupRequest): Promise<LookupOutcome> {
  const exchange = await api(
    'GET',
    `/v1/order?orderExternalId=${encodeURIComponent(purchase.reference)}&page=1&limit=25`,
  )
  const told = z
    .object({ results: z.array(z.unknown()) })
    .safeParse(exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null).data
  if (!told) return unknown('the orders could not be searched')
  const own = told.results.filter(
    (each) => order.safeParse(each).data?.orderExternalId === purchase.reference,
  )
  if (own.length > 1) return unknown('two orders under our reference')
  if (own.length === 1) return outcomeOf(own[0], purchase, supplierId)
  if (told.results.length > 0) return unknown('the search is about something else')
  return supplierId === null
    ? { kind: 'not_found' }
    : unknown('Kinguin no longer knows what it accepted')
}

function outcomeOf(
  json: unknown,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const told = order.safeParse(json).data
  const supplierId = idOf(told?.orderId)
  if (!told || !supplierId) return unknown('an order in an unknown form')
  if (told.kind) return unknown('an order with an error')
  if (told.orderExternalId !== purchase.reference) return unknown("another purchase's reference")
  if (expectedId !== null && supplierId !== expectedId) return unknown('another id than before')
  const [line, ...more] = told.products ?? []
  if (
    !line ||
    more.length > 0 ||
    line.productId !== purchase.product ||
    line.qty !== String(purchase.quantity)
  )
    return unknown('another product or number')
  if (told.status === 'processing') return { kind: 'accepted', supplierId }
  if (told.status === 'canceled' || told.status === 'refunded')
    return failed('supplier', told.status, 'the order did not go through', { supplierId })
  if (told.status !== 'completed') return unknown(`the status ${told.status}`, supplierId)
  const price = told.paymentPrice ?? told.totalPrice
  const cost = price ? roundedMoney(price, CURRENCY, 'up') : null
  return price && !cost
    ? unknown('a cost that is no amount', supplierId)
    : { kind: 'done', supplierId, cost }
}

async function take(api: Api, { purchase, supplierId }: LookupRequest): Promise<CardsOutcome> {
  if (supplierId === null || !/^[\w-]{1,64}$/.test(supplierId))
    return { kind: 'unknown', why: 'an order without an id' }
  const exchange = await api('GET', `/v2/order/${supplierId}/keys?page=1&limit=${PAGE}`)
  const list =
    exchange.kind === 'answer' && exchange.status === 200 && Array.isArray(exchange.json)
      ? exchange.json
      : []
  const read = list.map(keyOf)
  const cards = read.filter((card): card is SupplyCard => card !== null)
  return cards.length === purchase.quantity && read.length === cards.length
    ? { kind: 'cards', cards }
    : { kind: 'unknown', why: `${cards.length} keys of ${purchase.quantity}` }
}

/** Once, within a day, what nobody has looked at. */
async function giveBack(api: Api, { supplierId }: LookupRequest): Promise<ReturnOutcome> {
  if (supplierId === null || !/^[\w-]{1,64}$/.test(supplierId))
    return refusedHere('ours', 'an order without an id')
  const exchange = await api('POST', `/v2/order/${supplierId}/keys/return`, {})
  const isTaken = exchange.kind === 'answer' && (exchange.status === 200 || exchange.status === 204)
  if (isTaken && !problem.safeParse(exchange.json).success) return { kind: 'accepted' }
  return errorOf(exchange)
}

async function catalogue(api: Api, cursor: string | null): Promise<CataloguePage> {
  const page = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 1
  const exchange = await api('GET', `/v1/products?page=${page}&limit=${PAGE}`)
  const told = z
    .object({ results: z.array(z.unknown()), item_count: z.string().nullish() })
    .safeParse(exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null).data
  if (!told) throw new SupplyUnavailable('the products could not be read')
  const read = told.results.map((json) => product.safeParse(json).data ?? null)
  return {
    products: read.flatMap((known) => (known ? [productOf(known)] : [])),
    unread: read.flatMap((known) => (known ? [] : ['?'])),
    next: told.results.length < PAGE ? null : String(page + 1),
  }
}

/** "PEGI 18", say: that it is the youngest age its buyer may have is not verified, and only ever asks for more. */
function ageOf(rating: string): number | null {
  const age = Number(/\b(\d{1,2})\b/.exec(rating)?.[1] ?? 0)
  return age > 0 ? age : null
}

const productOf = (known: Product): SupplyProduct => ({
  id: known.productId,
  kind: 'key',
  name: known.name,
  brand: known.platform ?? null,
  country: null,
  limits: {
    buyerCountries: null,
    blockedCountries: (known.countryLimitation ?? []).filter((code) => /^[A-Z]{2}$/.test(code)),
    minAge: ageOf(known.ageRating ?? ''),
  },
  faces: { kind: 'single', face: null, cost: exactMoney(known.price, CURRENCY) },
  fields: [],
  stock: /^\d{1,9}$/.test(known.qty ?? '') ? Number(known.qty) : null,
})

async function balances(api: Api): Promise<readonly SupplyBalance[]> {
  const exchange = await api('GET', '/v1/balance')
  const told = z
    .object({ balance: z.string() })
    .safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  const available = told ? roundedMoney(told.balance, CURRENCY, 'down') : null
  if (!available) throw new SupplyUnavailable('the balance could not be read')
  return [{ available }]
}

const notice = z.object({
  orderId: z.string().nullish(),
  orderExternalId: z.string().nullish(),
  status: z.string().nullish(),
  updatedAt: z.string().nullish(),
})

/** A secret in a header, and nothing signed: whoever saw one notice can write others. It is a hint. */
function readNotice(body: Uint8Array, headers: Headers, key: Secret | null): SupplyNotice {
  if (!key || !isSameText(key.reveal(), headers.get('x-event-secret') ?? ''))
    throw new SupplyRefusal('not with our secret')
  const told = notice.safeParse(readJson(Buffer.from(body).toString('utf8'))).data
  return {
    eventId: fingerprintOf(body),
    kind: cleanText(headers.get('x-event-name') ?? '', 80),
    reference: idOf(told?.orderExternalId),
    supplierId: idOf(told?.orderId),
  }
}
