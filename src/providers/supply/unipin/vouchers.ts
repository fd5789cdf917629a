import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import {
  SupplyUnavailable,
  type CardsOutcome,
  type CataloguePage,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyBalance,
  type SupplyCard,
  type SupplyOrder,
  type SupplyPurchase,
} from '../provider.ts'
import { exactMoney, roundedMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { refusedHere, unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import { beforeSending, errorOf, type UnipinVoucherApi } from './api.ts'
import { UNIPIN_VOUCHER_CODES, UNIPIN_VOUCHER_READ_CODES } from './codes.ts'

/** So many of one voucher in one order; the most that they take is not known. */
export const VOUCHERS_MOST = 10

const list = z.object({
  status: z.literal('1'),
  voucher_list: z.array(z.object({ voucher_code: z.string(), voucher_name: z.string().nullish() })),
})
const details = z.object({
  status: z.literal('1'),
  denominations: z.array(
    z.object({
      denomination_code: z.string(),
      denomination_name: z.string(),
      denomination_currency: z.string(),
      denomination_amount: z.string(),
    }),
  ),
})
/** By denomination: a number, or `API` where it is fetched from elsewhere. */
const stockCount = z.record(z.string(), z.string())
type VoucherStock = z.infer<typeof stockCount>
const STOCK_KEPT_MS = 60_000
const order = z.object({
  status: z.literal('1'),
  order: z.string(),
  reference_no: z.string(),
  total_amount: z.string().nullish(),
  currency: z.string().nullish(),
  items: z.array(z.object({ serial_1: z.string().nullish(), serial_2: z.string().nullish() })),
  error: z.unknown().optional(),
})
type Order = z.infer<typeof order>
const balance = z.object({ status: z.literal('1'), balance: z.string() })

const jsonOf = (exchange: Exchange) => (exchange.kind === 'answer' ? exchange.json : null)
const CODE = /^[\w.:-]{1,100}$/

/** A product is `voucher:voucher/denomination`: the price of a denomination is told with its voucher alone. */
function partsOf(product: string) {
  const [, voucher, denomination] = /^voucher:([^/]+)\/([^/]+)$/.exec(product) ?? []
  return voucher && denomination && CODE.test(voucher) && CODE.test(denomination)
    ? { voucher, denomination }
    : null
}

async function prepare(api: UnipinVoucherApi, { product, quantity }: SupplyOrder) {
  const parts = partsOf(product)
  if (!parts) return refusedHere('ours', 'no voucher of UniPin')
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > VOUCHERS_MOST)
    return refusedHere('ours', `not one to ${VOUCHERS_MOST} at a time`)
  const exchange = await api('voucher/details', { voucher_code: parts.voucher }, 'logid')
  const told = details.safeParse(jsonOf(exchange)).data
  if (!told) return errorOf(exchange, UNIPIN_VOUCHER_READ_CODES)
  const known = told.denominations.find(
    ({ denomination_code: code }) => code === parts.denomination,
  )
  if (!known) return refusedHere('stock', 'no such denomination any more')
  // That the amount is what it costs us is not verified.
  const one = exactMoney(known.denomination_amount, known.denomination_currency)
  if (!one) return unknown('a price that is no amount')
  return {
    denomination: parts.denomination,
    cost: { minor: one.minor * BigInt(quantity), currency: one.currency },
  }
}

export async function quoteVouchers(
  api: UnipinVoucherApi,
  asked: SupplyOrder,
): Promise<QuoteOutcome> {
  const ready = await prepare(api, asked)
  return 'kind' in ready ? ready : { kind: 'quote', cost: ready.cost }
}

export async function buyVouchers(
  api: UnipinVoucherApi,
  currency: string,
  purchase: SupplyPurchase,
): Promise<PurchaseOutcome> {
  const ready = await prepare(api, purchase)
  if ('kind' in ready) return beforeSending(ready)
  const { cost, denomination } = ready
  const { maxCost, quantity, reference } = purchase
  if (maxCost && (cost.currency !== maxCost.currency || cost.minor > maxCost.minor))
    return refusedHere('price', 'it costs more than was allowed')
  // The code of a balance that does not suffice is not known: looked at first.
  const held = await readBalances(api, currency).catch(() => [])
  const own = held.find(({ available }) => available.currency === cost.currency)
  if (own && own.available.minor < cost.minor) return refusedHere('ours', 'the balance is too low')
  const exchange = await api(
    'voucher/request',
    { denomination_code: denomination, quantity, reference_no: reference },
    [denomination, quantity, reference],
  )
  return outcomeOf(exchange, purchase, null)
}

export async function findVouchers(
  api: UnipinVoucherApi,
  { purchase, supplierId }: LookupRequest,
): Promise<LookupOutcome> {
  const { reference } = purchase
  const exchange = await api('voucher/inquiry', { reference_no: reference }, [reference])
  const told = outcomeOf(exchange, purchase, supplierId)
  // A code that refuses the question says nothing of the order.
  return told.kind === 'failed' ? unknown(`${told.code}: ${told.text}`) : told
}

export async function takeVouchers(
  api: UnipinVoucherApi,
  request: LookupRequest,
): Promise<CardsOutcome> {
  const found = await findVouchers(api, request)
  return found.kind === 'done' && found.cards
    ? { kind: 'cards', cards: found.cards }
    : { kind: 'unknown', why: `the order is ${found.kind}` }
}

/** Which denomination was bought is not told: our reference is what it is known by. */
function outcomeOf(
  exchange: Exchange,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const told = order.safeParse(jsonOf(exchange)).data
  if (!told) return errorOf(exchange, UNIPIN_VOUCHER_CODES)
  const supplierId = idOf(told.order)
  if (!supplierId) return unknown('an order without a number')
  if (told.error !== undefined && told.error !== null) return unknown('an order with an error')
  if (told.reference_no !== purchase.reference) return unknown("another purchase's reference")
  if (expectedId !== null && supplierId !== expectedId) return unknown('another id than before')
  const cards = cardsOf(told)
  if (cards.length !== purchase.quantity)
    return unknown(`${cards.length} vouchers of ${purchase.quantity}`, supplierId)
  if (!told.total_amount || !told.currency) return { kind: 'done', supplierId, cost: null, cards }
  const cost = roundedMoney(told.total_amount, told.currency, 'up')
  return cost
    ? { kind: 'done', supplierId, cost, cards }
    : unknown('a cost that is no amount', supplierId)
}

/** Of two texts the first is read as the serial number, the second as the PIN; one alone is the code. */
const cardsOf = ({ items }: Order): readonly SupplyCard[] =>
  items.flatMap(({ serial_1: first, serial_2: second }) => {
    const alone = first && second ? null : first || second || null
    if (!second && !alone) return []
    return [
      {
        id: null,
        code: alone ? secret(alone) : null,
        pin: alone || !second ? null : secret(second),
        serial: alone ? null : (first ?? null),
        url: null,
        image: null,
        expiresOn: null,
      },
    ]
  })

/** The call tells no currency. */
export async function readBalances(
  api: UnipinVoucherApi,
  currency: string,
): Promise<readonly SupplyBalance[]> {
  const told = balance.safeParse(jsonOf(await api('voucher/balance', {}, []))).data
  const available = told ? roundedMoney(told.balance, currency, 'down') : null
  if (!available) throw new SupplyUnavailable('the balance could not be read')
  return [{ available }]
}

/** Told of all vouchers at once: the pages of a minute ask for it once. */
export function openVoucherStock(
  api: UnipinVoucherApi,
  now: () => Date,
): () => Promise<VoucherStock> {
  let kept: { readonly until: number; readonly stock: VoucherStock } | null = null
  return async () => {
    const at = now().getTime()
    if (kept && at < kept.until) return kept.stock
    const told = jsonOf(await api('voucher/get_stock_count', {}, 'logid'))
    const stock = stockCount.safeParse(told).data
    kept = stock ? { until: at + STOCK_KEPT_MS, stock } : null
    return stock ?? {}
  }
}

/** A voucher by its place in the list; `next` is the place after it. */
export async function listVouchers(
  api: UnipinVoucherApi,
  stockOf: () => Promise<VoucherStock>,
  at: number,
): Promise<CataloguePage> {
  const vouchers = list.safeParse(jsonOf(await api('voucher/list', {}, 'logid'))).data?.voucher_list
  if (!vouchers) throw new SupplyUnavailable('the vouchers could not be listed')
  const voucher = vouchers[at]
  if (!voucher) return { products: [], unread: [], next: null }
  const { voucher_code: code, voucher_name: name } = voucher
  const next = at + 1 < vouchers.length ? String(at + 1) : null
  const told = details.safeParse(
    jsonOf(await api('voucher/details', { voucher_code: code }, 'logid')),
  ).data
  if (!told) return { products: [], unread: [code], next }
  const stock = await stockOf()
  const products = told.denominations.map((each) => {
    const left = /^\d{1,9}$/.exec(stock[each.denomination_code] ?? '')?.[0]
    return {
      id: `voucher:${code}/${each.denomination_code}`,
      kind: 'voucher' as const,
      name: each.denomination_name,
      brand: name ?? code,
      country: null,
      faces: {
        kind: 'single' as const,
        face: null,
        cost: exactMoney(each.denomination_amount, each.denomination_currency),
      },
      fields: [],
      stock: left === undefined ? null : Number(left),
    }
  })
  return {
    products: products.filter(({ id }) => partsOf(id)),
    unread: products.flatMap(({ id }) => (partsOf(id) ? [] : [id])),
    next,
  }
}
