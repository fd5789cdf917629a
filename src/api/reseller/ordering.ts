import {
  placeOrder,
  priceGoods,
  type AccountOfLine,
  type Checkout,
} from '#features/buying/checkout/commands.ts'
import { judgeAccounts } from '#features/supply/account-check/flows.ts'
import { goodsTotal, type PricedLine } from '#features/buying/order/rules.ts'
import { cancelUnpaid, payOrder } from '#features/buying/payment/flows.ts'
import { usdMinorOf } from '#features/goods/currency/rules.ts'
import { STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, isAppError, type ErrorCode } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  abandonOld,
  claimReference,
  hashOf,
  refuseReference,
  tieOrder,
} from '#features/buying/reseller/commands.ts'
import {
  findReferenced,
  listReferenced,
  type OrderPage,
  type ReferencedOrder,
} from '#features/buying/reseller/queries.ts'
import {
  isProgram,
  mayFollow,
  UNPAID_AT_ONCE,
  type ResellerKey,
  type WantedGoods,
} from '#features/buying/reseller/rules.ts'
import type { BrowsingCaller, ResellerCaller } from './call.ts'

/** What ordering in the name of a key may use. */
export type Selling = Pick<ResellerCaller, 'shop' | 'key' | 'visitor' | 'services'>
/** What pricing goods for whoever has a key may use. */
type Pricing = Pick<BrowsingCaller, 'shop' | 'key' | 'visitor' | 'services'>

const checkoutOf = (
  ctx: Ctx,
  { shop, key, visitor, services }: Pricing,
  { currency, reference }: WantedGoods,
) =>
  ({
    shop,
    person: { accountId: key.accountId, roleId: key.roleId },
    visitor,
    chosenCountry: null,
    language: 'en',
    currency,
    // No person can send such a key of their own.
    idempotencyKey: `reseller\0${reference}`,
    isForm: false,
    unpaid: { atOnce: UNPAID_AT_ONCE },
    judgeAccounts: async (lines: readonly AccountOfLine[]) =>
      (await judgeAccounts(ctx, services.checkAccount, lines)).problems,
  }) satisfies Checkout

export interface PricedGoods {
  readonly lines: readonly PricedLine[]
  readonly amountMinor: bigint
  /** In US cents. */
  readonly usdMinor: bigint
}

/**
 * Prices goods as an order of them would cost now, at the level of the key's account. What a price list shows comes from the same chain.
 * Throws what is wrong at each line, and 'price_changed' above what is allowed.
 */
export async function priceFor(
  ctx: Ctx,
  pricing: Pricing,
  wanted: WantedGoods,
): Promise<PricedGoods> {
  const { lines } = await priceGoods(ctx, checkoutOf(ctx, pricing, wanted), wanted.lines)
  const amountMinor = goodsTotal(lines)
  if (wanted.maxMinor !== null && amountMinor > wanted.maxMinor) throw new AppError('price_changed')
  const usdMinor = usdMinorOf(
    { minor: amountMinor, currency: wanted.currency.code },
    pricing.shop.currencies,
  )
  if (usdMinor === null) throw new AppError('currency_unavailable')
  return { lines, amountMinor, usdMinor }
}

/**
 * Orders and pays from store credit, once for each reference, however often it is asked and wherever it is cut off: the reference is
 * committed first, the order tied to it before it is paid. Asked again it goes on where it stands. What the key is allowed stands for the
 * proof of a person, its contract for their consent. Throws what is wrong with the goods, 'over_limit', 'conflict' for a reference that
 * stands for something else, and the refusal of an order that came to nothing, each time.
 */
export async function orderByReference(
  ctx: Ctx,
  selling: Selling,
  wanted: WantedGoods,
): Promise<ReferencedOrder> {
  const { key } = selling
  const known = await findReferenced(ctx.db, key.accountId, wanted)
  if (known) return goOn(ctx, selling, wanted, known)
  const { amountMinor, usdMinor } = await priceFor(ctx, selling, wanted)
  const id = await claimReference(ctx, key, { ...wanted, amountMinor, usdMinor })
  if (id === null) {
    const other = present(await findReferenced(ctx.db, key.accountId, wanted), 'the reference')
    return goOn(ctx, selling, wanted, other)
  }
  return finish(ctx, selling, { wanted, id, totalMax: amountMinor })
}

