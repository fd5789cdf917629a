import { textIn, type Product } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import type { GoodsSort } from '../rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'
import { leadItem } from './lead.ts'

/** All products in an order, made once a snapshot (and language or currency, where the order depends on it). */
export function orderedProducts(
  snapshot: ShopSnapshot,
  sort: GoodsSort,
  language: LanguageCode,
  currency: Currency,
): Uint32Array {
  const key =
    sort === 'name' ? language : sort === 'price_asc' || sort === 'price_desc' ? currency.code : ''
  return remember(snapshot, `order|${sort}|${key}`, () => {
    const { products } = snapshot.catalogue
    const ids = Uint32Array.from(products, (product) => product.index)
    const by = (compare: (a: Product, b: Product) => number) =>
      ids.sort(
        (a, b) =>
          compare(products[a] as Product, products[b] as Product) ||
          byPopularity(products[a] as Product, products[b] as Product),
      )
    switch (sort) {
      case 'popular':
        return by(byPopularity)
      case 'new':
        return by((a, b) => (b.brand.releasedYear ?? 0) - (a.brand.releasedYear ?? 0))
      case 'name': {
        const collator = new Intl.Collator(getLanguage(language).intl)
        return by((a, b) =>
          collator.compare(textIn(a.brand.name, language), textIn(b.brand.name, language)),
        )
      }
      case 'price_asc':
      case 'price_desc': {
        const prices = pricesIn(snapshot, currency)
        const direction = sort === 'price_asc' ? 1 : -1
        return by((a, b) =>
          comparePrices(prices[a.index] as number, prices[b.index] as number, direction),
        )
      }
      default:
        return sort satisfies never
    }
  })
}

/** Brands by popularity, each with its leading product first; the other regions of a brand come after all leading ones. */
function byPopularity(a: Product, b: Product): number {
  return (
    Number(b.isLeading) - Number(a.isLeading) ||
    b.brand.popularity - a.brand.popularity ||
    a.index - b.index
  )
}

/** Products without a price in the currency come last in both directions. */
function comparePrices(a: number, b: number, direction: 1 | -1): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return (a - b) * direction
}

const priceColumns = new WeakMap<ShopSnapshot, Map<string, Float64Array>>()

/**
 * The shown price of every product in a currency, in minor units, for ordering and filtering only: whole numbers, exact
 * below 2^53; what is displayed or charged is always computed with bigint.
 */
export function pricesIn(snapshot: ShopSnapshot, currency: Currency): Float64Array {
  let columns = priceColumns.get(snapshot)
  if (!columns) priceColumns.set(snapshot, (columns = new Map()))
  let column = columns.get(currency.code)
  if (!column) {
    column = Float64Array.from(snapshot.catalogue.products, (product) => {
      const item = leadItem(product, snapshot.pricing)
      const { minor } = priceOf(snapshot.pricing, item, currency)
      return minor === null ? Number.NaN : Number(minor)
    })
    columns.set(currency.code, column)
  }
  return column
}

/** A list kept with the snapshot it was made from. */
export function remember(
  snapshot: ShopSnapshot,
  key: string,
  make: () => Uint32Array,
): Uint32Array {
  const known = snapshot.lists.get(key)
  if (known) return known
  const list = make()
  snapshot.lists.set(key, list)
  return list
}
