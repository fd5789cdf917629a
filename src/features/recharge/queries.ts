import type { ShopSnapshot } from '#features/browse/snapshot.ts'
import { GOODS_TYPE, type Product } from '#features/catalogue/rules.ts'

const operators = new WeakMap<ShopSnapshot, ReadonlyMap<string, readonly Product[]>>()

/** Operators by country code, in the shop's order of popularity. Made once a snapshot. */
export function operatorsByCountry(shop: ShopSnapshot): ReadonlyMap<string, readonly Product[]> {
  let byCountry = operators.get(shop)
  if (!byCountry) {
    const all = shop.catalogue.products.filter((product) => product.type === GOODS_TYPE.recharge && product.brand.recharge !== null)
    all.sort((a, b) => b.brand.popularity - a.brand.popularity || a.index - b.index)
    byCountry = Map.groupBy(all, (product) => product.brand.recharge?.country ?? '')
    operators.set(shop, byCountry)
  }
  return byCountry
}
