import { goodsName, wholeLabel } from '#features/goods/browse/view/names.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { readStoredCart } from '#features/buying/cart/queries.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import {
  assertSellable,
  convertMinor,
  shownDigits,
  US_DOLLAR,
  type Currency,
} from '#features/goods/currency/rules.ts'
import { storedSteps } from '#features/goods/price/rules.ts'
import { taxOfLines, taxOfUnit } from '#features/goods/tax/rules.ts'
import {
  amountProblem,
  buyerFrom,
  findBuyer,
  listOffers,
  offersAt,
  readFields,
  type Buyer,
} from '#features/buying/offer/queries.ts'
import { isSoldIn, offerKey, quantityLimit, type Offer } from '#features/buying/offer/rules.ts'
import { createOrder } from '#features/buying/order/commands.ts'
import {
  goodsTotal,
  LINES_MAX,
  type PricedLine,
  type Purchase,
  type UnpaidLimits,
} from '#features/buying/order/rules.ts'
import type { Person } from '#features/people/session/rules.ts'
import { AppError, fieldError, type FieldProblem } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { parseMajor, toMajor } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { sha256 } from '#platform/secrets.ts'
import { findByRequestKey, findNewFromCart, termsVersion } from './queries.ts'
import { assertBase, assertOpen } from './write/guards.ts'
import { refuseAccounts, type JudgeAccounts } from './write/accounts.ts'
import { pricingOf, type PlacedOrder, type WantedLine } from './rules.ts'
import { refuseRisen } from './write/risen.ts'

export type { AccountOfLine } from './write/accounts.ts'

/** Who buys, where from, and how the order is to be written. */
export interface Checkout {
  readonly shop: ShopSnapshot
  readonly person: Pick<Person, 'accountId' | 'roleId'>
  readonly visitor: Visitor
  /** The country the visitor chose for the shop. */
  readonly chosenCountry: string | null
  readonly language: LanguageCode
  readonly currency: Currency
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey: string | null
  /** A form of a page that is the same for everyone can hold no key: the same pressed again a moment later means the same order. */
  readonly isForm: boolean
  /** Of whoever buys by a contract, in place of a shopper's. */
  readonly unpaid?: UnpaidLimits
  /** What the goods may cost together, where somebody agreed to that much. */
  readonly totalMax?: bigint
  /** Asks whoever credits them about the accounts of lines, and tells what is wrong with them; left out where nobody is asked. */
  readonly judgeAccounts?: JudgeAccounts
}

/** Goods by name, or the cart: the lines of these public ids, null for all of it. */
export type Goods =
  | { readonly lines: readonly WantedLine[] }
  | { readonly cart: readonly string[] | null }

/** A line to price, and how it is named in refusals. */
interface Asked extends WantedLine {
  readonly at: string
}

const JUST_NOW_MS = 60_000

/**
 * Makes an order at the prices of now. Lines of the cart leave it with the order, or nothing happens; they come back where it ends unpaid. Sent again, under the same
 * key or while the same lines of the cart are ordered already, it gives the same order.
 * Throws what is wrong at each line ('check_fields', 'not_sold_here'), 'price_changed' where a line of the cart costs more than was
 * shown (shown now) or everything more than `totalMax`, 'nothing_to_buy', 'currency_unavailable', 'too_many_unpaid', 'not_found' for lines that are not theirs.
 */
export async function placeOrder(ctx: Ctx, checkout: Checkout, goods: Goods): Promise<PlacedOrder> {
  const { idempotencyKey } = checkout
  const key = idempotencyKey === null ? null : `key:${sha256(idempotencyKey).toString('base64url')}`
  if ('cart' in goods) return placeFromCart(ctx, checkout, goods.cart, key)
  const priced = await priceGoods(ctx, checkout, goods.lines)
  const { totalMax } = checkout
  if (totalMax !== undefined && goodsTotal(priced.lines) > totalMax)
    throw new AppError('price_changed')
  return createOrder(ctx, purchaseOf(checkout, priced), key ?? `new:${ctx.newId()}`, {
    sameSince: pressedSince(ctx, checkout),
    unpaid: checkout.unpaid,
  })
}

