import { productName, type ShopView } from '#features/goods/browse/views.ts'
import { itemLabel } from '#features/goods/browse/view/names.ts'
import { priceView } from '#features/goods/browse/view/price.ts'
import { freeAmount } from '#features/goods/browse/view/recharge.ts'
import type { GoodsItem, Price } from '#features/goods/browse/view/shapes.ts'
import { pictureLink } from '#features/goods/browse/queries.ts'
import { phraseIn, productPath, textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { convertMinor } from '#features/goods/currency/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { isOfLevel } from '#features/goods/price/rules.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import type { Offer } from '#features/buying/offer/rules.ts'
import { levelView } from '#features/buying/offer/views.ts'
import { moneyView } from '#features/buying/order/view/reader.ts'
import { isBuyable, totalOf, type JudgedLine, type LineState } from './rules.ts'

export interface CartLineView {
  id: string
  item: string
  product: { code: string; goods_name: string; image: string; path: string; region: string }
  label: string
  bonus: string | null
  quantity: number
  fields: Record<string, string>
  amount: Price | null
  amount_range: GoodsItem['amount']
  account: { label: string; value: string }[]
  price: Price | null
  total: Price | null
  market_price: Price | null
  level_text: string
  retail_price: Price | null
  state: LineState
  state_text: string
  was: Price | null
  limit: number
}

export interface CartView {
  list: CartLineView[]
  cart_num: number
  total: Price | null
  market_total: Price | null
  saving: Price | null
}

/** How many minutes ago phones were recharged, by number. */
export type Recharged = ReadonlyMap<string, number>

/** A cart in a language and currency. Its total is that of the lines that can be bought. */
export function cartView(
  view: ShopView,
  lines: readonly JudgedLine[],
  recharged: Recharged = new Map(),
): CartView {
  const total = totalOf(lines)
  const saved = lines.reduce(
    (sum, { line, offer, state }) =>
      isBuyable(state)
        ? sum + (marketOf(view, offer) - (offer?.priceMinor ?? 0n)) * BigInt(line.quantity)
        : sum,
    0n,
  )
  return {
    list: lines.map((line) => lineView(view, line, recharged)),
    cart_num: lines.reduce((sum, { line }) => sum + line.quantity, 0),
    total: amountView(view, total),
    market_total: saved > 0n ? amountView(view, total + saved) : null,
    saving: saved > 0n ? amountView(view, saved) : null,
  }
}

function lineView(view: ShopView, judged: JudgedLine, recharged: Recharged): CartLineView {
  const { line, offer, state, wasMinor, limit } = judged
  const price = offer?.priceMinor ?? null
  return {
    id: line.publicId,
    item: offer?.item.code ?? line.itemCode,
    ...(offer
      ? goodsOf(view, offer)
      : {
          product: {
            code: line.product,
            goods_name: line.productName,
            image: '',
            path: '',
            region: '',
          },
          label: line.itemName,
          bonus: null,
        }),
    quantity: line.quantity,
    fields: { ...line.fields },
    amount:
      line.amountMinor === null || !offer?.product.faceCurrency
        ? null
        : moneyView(view, offer.product.faceCurrency, line.amountMinor),
    amount_range: offer ? freeAmount(view, offer.product, offer) : null,
    account: accountOf(view, offer?.product ?? null, line.fields),
    price: price === null ? null : amountView(view, price),
    total: price === null ? null : amountView(view, price * BigInt(line.quantity)),
    market_price:
      price === null || marketOf(view, offer) === price
        ? null
        : amountView(view, marketOf(view, offer)),
    ...ofLevel(view, offer),
    state,
    state_text: stateText(view, judged, recharged),
    was: wasMinor === null ? null : amountView(view, wasMinor),
    limit,
  }
}

/** That the price is the shopper's own, and what others pay where that is more. */
function ofLevel(
  view: ShopView,
  offer: Offer | null,
): Pick<CartLineView, 'level_text' | 'retail_price'> {
  if (!offer?.priceMinor || !isOfLevel(offer.steps)) return { level_text: '', retail_price: null }
  const { minor } = priceOf(view.shop.pricing, offer.item, view.currency)
  const level = offer.steps.find((step) => 'level' in step)?.level ?? 0
  return {
    level_text: levelView(view, level).title,
    retail_price: minor !== null && minor > offer.priceMinor ? amountView(view, minor) : null,
  }
}

function goodsOf(
  view: ShopView,
  { product, item }: Offer,
): Pick<CartLineView, 'product' | 'label' | 'bonus'> {
  const picture = product.picture ?? product.brand.picture
  return {
    product: {
      code: product.code,
      goods_name: productName(view, product),
      path: productPath(product),
      region: textIn(product.region.name, view.language),
      image: picture === null ? '' : pictureLink(view.shop, 'goods_thumb_3_4', picture),
    },
    ...itemLabel(view, product, item),
  }
}

/** What was said of the account, in the goods' own order and words. */
function accountOf(
  { shop, language, t }: ShopView,
  product: Product | null,
  values: Readonly<Record<string, string>>,
): CartLineView['account'] {
  const fields = product?.brand.fields ?? []
  const known = fields
    .filter(({ key }) => values[key] !== undefined)
    .map(({ key, label, options }) => {
      const value = values[key] ?? ''
      const option = options.find((each) => each.value === value)
      return {
        label: phraseIn(shop.catalogue, language, label),
        value: option ? phraseIn(shop.catalogue, language, option.label) : value,
      }
    })
  const others = Object.entries(values).filter(
    ([key]) => !fields.some((field) => field.key === key),
  )
  return [
    ...known,
    ...others.map(([, value]) => ({
      label: t(product?.brand.recharge ? 'shop-cart.phone' : 'shop-cart.account'),
      value,
    })),
  ]
}

function stateText(
  { t }: ShopView,
  { line, offer, state, limit }: JudgedLine,
  recharged: Recharged,
): string {
  switch (state) {
    case 'ok': {
      const minutes = offer?.product.brand.recharge
        ? recharged.get(line.fields[PHONE_FIELD] ?? '')
        : undefined
      return minutes === undefined ? '' : t('recharge.recent', { count: minutes })
    }
    case 'price_changed':
      return t('shop-cart.priceChanged')
    case 'limit':
      return limit === 0
        ? t(offer?.item.isStopped ? 'goods.stopped' : 'goods.soldOut')
        : t('shop-cart.onlyLeft', { count: limit })
    case 'sold_out':
      return t(offer?.item.isStopped ? 'goods.stopped' : 'goods.soldOut')
    case 'not_here':
      return t('error.field.not_sold_here')
    case 'no_price':
      return t('error.currency_unavailable')
    case 'account':
      return t('shop-cart.accountUnfit')
    case 'gone':
      return t('shop-cart.gone')
    default:
      return state satisfies never
  }
}

/** The unit price an item is compared with; its own where that is none or not above it. */
function marketOf({ shop, currency }: ShopView, offer: Offer | null): bigint {
  const price = offer?.priceMinor ?? 0n
  const from = offer ? shop.currencyByCode.get(offer.item.priceCurrency) : undefined
  const market =
    from && offer && offer.item.marketMinor !== null
      ? convertMinor(offer.item.marketMinor, from, currency)
      : null
  return market !== null && market > price ? market : price
}

/** An amount that is in the shown currency already. */
function amountView(view: ShopView, minor: bigint): Price | null {
  return priceView(view, minor, view.currency.code)
}
