import { LRUCache } from 'lru-cache'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import type { Language } from '#kernel/language.ts'

export interface RechargeCountry {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly name: string
  /** "+62"; empty where unknown. */
  readonly dialCode: string
}

const lists = new WeakMap<ShopSnapshot, LRUCache<string, readonly RechargeCountry[]>>()

/** Countries with a mobile operator in the catalogue, in the alphabet of the language; made once a snapshot and language. */
export function rechargeCountries(
  shop: ShopSnapshot,
  language: Language,
): readonly RechargeCountry[] {
  let known = lists.get(shop)
  if (!known) lists.set(shop, (known = new LRUCache({ max: 30 })))
  let list = known.get(language.code)
  if (!list) known.set(language.code, (list = makeList(shop, language)))
  return list
}

function makeList(shop: ShopSnapshot, language: Language): readonly RechargeCountry[] {
  const collator = new Intl.Collator(language.intl)
  return [...operatorsByCountry(shop).keys()]
    .map((code) => {
      const country = shop.countryByCode.get(code)
      const dialCode = country?.dialCode ?? country?.phone?.callingCode ?? ''
      return { code, name: country ? textIn(country.name, language.code) : code, dialCode }
    })
    .sort((a, b) => collator.compare(a.name, b.name))
}
