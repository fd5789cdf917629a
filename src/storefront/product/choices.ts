import type { SummaryRow } from '#ui/summary.tsx'
import { discountPercent } from '#features/goods/browse/rules.ts'
import type { GoodsDetail, GoodsItem } from '#features/goods/browse/view/shapes.ts'
import { unitPriceTexts } from '#features/goods/browse/view/unit-price.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import {
  FEW_IN_STOCK,
  GOODS_TYPE,
  textIn,
  type Item,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { formatPercent, formatReduction } from '#platform/i18n/percent.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { categoryCrumb, type Crumb } from '../goods/crumb.ts'
import type { PageContext } from '../page.ts'
import { writeAmount, type MoneyStyle } from './amounts.ts'
import { quantityLimit } from './quantity.ts'

/** What a shopper chooses among: it names the step and the row of the summary. */
export type ChoiceKind = 'amount' | 'value' | 'plan' | 'edition'

/** One tile of the choice. */
export interface ItemChoice {
  readonly code: string
  /** In full, with the unit: "468 Diamonds". */
  readonly label: string
  readonly bonus: string | null
  /** The number alone, and that of what comes on top ("468", "+52"), where the heading names the unit. */
  readonly figure: string | null
  readonly extra: string | null
  /** A pass, a plan, an edition: a name that takes the room of a line. */
  readonly isWide: boolean
  /** What a card is worth is what it costs. */
  readonly isFaceValue: boolean
  /** "$1.67 per 100 Diamonds". */
  readonly unitPrice: string | null
  readonly price: string
  /** The unit price in minor units of the shown currency; null while it has none. */
  readonly minor: string | null
  readonly was: string | null
  /** What one unit saves against `was`, in minor units and with its share. */
  readonly saving: {
    readonly minor: string
    readonly text: string
    readonly percent: string
    /** "−6%". */
    readonly off: string
  } | null
  /** Most units in one go. */
  readonly limit: number
  /** Units at hand, said when they are few. */
  readonly stock: string | null
  /** Why it cannot be bought now. */
  readonly unavailable: string | null
  /** The price is that of the shopper's customer level, which only their browser knows. */
  readonly level?: ChoiceLevel
}

/** The row of its price: "Your price, Gold", and beside it what others pay where that is more. */
export interface ChoiceLevel extends SummaryRow {
  /** On the edge of the tile that is chosen, as short as it can be said ("Gold"). */
  readonly mark: string
}

export interface RegionLink {
  readonly path: string
  readonly text: string
  readonly isCurrent: boolean
}

const NO_PRICE = '—'

/** After the first item; a top-up's passes and bundles stand among its packs. */
export function choiceOf(product: Pick<Product, 'brand' | 'items'>): ChoiceKind {
  if (product.brand.kind === 'top_up') return 'amount'
  switch (product.items[0]?.kind) {
    case 'plan':
    case 'membership':
      return 'plan'
    case 'edition':
      return 'edition'
    case 'pack':
    case 'bundle':
      return 'amount'
    default:
      return 'value'
  }
}

export function itemChoices(
  product: Product,
  detail: GoodsDetail,
  money: MoneyStyle,
  view: Pick<ShopView, 'language' | 'currency' | 't'>,
): ItemChoice[] {
  const unit = product.brand.unit ? textIn(product.brand.unit.name, money.language) : null
  const unitPrices = unitPriceTexts(
    detail.items.map(({ price }, index) => ({
      item: product.items[index] as Item,
      minor: price ? BigInt(price.minor) : null,
    })),
    unit,
    view,
  )
  return detail.items.map((item, index) =>
    itemChoice(
      product,
      item,
      product.items[index] as Item,
      unitPrices[index] ?? null,
      money,
      view.t,
    ),
  )
}

function itemChoice(
  product: Product,
  shown: GoodsItem,
  item: Item,
  unitPrice: string | null,
  money: MoneyStyle,
  t: Translate,
): ItemChoice {
  const count = (units: bigint) => formatCount(money.language, units)
  const extra = item.bonus !== null && item.bonus > 0n ? item.bonus : null
  const figure =
    item.kind === 'pack' && item.units !== null && product.brand.unit ? count(item.units) : null
  const was = listPriceOf(product, shown, item, money)
  const minor = shown.price ? BigInt(shown.price.minor) : null
  return {
    code: shown.code,
    label: shown.label,
    bonus: extra === null ? null : t('product.bonus', { units: count(extra) }),
    figure,
    extra: figure === null || extra === null ? null : `+${count(extra)}`,
    isWide: figure === null && item.kind !== 'value' && item.kind !== 'airtime',
    isFaceValue: was === null && minor !== null && minor === faceIn(product, item, money),
    unitPrice,
    price: shown.price?.text ?? NO_PRICE,
    minor: shown.price?.minor ?? null,
    was: was?.text ?? null,
    saving: minor !== null && was ? savingOf(minor, was, money) : null,
    limit: quantityLimit(shown.stock),
    stock:
      shown.stock !== null && shown.stock > 0 && shown.stock < FEW_IN_STOCK
        ? t('product.stockCount', { count: shown.stock })
        : null,
    unavailable: unavailability(shown, money, t),
  }
}

