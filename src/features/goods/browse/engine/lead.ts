import type { Item, Product } from '#features/goods/catalogue/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import type { Pricing } from '#features/goods/price/rules.ts'
import { discountPercent } from '../rules.ts'

/** The item a list shows the price of: the cheapest in stock, else the cheapest. */
export function leadItem(product: Pick<Product, 'items'>, pricing: Pricing): Item {
  // What an amount of one's own costs depends on the amount.
  const fixed = product.items.filter(({ free }) => free === null)
  const items = fixed.length > 0 ? fixed : product.items
  let best = items[0] as Item
  for (const item of items) {
    const better = Number(item.stock !== 0) - Number(best.stock !== 0)
    if (better > 0 || (better === 0 && isCheaper(item, best, pricing))) best = item
  }
  return best
}

function isCheaper(a: Item, b: Item, pricing: Pricing): boolean {
  const isPlain = pricing.rules.length === 0 && pricing.terms.floor === null
  if (isPlain && a.priceCurrency === b.priceCurrency) return a.priceMinor < b.priceMinor
  const currency = pricing.currencies.get(b.priceCurrency)
  if (!currency) return false
  const [price, other] = [priceOf(pricing, a, currency).minor, priceOf(pricing, b, currency).minor]
  return price !== null && (other === null || price < other)
}

/** Whole percent off what an item is compared with, at its retail price, in the currency that both were set in. */
export function retailDiscount(item: Item, pricing: Pricing): number {
  const currency = pricing.currencies.get(item.priceCurrency)
  const minor = currency ? priceOf(pricing, item, currency).minor : null
  return minor === null ? 0 : discountPercent(minor, item.marketMinor)
}
