import { listCartOrderViews, type CartOrderView } from '#features/buying/order/views.ts'
import type { ApiPosts } from '#api/contract.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { mergeCart, showCart } from '#features/buying/cart/commands.ts'
import { readVisitorLines } from '#features/buying/cart/queries.ts'
import { VISITOR_LEVEL } from '#features/buying/cart/rules.ts'
import { cartView } from '#features/buying/cart/views.ts'
import type { CartView } from '#features/buying/cart/views.ts'
import { phraseIn, productPath } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { formatParts, formatShortMoment } from '#platform/i18n/format.ts'
import type { Outcome } from '../forms/form.ts'
import { lineName, readVisitorCart, VISITOR_CART, type VisitorLine } from '../forms/visitor-cart.ts'
import { pictureAddress } from '../goods/picture.ts'
import { readerOf } from '../order-reader.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import type { MoneyStyle } from '../product/amounts.ts'
import { moneyStyle } from '../product/money-style.ts'

/** What a product's page asked for without script, and why it was not taken. */
export interface RefusedGoods {
  readonly path: string | null
  readonly problems: readonly string[]
}

/** An account that was asked about without script, and the form as it was sent: it goes on from here. */
export interface CheckedGoods {
  readonly path: string | null
  readonly text: string
  readonly values: readonly (readonly [name: string, value: string])[]
  readonly buy: string
  readonly add: string
}

export interface ShopCartData {
  readonly money: MoneyStyle
  /** The account's; null for a visitor, whose cart the browser keeps. */
  readonly cart: CartView | null
  /** A visitor's, as the browser keeps it where no script runs. */
  readonly visitorCart: CartView | null
  /** What of the cart is being paid. */
  readonly orders: readonly CartOrder[]
  readonly refused: RefusedGoods | null
  readonly checked: CheckedGoods | null
}

/** An order that waits for its money; its lines come back to the cart where none arrives. */
export interface CartOrder {
  readonly order: string
  /** That it is being paid, with its number. */
  readonly text: string
  /** Until when, as a sentence; null once that is over. */
  readonly payBy: string | null
  readonly cancel: string
  readonly lines: readonly {
    readonly name: string
    readonly path: string | null
    readonly image: string
    readonly about: string
    readonly account: readonly { readonly label: string; readonly value: string }[]
    readonly total: string
  }[]
}

export async function load(page: PersonalPageContext): Promise<ShopCartData> {
  const { shop, language, currency, t, person, ctx, country } = page
  const money = moneyStyle(language.code, currency, shownDigits(currency))
  const refused = refusedGoods(page)
  const checked = checkedGoods(page)
  const view = { shop, language: language.code, currency, t }
  const stored = readVisitorCart(page.cookie(VISITOR_CART))
  if (!person) {
    const lines = stored.map((line) => ({
      ...line,
      id: lineName(line),
      amountMinor: amountOf(line),
    }))
    const query = { shop, currency, roleId: VISITOR_LEVEL, chosenCountry: country }
    const judged = lines.length === 0 ? [] : await readVisitorLines(ctx.db, query, lines)
    return { money, cart: null, visitorCart: cartView(view, judged), orders: [], refused, checked }
  }
  const query = {
    shop,
    currency,
    roleId: person.roleId,
    accountId: person.accountId,
    chosenCountry: country,
  }
  if (stored.length > 0) {
    await mergeCart(
      ctx,
      query,
      person.accountId,
      stored.map((line) => ({ ...line, amountMinor: amountOf(line) })),
    )
    page.forgetVisitorCart()
  }
  const [cart, orders] = await Promise.all([
    showCart(ctx, view, query),
    listCartOrderViews(ctx.db, readerOf(page), person.accountId),
  ])
  return {
    money,
    cart,
    visitorCart: null,
    orders: orders.map((order) => cartOrder(page, order)),
    refused,
    checked,
  }
}

const amountOf = ({ amount }: VisitorLine) => (amount === undefined ? null : BigInt(amount))

function cartOrder(page: PersonalPageContext, order: CartOrderView): CartOrder {
  const { t, shop, language, timeZone } = page
  return {
    order: order.publicId,
    text: t('shop-cart.beingPaid', { number: order.number }),
    payBy: order.can.pay
      ? t('order.payBy', { time: formatShortMoment(language.code, order.expiresAt, timeZone) })
      : null,
    cancel: t('order.cancel'),
    lines: order.lines.map((line) => {
      const product = line.product_code === null ? null : findProduct(shop, line.product_code)
      const picture = product?.picture ?? product?.brand.picture ?? null
      const count = line.quantity === 1 ? '' : t('order.unitPieces', { count: line.quantity })
      return {
        name: line.goods_name,
        path: line.path,
        image: pictureAddress(page, 'goods_thumb_3_4', picture, { isSmall: true }),
        about: formatParts(language.code, [line.label, line.region, count]),
        account: line.fields,
        total: line.total.text,
      }
    }),
  }
}

function refusedGoods({
  outcome,
  person,
  shop,
  language,
}: PersonalPageContext): RefusedGoods | null {
  const isAsked =
    outcome?.form === 'add' ||
    outcome?.form === 'buyNow' ||
    outcome?.form === 'check' ||
    // At an account's line it is said there, and so is what is wrong with an amount.
    (outcome?.form === 'quantity' && !person) ||
    (outcome?.form === 'amount' && outcome.message !== null)
  if (!outcome || !isAsked) return null
  const faults = faultsOf(outcome)
  if (outcome.isDone && faults.length === 0) return null
  const { product, path } = goodsOf(shop, outcome)
  const problems = faults.map(([at, text]) => {
    const key = at.split('fields.')[1] ?? at
    const field = product?.brand.fields.find((known) => known.key === key)
    const label = field && phraseIn(shop.catalogue, language.code, field.label)
    return label === undefined ? text : formatParts(language.code, [label, text])
  })
  return {
    path,
    problems: outcome.message === null ? problems : [outcome.message],
  }
}

/** What is wrong with what was asked for, by field; a supplier's word on an account is no refusal of the question. */
function faultsOf({ form, isDone, data, faults }: Outcome): (readonly [string, string])[] {
  if (form !== 'check' || !isDone) return isDone ? [] : Object.entries(faults)
  return (data as CheckedAccount).faults.map(({ field, msg }) => [field, msg])
}

type CheckedAccount = ApiPosts['account/validate']['data']

function goodsOf({ catalogue }: PersonalPageContext['shop'], { values }: Outcome) {
  const code = values['item'] ?? ''
  const product = catalogue.products.find(({ items }) => items.some((item) => item.code === code))
  const path = product ? `${productPath(product)}?item=${encodeURIComponent(code)}` : null
  return { product, path }
}

function checkedGoods({ outcome, shop, t }: PersonalPageContext): CheckedGoods | null {
  if (outcome?.form !== 'check' || !outcome.isDone || faultsOf(outcome).length > 0) return null
  const { state, name } = outcome.data as CheckedAccount
  return {
    path: goodsOf(shop, outcome).path,
    text:
      state === 'unchecked'
        ? t('product.playerUnchecked')
        : name === null
          ? t('product.playerFound')
          : t('product.player', { name }),
    values: Object.entries(outcome.values),
    buy: t('product.buyNow'),
    add: t('product.addToCart'),
  }
}

export function meta(_: ShopCartData, { t }: PersonalPageContext): PageMeta {
  return { title: t('title.shopCart'), description: t('shop-cart.description'), noIndex: true }
}
