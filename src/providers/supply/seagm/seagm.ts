import { z } from 'zod'
import {
  SupplyUnavailable,
  type CataloguePage,
  type QuoteOutcome,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyField,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
} from '../provider.ts'
import { exactMoney, roundedMoney } from '../wire/amounts.ts'
import { refusedHere } from '../wire/outcome.ts'
import { areCards, dataOf, errorOf, openSeagmApi, type SeagmApi, type SeagmOptions } from './api.ts'
import { readSeagmNotice } from './notice.ts'
import { buy, find, take } from './orders.ts'

export const SEAGM_TIMEOUT_MS = 60_000

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup', 'recharge', 'data', 'giftcard', 'voucher', 'key'],
  // Whether a reference used twice is refused is not verified.
  idempotency: 'lookup',
  notFoundIsFinalAfterSeconds: 900,
  lookupMayBuyAfterSeconds: null,
  // There is no call for it: an account that is wrong shows when the order fails.
  checksAccounts: false,
  sendsNotices: true,
  enforcesMaxCost: false,
  needsBuyerAddress: false,
  maxQuantity: 10,
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (3 * SEAGM_TIMEOUT_MS) / 1_000,
}

const field = z.object({
  name: z.string(),
  type: z.string().nullish(),
  required: z.boolean().nullish(),
  options: z.array(z.object({ value: z.string(), label: z.string().nullish() })).nullish(),
})
const type = z.object({
  id: z.string(),
  name: z.string(),
  category_name: z.string().nullish(),
  unit_price: z.string().nullish(),
  currency: z.string().nullish(),
  stock: z.string().nullish(),
  fields: z.array(field).nullish(),
})
type Type = z.infer<typeof type>
const category = z.object({ id: z.string(), name: z.string().nullish() })
const account = z.object({ balance: z.string(), currency: z.string() })

/** Game top-ups, recharges and cards. The paths of cards are by analogy with those of recharges, and not verified. */
export function createSeagmSupplier(options: SeagmOptions): SupplyProvider {
  const api = openSeagmApi(options)
  const { now } = options
  const ready = (order: SupplyOrder) => prepare(api, order, now)
  return {
    code: 'seagm',
    capabilities: CAPABILITIES,
    catalogue: (cursor) => catalogue(api, cursor),
    async quote(order): Promise<QuoteOutcome> {
      const known = await ready(order)
      return 'kind' in known ? known : { kind: 'quote', cost: known.cost }
    },
    validateAccount: async () => ({ kind: 'unchecked', why: 'SEAGM checks no accounts' }),
    async purchase(purchase) {
      const known = await ready(purchase)
      if ('kind' in known)
        return known.kind === 'unknown' ? refusedHere('supplier', known.why) : known
      const { cost } = known
      if (
        purchase.maxCost &&
        (cost.currency !== purchase.maxCost.currency || cost.minor > purchase.maxCost.minor)
      )
        return refusedHere('price', 'it costs more than was allowed')
      // An order that the balance does not cover gets a code that is not published: looked at first.
      const held = await balances(api).catch(() => [])
      const own = held.find(({ available }) => available.currency === cost.currency)
      if (own && own.available.minor < cost.minor)
        return refusedHere('ours', 'the balance is too low')
      return buy(api, purchase, now)
    },
    lookup: (request) => find(api, request),
    cards: (request) => take(api, request),
    balances: () => balances(api),
    readNotice: async (body, _headers, at) => readSeagmNotice(body, at, options.secret),
    noticeAnswer: { status: 200, body: 'success' },
  }
}

const SINGLE_ID = /^[\w:.-]{1,120}$/

async function prepare(api: SeagmApi, order: SupplyOrder, now: () => Date) {
  if (!SINGLE_ID.test(order.product)) return refusedHere('ours', 'no product of SEAGM')
  const stem = areCards(order) ? 'card' : 'recharge'
  const exchange = await api('GET', `/v1/${stem}-types/${encodeURIComponent(order.product)}`)
  const known = type.safeParse(dataOf(exchange)).data
  if (!known || known.id !== order.product) return errorOf(exchange, now())
  const missing = (known.fields ?? []).find(
    ({ name, required }) => required !== false && !order.fields[name],
  )
  if (missing) return refusedHere('customer', `no ${missing.name}`)
  if (known.stock === '0') return refusedHere('stock', 'sold out')
  const one = exactMoney(known.unit_price ?? '', known.currency ?? '')
  if (!one) return { kind: 'unknown', why: 'the product tells no price' } as const
  return { cost: { minor: one.minor * BigInt(order.quantity), currency: one.currency } }
}

/** One category after the other; the cursor is `recharge:3`, the place of the category in its list. */
async function catalogue(api: SeagmApi, cursor: string | null): Promise<CataloguePage> {
  const [, stem = 'recharge', at = '0'] = /^(recharge|card):(\d{1,6})$/.exec(cursor ?? '') ?? []
  const categories = z
    .array(category)
    .safeParse(dataOf(await api('GET', `/v1/${stem}-categories`))).data
  if (!categories) throw new SupplyUnavailable('the categories could not be read')
  const chosen = categories[Number(at)]
  const types = chosen
    ? z
        .array(z.unknown())
        .safeParse(
          dataOf(
            await api(
              'GET',
              `/v1/${stem}-categories/${encodeURIComponent(chosen.id)}/${stem}-types`,
            ),
          ),
        ).data
    : []
  if (!types) throw new SupplyUnavailable('a category could not be read')
  const read = types.map((json) => type.safeParse(json).data ?? null)
  const isLast = Number(at) + 1 >= categories.length
  return {
    products: read.flatMap((known) =>
      known ? [productOf(known, stem, chosen?.name ?? null)] : [],
    ),
    unread: read.flatMap((known) => (known ? [] : ['?'])),
    next: isLast ? (stem === 'recharge' ? 'card:0' : null) : `${stem}:${Number(at) + 1}`,
  }
}

function productOf(known: Type, stem: string, brand: string | null): SupplyProduct {
  const cost = exactMoney(known.unit_price ?? '', known.currency ?? '')
  const stock = /^\d{1,9}$/.exec(known.stock ?? '')?.[0]
  return {
    id: known.id,
    kind: stem === 'card' ? 'giftcard' : 'topup',
    name: known.name,
    brand: known.category_name ?? brand,
    country: null,
    faces: { kind: 'single', face: null, cost },
    fields: (known.fields ?? []).map(fieldOf),
    stock: stock === undefined ? null : Number(stock),
  }
}

function fieldOf({ name, type: given, required, options }: z.infer<typeof field>): SupplyField {
  return {
    name,
    type: given === 'select' || given === 'number' ? given : name === 'phone' ? 'phone' : 'text',
    isRequired: required !== false,
    options: (options ?? []).map(({ value, label }) => ({ value, label: label ?? value })),
  }
}

async function balances(api: SeagmApi): Promise<readonly SupplyBalance[]> {
  const told = account.safeParse(dataOf(await api('GET', '/v1/me'))).data
  const available = told ? roundedMoney(told.balance, told.currency, 'down') : null
  if (!available) throw new SupplyUnavailable('the balance could not be read')
  return [{ available }]
}
