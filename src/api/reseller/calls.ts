import { z } from 'zod'
import { listCredit } from '#features/buying/transaction/queries.ts'
import { openKeys } from '#features/buying/reseller/flows.ts'
import type { OrderPage, ReferencedOrder } from '#features/buying/reseller/queries.ts'
import {
  isProgram,
  mayFollow,
  ORDERS_MAX,
  PAGE_MAX,
  STOCK_MAX,
  type SoldKey,
  type WantedGoods,
} from '#features/buying/reseller/rules.ts'
import {
  balanceShape,
  cataloguePageShape,
  catalogueQuery,
  currencyCode,
  keysShape,
  orderBody,
  orderShape,
  ordersQuery,
  ordersShape,
  quoteBody,
  quoteShape,
  stockQuery,
  stockShape,
  whichOrder,
} from '#features/buying/reseller/schema.ts'
import { amountOf, listPage, orderView, pricesAt } from '#features/buying/reseller/views.ts'
import { findItem } from '#features/buying/offer/queries.ts'
import { AppError, fieldError, type ErrorCode } from '#kernel/error.ts'
import { parseMajor, toMajor } from '#kernel/money.ts'
import { checkedAccount, checkedShape } from '../calls/account.ts'
import { accountFieldsShape, minorOf, wantedLineShape } from '../calls/order-create.ts'
import { REFUSALS } from '../envelope.ts'
import { resellerCall, type BrowsingCaller, type ResellerCaller } from './call.ts'
import { orderByReference, ordersOf, priceFor, statusOf } from './ordering.ts'

const REFERENCE = '2f1c9b1e-5f0e-4a56-9a34-7a0a7f3c1b77'
const LINES = [{ item: 'card:steam:us:20', quantity: 1 }]

const listViewOf = ({ shop, language, currency, t, key }: BrowsingCaller) => ({
  shop,
  language,
  currency,
  t,
  roleId: key.roleId,
})

const catalogue = resellerCall({
  path: 'reseller/catalogue',
  method: 'GET',
  scope: 'browse',
  summary: 'The price list of your level',
  description:
    'In pages by code, in the currency of the call. Take the whole once, then what has changed since `as_of`; what is no longer sold is not in it, and `reseller/stock` says so.',
  body: catalogueQuery,
  data: cataloguePageShape,
  example: { limit: PAGE_MAX },
  async answer(caller: BrowsingCaller, { cursor, limit, updated_since: since }) {
    // Pages are of what this process has in memory, which may be seconds behind: what it has not seen yet is told next time.
    const [now, seen] = [caller.ctx.now(), caller.shop.pricing.at]
    const asOf = seen < now ? seen : now
    const page = await listPage(caller.ctx.db, listViewOf(caller), {
      cursor: cursor ?? null,
      limit: limit ?? PAGE_MAX,
      since: since === undefined ? null : new Date(since),
    })
    return { ...page, as_of: asOf.toISOString() }
  },
})

const stock = resellerCall({
  path: 'reseller/stock',
  method: 'GET',
  scope: 'browse',
  summary: 'Stock and price of some items',
  description: 'As they are now, in the order asked for.',
  body: stockQuery,
  data: stockShape,
  example: { items: 'card:steam:us:20' },
  async answer(caller: BrowsingCaller, { items }) {
    const codes = [...new Set(items.split(',').map((code) => code.trim()))]
    if (codes.length > STOCK_MAX) throw fieldError('items', 'too_many', { max: STOCK_MAX })
    const offers = await pricesAt(caller.ctx.db, listViewOf(caller), codes)
    return codes.map((item) => {
      const offer = offers.get(item)
      return {
        item,
        on_sale: Boolean(offer?.priceMinor),
        stock: offer?.item.stock ?? null,
        price: offer?.priceMinor ? moneyOf(caller, offer.priceMinor) : null,
      }
    })
  },
})

const quote = resellerCall({
  path: 'reseller/quote',
  method: 'POST',
  scope: 'browse',
  summary: 'What an order would cost now',
  description: 'Checks goods, account fields and stock as an order would, and makes none.',
  body: quoteBody,
  data: quoteShape,
  example: { lines: LINES },
  async answer(caller: BrowsingCaller, body) {
    const wanted = wantedOf(caller, 'quote', body.lines, undefined)
    const priced = await priceFor(caller.ctx, caller, wanted)
    return {
      lines: wanted.lines.map(({ item, quantity }, index) => ({
        item,
        quantity,
        ...amountOf(priced.lines[index]?.amount ?? null),
        price: moneyOf(caller, priced.lines[index]?.priceMinor ?? 0n),
      })),
      total: moneyOf(caller, priced.amountMinor),
    }
  },
})