/** A reference that was used before. */
async function goOn(
  ctx: Ctx,
  selling: Selling,
  wanted: WantedGoods,
  known: ReferencedOrder,
): Promise<ReferencedOrder> {
  if (!mayFollow(selling.key, known) || !known.requestHash.equals(hashOf(wanted)))
    throw new AppError('conflict')
  if (known.state === 'refused') throw new AppError((known.refusal ?? 'conflict') as ErrorCode)
  // Another call is ordering it; one that died is given up where it is asked about.
  if (known.state === 'open') throw new AppError('still_running')
  const { order } = known
  if (order && order.status === 'pending_payment')
    return payAndTell(ctx, selling, wanted, known.id, order.publicId)
  return known
}

interface Claimed {
  readonly wanted: WantedGoods
  readonly id: string
  /** What limits and whoever agreed know of: prices may have risen since. */
  readonly totalMax: bigint
}

async function finish(
  ctx: Ctx,
  selling: Selling,
  { wanted, id, totalMax }: Claimed,
): Promise<ReferencedOrder> {
  const { publicId } = await refusing(ctx, id, () =>
    placeOrder(ctx, { ...checkoutOf(ctx, selling, wanted), totalMax }, { lines: wanted.lines }),
  )
  if (!(await tieOrder(ctx, id, publicId))) {
    await cancelUnpaid(ctx, selling.services.payments, selling.key.accountId, publicId)
    throw new AppError('still_running')
  }
  return payAndTell(ctx, selling, wanted, id, publicId)
}

async function payAndTell(
  ctx: Ctx,
  selling: Selling,
  wanted: WantedGoods,
  id: string,
  order: string,
): Promise<ReferencedOrder> {
  const { key, services, shop } = selling
  const method = shop.payMethods.find(({ provider }) => provider === STORE_CREDIT)?.code ?? ''
  try {
    await payOrder(ctx, services.payments, shop, { order, accountId: key.accountId, method })
  } catch (error) {
    if (!isAppError(error)) throw error
    await giveUp(ctx, selling, id, order, error)
  }
  return present(await findReferenced(ctx.db, key.accountId, wanted), 'the reference')
}

/** What cannot be paid is cancelled at once and said to be over; where money is on its way the order stays, and tells how it ends. */
async function giveUp(
  ctx: Ctx,
  { services, key }: Selling,
  id: string,
  order: string,
  cause: AppError,
): Promise<void> {
  try {
    await cancelUnpaid(ctx, services.payments, key.accountId, order)
  } catch (error) {
    if (isAppError(error)) return
    throw error
  }
  const refusal = cause.code === 'check_fields' ? 'payment_unavailable' : cause.code
  await refuseReference(ctx, id, refusal)
  throw new AppError(refusal, {}, { data: cause.data, cause })
}

/** A refusal before there is an order ends its reference. */
async function refusing<T>(ctx: Ctx, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error)) await refuseReference(ctx, id, error.code)
    throw error
  }
}

/** How an order stands, by reference or id; one that somebody began and did not go on with is given up. Null where there is none. */
export async function statusOf(
  ctx: Ctx,
  accountId: string,
  by: Parameters<typeof findReferenced>[2],
): Promise<ReferencedOrder | null> {
  const found = await findReferenced(ctx.db, accountId, by)
  return found && settled(ctx, found)
}

/** A page of what a key is told of, each as it stands. */
export async function ordersOf(
  ctx: Ctx,
  key: ResellerKey,
  page: OrderPage,
): Promise<ReferencedOrder[]> {
  const { accountId, id } = key
  const found = await listReferenced(ctx.db, { accountId, keyId: isProgram(key) ? id : null }, page)
  const orders: ReferencedOrder[] = []
  for (const each of found) orders.push(await settled(ctx, each))
  return orders
}

const settled = async (ctx: Ctx, found: ReferencedOrder): Promise<ReferencedOrder> =>
  (await abandonOld(ctx, found)) ? { ...found, state: 'refused', refusal: 'still_running' } : found
