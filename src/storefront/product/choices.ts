import type { GoodsDetail } from '#features/goods/browse/view/shapes.ts'
import { FEW_IN_STOCK, GOODS_TYPE, textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { formatCount, formatPercent } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { Crumb } from '../goods/crumb.ts'
import type { PageContext } from '../page.ts'
import { quantityLimit, writeAmount, type MoneyStyle } from './amounts.ts'

/** What a shopper chooses among: it names the step and the row of the summary. */
export type ChoiceKind = 'amount' | 'value' | 'plan' | 'edition'

/** One tile of the choice. */
export interface ItemChoice {
  readonly code: string
  readonly label: string
  readonly bonus: string | null
  readonly price: string
  /** The unit price in minor units of the shown currency; null while it has none. */
  readonly minor: string | null
  readonly was: string | null
  /** What one unit saves against `was`, in minor units and with its share. */
  readonly saving: {
    readonly minor: string
    readonly text: string
    readonly percent: string
  } | null
  /** Most units in one go. */
  readonly limit: number
  /** Units at hand, said when they are few. */
  readonly stock: string | null
  /** Why it cannot be bought now. */
  readonly unavailable: string | null
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
  t: Translate,
): ItemChoice[] {
  return detail.items.map((item, index) => {
    const bonus = product.items[index]?.bonus ?? null
    const was = item.discount > 0 ? item.market_price : null
    return {
      code: item.code,
      label: item.label,
      bonus:
        bonus !== null && bonus > 0n
          ? t('product.bonus', { units: formatCount(money.language, bonus) })
          : null,
      price: item.price?.text ?? NO_PRICE,
      minor: item.price?.minor ?? null,
      was: was?.text ?? null,
      saving:
        item.price && was
          ? savingOf(BigInt(was.minor) - BigInt(item.price.minor), item.discount, money)
          : null,
      limit: quantityLimit(item.stock),
      stock:
        item.stock !== null && item.stock > 0 && item.stock < FEW_IN_STOCK
          ? t('product.stockCount', { count: item.stock })
          : null,
      unavailable: unavailability(item, money, t),
    }
  })
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

function unavailability(
  item: GoodsDetail['items'][number],
  money: MoneyStyle,
  t: Translate,
): string | null {
  if (!item.in_stock) return t('goods.soldOut')
  return item.price ? null : t('product.noPrice', { currency: money.currency })
}

function savingOf(minor: bigint, percent: number, money: MoneyStyle): ItemChoice['saving'] {
  return {
    minor: minor.toString(),
    text: writeAmount(money, minor),
    percent: formatPercent(money.language, percent / 100),
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
  const category = detail.categories[0]
  const hub = HUBS[product.type] ?? '/cards'
  const root = shop.catalogue.categories.find(({ path }) => path === hub)
  const hubName = root
    ? textIn(root.name, language.code)
    : t(hub === '/cards' ? 'title.cards' : hub === '/top-up' ? 'title.topUp' : 'title.product')
  return [
    category ? { text: category.name, path: category.path } : { text: hubName, path: hub },
    {
      text: detail.brand.name,
      ...(product.brand.name[language.code] === undefined ? { lang: 'en' } : {}),
    },
  ]
}
