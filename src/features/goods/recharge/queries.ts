import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { GOODS_TYPE, type Catalogue, type Product } from '#features/goods/catalogue/rules.ts'

const operators = new WeakMap<Catalogue, ReadonlyMap<string, readonly Product[]>>()

/** Operators by country code, in the shop's order of popularity. Made once a catalogue. */
export function operatorsByCountry({
  catalogue,
}: Pick<ShopSnapshot, 'catalogue'>): ReadonlyMap<string, readonly Product[]> {
  let byCountry = operators.get(catalogue)
  if (!byCountry) {
    const all = catalogue.products.filter(
      (product) => product.type === GOODS_TYPE.recharge && product.brand.recharge !== null,
    )
    all.sort((a, b) => b.brand.popularity - a.brand.popularity || a.index - b.index)
    byCountry = Map.groupBy(all, (product) => product.brand.recharge?.country ?? '')
    operators.set(catalogue, byCountry)
  }
  return byCountry
}
