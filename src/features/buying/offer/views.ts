import {
  isSold,
  itemPrices,
  leadItemOf,
  pricesOf,
  type ItemPrices,
} from '#features/goods/browse/view/price.ts'
import { unitPriceTexts } from '#features/goods/browse/view/unit-price.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import { textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { isOfLevel } from '#features/goods/price/rules.ts'
import type { Db } from '#platform/db.ts'
import { listOffers } from './queries.ts'

/** What a shopper of a customer level is told of it. */
export interface LevelView {
  /** What the level is called in their language; empty where it has no name. */
  readonly name: string
  /** Of the price: that it is theirs. */
  readonly title: string
}

export function levelView({ shop, language, t }: ShopView, level: number): LevelView {
  const names = shop.pricing.terms.levelNames[String(level)]
  const name = names ? textIn(names, language) : ''
  return { name, title: name === '' ? t('api.yourPrice') : t('api.yourPriceOf', { level: name }) }
}

export interface LevelPrice extends ItemPrices {
  readonly item: string
  readonly unitPrice: string | null
}

/** What of a product costs a shopper of a customer level something else than others: pages that all of them share do not know it. */
export async function listLevelPrices(
  db: Db,
  view: ShopView,
  product: Product,
  level: number,
): Promise<LevelPrice[]> {
  const { shop, language, currency } = view
  const wanted = product.items.map(({ code }) => ({ item: code }))
  const offers = await listOffers(db, { shop, currency, roleId: level }, wanted)
  const priced = product.items.map((item) => {
    const { priceMinor: minor = null, steps = [] } = offers.get(item.code) ?? {}
    return { item, minor, steps }
  })
  const unit = product.brand.unit ? textIn(product.brand.unit.name, language) : null
  const unitPrices = unitPriceTexts(priced, unit, view)
  return priced.flatMap(({ item, minor, steps }, index) =>
    minor !== null && isOfLevel(steps)
      ? [
          {
            item: item.code,
            ...pricesOf(view, item, { minor, steps }),
            unitPrice: unitPrices[index] ?? null,
          },
        ]
      : [],
  )
}

export interface TilePrice extends ItemPrices {
  readonly code: string
}

/** What tiles of products say at a customer level, where that is something else than what all see: the price of the cheapest in stock. */
export async function listTilePrices(
  db: Db,
  view: ShopView,
  products: readonly Product[],
  level: number,
): Promise<TilePrice[]> {
  const { shop, currency } = view
  const shown = products.map((product) => ({
    product,
    items: product.items.filter((item) => item.free === null && isSold(view, item)),
  }))
  const wanted = shown.flatMap(({ items }) => items.map(({ code }) => ({ item: code })))
  const offers = await listOffers(db, { shop, currency, roleId: level }, wanted)
  return shown.flatMap(({ product, items }): TilePrice[] => {
    const [best] = items
      .flatMap((item) => {
        const { priceMinor: minor = null, steps = [] } = offers.get(item.code) ?? {}
        return minor === null ? [] : [{ item, minor, steps }]
      })
      .toSorted((a, b) => (a.minor < b.minor ? -1 : a.minor > b.minor ? 1 : 0))
    const retail = itemPrices(view, leadItemOf(shop, product)).price
    if (!best || retail === null || BigInt(retail.minor) === best.minor) return []
    return [{ code: product.code, ...pricesOf(view, best.item, best) }]
  })
}