const account = resellerCall({
  path: 'reseller/account_validate',
  method: 'POST',
  scope: 'browse',
  summary: 'Ask whether an account can be credited',
  description:
    'As account/validate: the supplier of the item is asked, and waited for at most five seconds; its answer is remembered for minutes. Of goods that are sold at any amount, say `amount` as an order would. An order asks the same.',
  body: z.strictObject({
    item: wantedLineShape.shape.item,
    fields: accountFieldsShape,
    amount: wantedLineShape.shape.amount,
    amount_currency: currencyCode.optional(),
  }),
  data: checkedShape,
  example: { item: 'game:mobile-legends:global:50-plus-5', fields: { user_id: '81234567' } },
  answer: (caller: BrowsingCaller, { amount_currency: meant, ...asked }) => {
    if (meant !== undefined && findItem(caller.shop, asked.item)?.product.faceCurrency !== meant)
      throw fieldError('amount_currency', 'not_allowed')
    return checkedAccount(caller, asked, caller.language)
  },
})

export const order = resellerCall({
  path: 'reseller/order',
  method: 'POST',
  scope: 'order',
  summary: 'Order and pay from your balance',
  description: [
    'Makes the order and pays it from your store credit, in the currency of the call, all in one. A key with the scope `agent` orders by `/mcp` alone. A reference buys once: sent again with the same goods it tells how the order stands, with others it is refused with 409.',
    'A refusal (2420 your balance is too small, 2421 or a fault at `lines.N.quantity` there is not enough, 2422 something is wrong with a line, 2435 it costs more than `max_total`, 2441 it is above what your key may order) means that nothing was bought, and sent again under the same reference it says the same where it had got so far as to be noted.',
    'With an answer that does not come ask `reseller/order_status`; five minutes after it was sent, a reference that is not known there never will be.',
  ].join(' '),
  body: orderBody,
  data: orderShape,
  example: { reference: REFERENCE, lines: LINES, max_total: '19.00' },
  async answer(caller: ResellerCaller, body) {
    // One secret signs and bears: what waits for a person there is not to be had past them here.
    if (isProgram(caller.key)) throw new AppError('forbidden')
    const wanted = wantedOf(caller, body.reference, body.lines, body.max_total)
    return viewOf(caller, await orderByReference(caller.ctx, caller, wanted))
  },
})

export const status = resellerCall({
  path: 'reseller/order_status',
  method: 'GET',
  scope: 'order',
  summary: 'How an order stands',
  description: 'By your reference or by the shop’s id; never buys anything.',
  body: z.object(whichOrder),
  data: orderShape,
  example: { reference: REFERENCE },
  answer: async (caller: ResellerCaller, body) => viewOf(caller, await found(caller, body)),
})

export const orders = resellerCall({
  path: 'reseller/orders',
  method: 'GET',
  scope: 'order',
  summary: 'Your orders of a while',
  description:
    'By when they were asked for, oldest first, in pages, whichever key of yours made them (a key with the scope `agent` is told of its own): to compare your books with, once a day. Each is told as `reseller/order_status` tells it.',
  body: ordersQuery,
  data: ordersShape,
  example: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
  answer: (caller: ResellerCaller, body) =>
    ordersPage(caller, body, (page) => ordersOf(caller.ctx, caller.key, page)),
})

/** A page of orders, and whether there are more. */
export async function ordersPage(
  caller: Pick<BrowsingCaller, 'shop'>,
  { from, to, cursor, limit }: z.output<typeof ordersQuery>,
  list: (page: OrderPage) => Promise<readonly ReferencedOrder[]>,
): Promise<z.input<typeof ordersShape>> {
  const most = limit ?? ORDERS_MAX
  const found = await list({
    from: new Date(from),
    to: new Date(to),
    after: cursor ?? null,
    limit: most + 1,
  })
  const told = found.slice(0, most)
  return {
    orders: told.map((each) => ({
      ...viewOf(caller, each),
      created: each.createdAt.toISOString(),
    })),
    next: found.length > most ? (told.at(-1)?.reference ?? null) : null,
  }
}