/** Lines at the prices of now, without ordering them. Throws as `placeOrder` does. */
export async function priceGoods(
  ctx: Ctx,
  checkout: Checkout,
  lines: readonly WantedLine[],
): Promise<Priced> {
  const asked = lines.map((line, index) => ({ ...line, at: `lines.${index}` }))
  const ground = await readGround(ctx, checkout, asked)
  const priced = priceLines(ctx, checkout, asked, ground)
  await refuseAccounts(checkout.judgeAccounts, asked, priced.lines, ground.offers)
  return priced
}

/** Since when the same goods, ordered again by a form, are one press too many. */
function pressedSince(ctx: Ctx, { isForm, idempotencyKey }: Checkout): Date | undefined {
  return isForm && idempotencyKey === null ? new Date(ctx.now().getTime() - JUST_NOW_MS) : undefined
}

async function placeFromCart(
  ctx: Ctx,
  checkout: Checkout,
  select: readonly string[] | null,
  key: string | null,
): Promise<PlacedOrder> {
  const { accountId } = checkout.person
  const requestKey = key ?? (select === null ? null : cartKey(select))
  const made = requestKey === null ? null : await findByRequestKey(ctx.db, accountId, requestKey)
  if (made) return made
  const { shop, person, chosenCountry } = checkout
  const { lines, terms, billingCountry } = await readStoredCart(ctx.db, accountId, person.roleId)
  const chosen = select === null ? lines : lines.filter(({ publicId }) => select.includes(publicId))
  const isGone = chosen.length < new Set(select ?? ['']).size
  // The same, sent a moment before, took them between the two looks.
  const other =
    isGone && requestKey !== null ? await findByRequestKey(ctx.db, accountId, requestKey) : null
  if (other) return other
  if (chosen.length === 0) throw await nothingToBuy(ctx, accountId)
  if (select !== null && chosen.length < new Set(select).size) throw new AppError('not_found')
  if (chosen.length > LINES_MAX) throw new AppError('cart_full', { max: LINES_MAX, held: 'no' })
  const asked = chosen.map(({ itemCode, amountMinor, quantity, fields, publicId }) => ({
    item: itemCode,
    amountMinor,
    quantity,
    fields,
    at: `lines.${publicId}`,
  }))
  const ground = {
    offers: offersAt({ ...checkout, roleId: person.roleId }, asked, terms),
    buyer: buyerFrom(shop, billingCountry, chosenCountry),
  }
  const priced = priceLines(ctx, checkout, asked, ground)
  await refuseRisen(ctx, checkout, chosen, priced.lines)
  await refuseAccounts(checkout.judgeAccounts, asked, priced.lines, ground.offers)
  return createOrder(
    ctx,
    purchaseOf(checkout, priced),
    requestKey ?? cartKey(chosen.map(({ publicId }) => publicId)),
    { cart: chosen.map(({ id, quantity }) => ({ id, quantity })) },
  )
}

/** Lines are ordered once, and come back under other names: theirs are a request key that holds for ever. */
function cartKey(publicIds: readonly string[]): string {
  return `cart:${sha256([...new Set(publicIds)].toSorted().join()).toString('base64url')}`
}

/** A second press finds the cart bought: it hears of the order that was made. */
async function nothingToBuy(ctx: Ctx, accountId: string): Promise<AppError> {
  const made = await findNewFromCart(ctx.db, accountId, new Date(ctx.now().getTime() - JUST_NOW_MS))
  return new AppError(
    'nothing_to_buy',
    {},
    { data: made && { order: made.publicId, order_no: made.number } },
  )
}

/** What prices of now are worked out from. */
interface Ground {
  readonly offers: ReadonlyMap<string, Offer>
  readonly buyer: Buyer
}

