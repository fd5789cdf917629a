import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import {
  SupplyRefusal,
  SupplyUnavailable,
  type CataloguePage,
  type CardsOutcome,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyNotice,
  type SupplyOrder,
  type SupplyProvider,
  type SupplyPurchase,
} from '../provider.ts'
import { decimalOf, roundedMoney } from '../wire/amounts.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { readJson } from '../wire/json.ts'
import { failed, refusedHere, unknown } from '../wire/outcome.ts'
import { fingerprintOf, isSameText } from '../wire/signed.ts'
import { idOf } from '../wire/text.ts'
import { costOf, dtoneProductOf, fieldsOf, isRanged, readDtoneProduct } from './products.ts'
import { readTransactions } from './report.ts'
import { dtoneError, dtoneOutcome, partyOf, referenceOf } from './transactions.ts'

export const DTONE_TIMEOUT_MS = 60_000

export interface DtoneOptions {
  readonly key: string
  readonly secret: Secret
  /** `user:password` of the callbacks, as set in DT Shop; null refuses them. */
  readonly callbackCredentials: Secret | null
  readonly baseUrl: string
  readonly client: SupplyClient
}
type Api = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Exchange>

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['recharge', 'data', 'topup', 'voucher'],
  idempotency: 'reference',
  // A transaction is listed at once, by all that is known: ten times the longest call.
  notFoundIsFinalAfterSeconds: 600,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: false,
  sendsNotices: true,
  enforcesMaxCost: false,
  needsBuyerAddress: false,
  maxQuantity: 1,
  // Its limits are told in the headers of answers, and are not published.
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (2 * DTONE_TIMEOUT_MS) / 1_000,
}
const PER_PAGE = 100

/** Airtime, data and PINs by Digital Value Services. */
export function createDtoneSupplier(options: DtoneOptions): SupplyProvider {
  const authorization = `Basic ${Buffer.from(`${options.key}:${options.secret.reveal()}`).toString('base64')}`
  const api: Api = (method, path, body) =>
    options.client({
      method,
      url: `${options.baseUrl}/v1${path}`,
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
    })
  return {
    code: 'dtone',
    capabilities: { ...CAPABILITIES, sendsNotices: options.callbackCredentials !== null },
    catalogue: (cursor) => catalogue(api, cursor),
    async quote(order): Promise<QuoteOutcome> {
      const ready = await prepare(api, order)
      if ('kind' in ready) return ready
      // The price of a ranged product follows its rates, whose form is not verified.
      return ready.cost
        ? { kind: 'quote', cost: ready.cost }
        : { kind: 'unknown', why: 'no price is told' }
    },
    validateAccount: async () => ({ kind: 'unchecked', why: 'DT One is not asked about accounts' }),
    purchase: (purchase) => buy(api, purchase),
    lookup: (request) => find(api, request),
    cards: (request) => take(api, request),
    balances: () => balances(api),
    report: (from, to, cursor) => readTransactions((path) => api('GET', path), from, to, cursor),
    readNotice: async (body, headers) => readNotice(body, headers, options.callbackCredentials),
  }
}

async function prepare(api: Api, order: SupplyOrder) {
  if (!/^\d{1,12}$/.test(order.product)) return refusedHere('ours', 'no product of DT One')
  if (order.quantity !== 1) return refusedHere('ours', 'one at a time')
  const exchange = await api('GET', `/products/${order.product}`)
  const known = exchange.kind === 'answer' ? readDtoneProduct(exchange.json) : null
  if (!known || known.id !== order.product) return dtoneError(exchange)
  const fields = fieldsOf(known)
  if (!fields) return refusedHere('ours', 'the product asks for papers of people')
  const given = partyOf(order.fields)
  const missing = fields.find((name) => !given[name])
  if (missing) return refusedHere('customer', `no ${missing}`)
  if (isRanged(known) && !order.face)
    return refusedHere('ours', 'a ranged product without an amount')
  return { known, fields, cost: isRanged(known) ? null : costOf(known) }
}