interface ListPrice {
  readonly minor: bigint
  readonly text: string
  /** Whole percent that the price is below it. */
  readonly percent: number
}

/** What a price is compared with: the catalogue's list price, else what the card is worth in the same currency; null where nothing is saved. */
function listPriceOf(
  product: Product,
  { price, market_price: market, discount }: GoodsItem,
  item: Item,
  money: MoneyStyle,
): ListPrice | null {
  if (price === null) return null
  if (market !== null && discount > 0)
    return { minor: BigInt(market.minor), text: market.text, percent: discount }
  const face = faceIn(product, item, money)
  const percent = face === null ? 0 : discountPercent(BigInt(price.minor), face)
  return face === null || percent === 0
    ? null
    : { minor: face, text: writeAmount(money, face), percent }
}

/** What a card is worth, in minor units of the shown currency; null in another. */
function faceIn(product: Product, item: Item, { currency }: MoneyStyle): bigint | null {
  return item.kind === 'value' && product.faceCurrency === currency ? item.faceMinor : null
}

export function lowestPrice(items: readonly ItemChoice[]): string | null {
  let lowest: { minor: bigint; text: string } | null = null
  for (const { minor, price, unavailable } of items) {
    if (minor === null || unavailable !== null) continue
    if (lowest === null || BigInt(minor) < lowest.minor)
      lowest = { minor: BigInt(minor), text: price }
  }
  return lowest?.text ?? null
}

function unavailability(item: GoodsItem, money: MoneyStyle, t: Translate): string | null {
  if (!item.in_stock) return t(item.is_stopped ? 'goods.stopped' : 'goods.soldOut')
  return item.price ? null : t('product.noPrice', { currency: money.currency })
}

function savingOf(minor: bigint, was: ListPrice, money: MoneyStyle): ItemChoice['saving'] {
  const saved = was.minor - minor
  return {
    minor: saved.toString(),
    text: writeAmount(money, saved),
    percent: formatPercent(money.language, was.percent / 100),
    off: formatReduction(money.language, was.percent),
  }
}

/** The siblings by region, in the shop's order. The currency of a card's value tells apart what regions alone may not. */
export function regionLinks(product: Product, detail: GoodsDetail, t: Translate): RegionLink[] {
  return detail.regions.map((region, index) => {
    const currency = product.brand.products[index]?.faceCurrency ?? null
    return {
      path: region.path,
      text:
        currency === null
          ? region.name
          : t('product.regionWithCurrency', { region: region.name, currency }),
      isCurrent: region.product === detail.code,
    }
  })
}

/** The region lock in the visitor's language; for codes also that a used one is not taken back. */
export function noticeOf(
  { region_lock: lock, delivery }: GoodsDetail,
  t: Translate,
): { lead: string; text: string } | null {
  if (lock.sentence === null && lock.note === null) return null
  return {
    lead: lock.sentence ?? lock.note ?? '',
    text:
      lock.sentence !== null && lock.note !== null
        ? lock.note
        : delivery === 'card_key'
          ? t('product.noRefundOfUsed')
          : '',
  }
}

const HUBS: Readonly<Partial<Record<number, string>>> = {
  [GOODS_TYPE.card]: '/cards',
  [GOODS_TYPE.topUp]: '/top-up',
  [GOODS_TYPE.gameProduct]: '/product',
}

/** The category the product is shown in, else the hub of its kind, then the product. */
export function crumbsOf(
  { shop, language, t }: PageContext,
  product: Product,
  detail: GoodsDetail,
): Crumb[] {
  const hub = HUBS[product.type] ?? '/cards'
  const at = detail.categories[0]?.path ?? hub
  const category = shop.catalogue.categories.find(({ path }) => path === at)
  const hubName = t(
    hub === '/cards' ? 'title.cards' : hub === '/top-up' ? 'title.topUp' : 'title.product',
  )
  return [
    category ? categoryCrumb(category, language) : { text: hubName, path: hub },
    {
      text: detail.brand.name,
      ...(product.brand.name[language.code] === undefined ? { lang: 'en' } : {}),
    },
  ]
}