async function readGround(
  ctx: Ctx,
  { shop, person, currency, chosenCountry }: Checkout,
  asked: readonly Asked[],
): Promise<Ground> {
  const [offers, buyer] = await Promise.all([
    listOffers(ctx.db, { shop, currency, roleId: person.roleId }, asked),
    findBuyer(ctx.db, shop, person.accountId, chosenCountry),
  ])
  return { offers, buyer }
}

/** Lines at the prices of now, and what else the order of them depends on. */
export interface Priced {
  readonly lines: readonly PricedLine[]
  readonly buyer: Buyer
}

function priceLines(
  ctx: Ctx,
  { shop, currency, language }: Checkout,
  asked: readonly Asked[],
  { offers, buyer }: Ground,
): Priced {
  assertOpen(shop)
  assertSellable(currency, ctx.now())
  const taken = new Map<string, number>()
  const problems: FieldProblem[] = []
  const lines: PricedLine[] = []
  for (const line of asked) {
    const offer = offers.get(offerKey(line)) ?? null
    const before = offer ? (taken.get(offer.item.id) ?? 0) : 0
    const found = problemsOf({ shop, language }, line, offer, buyer, before)
    problems.push(...found)
    if (!offer || found.length > 0) continue
    taken.set(offer.item.id, before + line.quantity)
    const tax = taxOfUnit(shop.taxes, {
      product: offer.product.code,
      country: buyer.country?.code ?? null,
      priceMinor: offer.priceMinor ?? 0n,
      at: ctx.now(),
    })
    lines.push({ ...pricedLine(shop, line, offer), tax })
  }
  if (problems.length > 0)
    throw new AppError(
      problems.every(({ reason }) => reason === 'not_sold_here') ? 'not_sold_here' : 'check_fields',
      {},
      { fields: problems },
    )
  const bases = new Set(lines.map(({ baseCurrency }) => baseCurrency))
  for (const code of bases) assertBase(shop.currencyByCode.get(code), currency, ctx.now())
  return { lines, buyer }
}

function problemsOf(
  { shop, language }: Pick<Checkout, 'shop' | 'language'>,
  { at, quantity, fields, amountMinor }: Asked,
  offer: Offer | null,
  { country }: Buyer,
  before: number,
): FieldProblem[] {
  if (!offer) return [{ field: `${at}.item`, reason: 'not_sold' }]
  if (offer.item.isStopped) return [{ field: `${at}.item`, reason: 'stopped' }]
  if (offer.withheld === 'below_floor') return [{ field: `${at}.item`, reason: 'sold_out' }]
  if (offer.priceMinor === null) throw new AppError('currency_unavailable')
  if (offer.priceMinor === 0n) return [{ field: `${at}.item`, reason: 'not_sold' }]
  if (!isSoldIn(offer, country)) return [{ field: `${at}.item`, reason: 'not_sold_here' }]
  const limit = quantityLimit(offer.item)
  if (limit === 0) return [{ field: `${at}.item`, reason: 'sold_out' }]
  const left = Math.max(0, Math.min(limit, (offer.item.stock ?? Infinity) - before))
  const read = readFields(shop, offer.product, fields)
  const amount = amountProblem(shop, language, offer, amountMinor)
  return [
    ...(amount ? [{ field: `${at}.amount`, ...amount }] : []),
    ...(quantity > left
      ? [{ field: `${at}.quantity`, reason: 'not_enough', params: { max: left } } as const]
      : []),
    ...('problems' in read
      ? read.problems.map(({ key, ...problem }) => ({ field: `${at}.fields.${key}`, ...problem }))
      : []),
  ]
}

const NAME_MAX = 200