async function buy(api: Api, purchase: SupplyPurchase): Promise<PurchaseOutcome> {
  const ready = await prepare(api, purchase)
  if ('kind' in ready)
    return ready.kind === 'unknown' ? failed('supplier', 'not_sent', ready.why) : ready
  const { known, cost, fields } = ready
  const { maxCost, face } = purchase
  // Where no price is told before, it is told after.
  if (maxCost && cost && (cost.currency !== maxCost.currency || cost.minor > maxCost.minor))
    return refusedHere('price', 'it costs more than was allowed')
  const given = partyOf(purchase.fields)
  const exchange = await api('POST', '/async/transactions', {
    external_id: purchase.reference,
    product_id: Number(purchase.product),
    auto_confirm: true,
    ...(isRanged(known) && face
      ? {
          calculation_mode: 'DESTINATION_AMOUNT',
          destination: {
            amount: Number(decimalOf(face)),
            unit: face.currency,
            unit_type: 'CURRENCY',
          },
        }
      : {}),
    ...(fields.length > 0
      ? { credit_party_identifier: Object.fromEntries(fields.map((name) => [name, given[name]])) }
      : {}),
  })
  const isTransaction = exchange.kind === 'answer' && referenceOf(exchange.json) !== null
  return isTransaction ? dtoneOutcome(exchange.json, purchase, null) : dtoneError(exchange)
}

async function find(api: Api, { purchase, supplierId }: LookupRequest): Promise<LookupOutcome> {
  const exchange = await api(
    'GET',
    `/transactions?external_id=${encodeURIComponent(purchase.reference)}&per_page=50&page=1`,
  )
  const list =
    exchange.kind === 'answer' && exchange.status === 200 && Array.isArray(exchange.json)
      ? exchange.json
      : null
  if (!list) return unknown('the transactions could not be listed')
  const own = list.filter((each) => referenceOf(each) === purchase.reference)
  if (own.length > 1) return unknown('two transactions under our reference')
  if (own.length === 1) return dtoneOutcome(own[0], purchase, supplierId)
  if (list.length > 0) return unknown('the list is about something else')
  return supplierId === null
    ? { kind: 'not_found' }
    : unknown('DT One no longer knows what it accepted')
}

async function take(api: Api, request: LookupRequest): Promise<CardsOutcome> {
  const found = await find(api, request)
  return found.kind === 'done' && found.cards
    ? { kind: 'cards', cards: found.cards }
    : { kind: 'unknown', why: `no PIN: ${found.kind}` }
}

async function catalogue(api: Api, cursor: string | null): Promise<CataloguePage> {
  const page = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 1
  const exchange = await api('GET', `/products?per_page=${PER_PAGE}&page=${page}`)
  const list =
    exchange.kind === 'answer' && exchange.status === 200 && Array.isArray(exchange.json)
      ? exchange.json
      : null
  if (!list || exchange.kind !== 'answer')
    throw new SupplyUnavailable('the products could not be read')
  const read = list.map((json: unknown) => {
    const known = readDtoneProduct(json)
    return { name: known?.id ?? '?', product: known ? dtoneProductOf(known) : null }
  })
  const pages = Number(exchange.headers['x-total-pages'] ?? 1)
  return {
    products: read.flatMap(({ product }) => (product ? [product] : [])),
    unread: read.flatMap(({ product, name }) => (product ? [] : [name])),
    next: page < pages ? String(page + 1) : null,
  }
}

const balance = z.array(z.object({ available: z.string(), unit: z.string() }))

async function balances(api: Api): Promise<readonly SupplyBalance[]> {
  const exchange = await api('GET', '/balances')
  const told = balance.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  ).data
  const list = told?.map(({ available, unit }) => roundedMoney(available, unit, 'down'))
  if (!list || list.some((each) => each === null))
    throw new SupplyUnavailable('the balances could not be read')
  return list.flatMap((available) => (available ? [{ available }] : []))
}

/** That callbacks carry the credentials of DT Shop as HTTP Basic, and a transaction as their body, is not verified. */
function readNotice(body: Uint8Array, headers: Headers, credentials: Secret | null): SupplyNotice {
  const expected = credentials && `Basic ${Buffer.from(credentials.reveal()).toString('base64')}`
  if (!expected || !isSameText(expected, headers.get('authorization') ?? ''))
    throw new SupplyRefusal('not with our credentials')
  const told = readJson(Buffer.from(body).toString('utf8'))
  return {
    eventId: fingerprintOf(body),
    kind: 'transaction',
    reference: idOf(referenceOf(told)),
    supplierId: null,
  }
}