export const keys = resellerCall({
  path: 'reseller/keys',
  method: 'POST',
  scope: 'reveal',
  summary: 'The codes of what was delivered',
  description:
    'Each look is written down, and what has been looked at is not taken back. Empty while nothing is delivered, and for goods that are credited to an account.',
  body: z.strictObject(whichOrder),
  data: keysShape,
  example: { reference: REFERENCE },
  async answer(caller: ResellerCaller, body) {
    const { reference, order: sold } = await found(caller, body)
    if (!sold) throw new AppError('not_delivered')
    const opened = await openKeys(caller.ctx, caller.services.vault, caller.key, {
      order: sold.publicId,
      network: caller.visitor.network,
    })
    return {
      reference,
      order: sold.publicId,
      units: opened.map(unitView),
    }
  },
})

export const balance = resellerCall({
  path: 'reseller/balance',
  method: 'GET',
  scope: 'browse',
  summary: 'What you have to spend',
  description: 'Store credit by currency, without what is held back.',
  body: z.object({}),
  data: balanceShape,
  example: {},
  async answer({ ctx, key, shop }: ResellerCaller) {
    const credit = await listCredit(ctx.db, key.accountId)
    return credit.map(({ currency, minor, frozenMinor }) => {
      const free = minor - frozenMinor
      const digits = shop.currencyByCode.get(currency)?.minorUnits ?? 2
      return { amount: toMajor(free > 0n ? free : 0n, digits), currency }
    })
  },
})

export const unitView = ({ unit, item, parts, expiresOn }: SoldKey) => ({
  id: unit,
  item,
  parts: { ...parts },
  expires_on: expiresOn,
})

/** What a test key is answered as any other is. */
export const BROWSING_CALLS = [catalogue, stock, quote, account] as const

/** Every call that is signed with a key. */
export const RESELLER_CALLS = [...BROWSING_CALLS, order, status, orders, keys, balance] as const

const moneyOf = ({ currency }: BrowsingCaller, minor: bigint) => ({
  amount: toMajor(minor, currency.minorUnits),
  currency: currency.code,
})

export function viewOf({ shop }: Pick<BrowsingCaller, 'shop'>, of: ReferencedOrder) {
  const digits = shop.currencyByCode.get(of.currency)?.minorUnits ?? 2
  return orderView(of, digits, (refusal) => REFUSALS[refusal as ErrorCode]?.code ?? 500)
}

/** Throws 'check_fields' for an amount that is meant in another currency than the goods' face. */
export function wantedOf(
  { currency, shop }: Pick<BrowsingCaller, 'currency' | 'shop'>,
  reference: string,
  lines: readonly {
    readonly item: string
    readonly quantity: number
    readonly fields?: Readonly<Record<string, string>> | undefined
    readonly amount?: number | undefined
    readonly amount_currency?: string | undefined
  }[],
  most: string | undefined,
): WantedGoods {
  const maxMinor = most === undefined ? null : parseMajor(most, currency.minorUnits)
  if (most !== undefined && maxMinor === null) throw fieldError('max_total', 'wrong_type')
  const other = lines.findIndex(
    ({ item, amount_currency: meant }) =>
      meant !== undefined && findItem(shop, item)?.product.faceCurrency !== meant,
  )
  if (other >= 0)
    throw new AppError(
      'check_fields',
      {},
      { fields: [{ field: `lines.${other}.amount_currency`, reason: 'not_allowed' }] },
    )
  return {
    reference,
    currency,
    maxMinor,
    lines: lines.map(({ item, quantity, fields, amount }) => ({
      item,
      quantity,
      fields: fields ?? {},
      amountMinor: minorOf(amount),
    })),
  }
}

interface WhichOrder {
  readonly reference?: string | undefined
  readonly order?: string | undefined
}

/** What an order is asked for by. */
export function whichOf({ reference, order }: WhichOrder) {
  if (reference !== undefined) return { reference }
  if (order === undefined) throw fieldError('reference', 'required')
  return { order }
}

/** Throws 'not_found'. */
export async function found(
  { ctx, key }: Pick<ResellerCaller, 'ctx' | 'key'>,
  which: WhichOrder,
): Promise<ReferencedOrder> {
  const known = await statusOf(ctx, key.accountId, whichOf(which))
  if (!known || !mayFollow(key, known)) throw new AppError('not_found')
  return known
}