/** Names are kept in English, for a day when the item is sold no more. */
function pricedLine(
  shop: ShopSnapshot,
  { quantity, fields }: Asked,
  { product, item, amount, priceMinor, baseMinor, baseCurrency, steps }: Offer,
): PricedLine {
  const t = translatorOf('en')
  const { brand, region } = product
  const name = goodsName(brand, 'en', t)
  const label = wholeLabel(
    { shop, language: 'en', currency: shop.currencies[0] as Currency, t },
    product,
    item,
  )
  const read = readFields(shop, product, fields)
  return {
    item: item.id,
    itemCode: item.code,
    product: product.code,
    goodsType: product.type,
    delivery: brand.delivery,
    productName: (brand.products.length > 1
      ? `${name} (${textIn(region.name, 'en')})`
      : name
    ).slice(0, NAME_MAX),
    itemName: label.slice(0, NAME_MAX),
    quantity,
    priceMinor: priceMinor ?? 0n,
    baseMinor,
    baseCurrency,
    priceSteps: storedSteps(steps),
    accountFields: 'values' in read ? read.values : {},
    amount,
  }
}

function purchaseOf(
  { shop, person, visitor, language, currency }: Checkout,
  { lines, buyer }: Priced,
): Purchase {
  const country = buyer.country?.code ?? null
  const bases = [...new Set(lines.map(({ baseCurrency }) => baseCurrency))]
    .map((code) => shop.currencyByCode.get(code))
    .filter((base) => base !== undefined)
  return {
    accountId: person.accountId,
    lines,
    currency: currency.code,
    pricing: pricingOf(currency, bases),
    language,
    country,
    evidence: {
      billing_country: buyer.billingCountry,
      chosen_country: buyer.chosenCountry,
      address: visitor.address,
      network: visitor.network,
      user_agent: visitor.userAgent,
      accept_language: visitor.acceptLanguage ?? null,
    },
    termsVersion: termsVersion(shop),
    tax: taxOfLines(lines),
  }
}

/** Minor units of US dollars that credit may be bought for at once. */
const CREDIT_MIN = 100n
const CREDIT_MAX = 100_000n

/**
 * Makes an order for store credit in the shopper's currency; it is there once the order is paid. No tax is in it: that is paid
 * with the goods it buys. Throws 'check_fields' at `credit.amount`, 'currency_unavailable', 'too_many_unpaid', and 'conflict' for
 * a key that stands for another request.
 */
export async function placeTopUp(
  ctx: Ctx,
  checkout: Checkout,
  amount: string,
): Promise<PlacedOrder> {
  const { shop, currency, language, idempotencyKey } = checkout
  assertOpen(shop)
  assertSellable(currency, ctx.now())
  const minor = parseMajor(amount, currency.minorUnits)
  const dollar = shop.currencyByCode.get('USD') ?? US_DOLLAR
  const [least, most] = [CREDIT_MIN, CREDIT_MAX].map(
    (limit) => convertMinor(limit, dollar, currency) ?? limit,
  ) as [bigint, bigint]
  if (
    minor === null ||
    minor < least ||
    minor > most ||
    minor % currency.roundingIncrement !== 0n
  ) {
    const shown = (limit: bigint) =>
      formatMoney(language, currency.code, limit, currency.minorUnits, shownDigits(currency))
    throw fieldError('credit.amount', 'amount_between', { min: shown(least), max: shown(most) })
  }
  const line: PricedLine = {
    item: null,
    itemCode: 'store-credit',
    product: 'store-credit',
    goodsType: 0,
    delivery: 'store_credit',
    productName: 'Store credit',
    itemName: `${toMajor(minor, currency.minorUnits)} ${currency.code}`,
    quantity: 1,
    priceMinor: minor,
    baseMinor: minor,
    baseCurrency: currency.code,
    accountFields: {},
    amount: null,
  }
  const buyer = await findBuyer(ctx.db, shop, checkout.person.accountId, checkout.chosenCountry)
  const purchase = purchaseOf(checkout, { lines: [line], buyer })
  return createOrder(
    ctx,
    purchase,
    idempotencyKey === null
      ? `new:${ctx.newId()}`
      : `key:${sha256(idempotencyKey).toString('base64url')}`,
    { sameSince: pressedSince(ctx, checkout) },
  )
}
