import type { Brand, Catalogue, Product } from '#features/goods/catalogue/rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'

/** Goods that say something else than before, where nothing else of the shop does. */
export interface GoodsChange {
  readonly before: ShopSnapshot
  readonly after: ShopSnapshot
  /** Codes of the products. */
  readonly products: ReadonlySet<string>
}

/** Parts of a snapshot that many pages show, whichever goods they are of. */
const SHARED = [
  'settings',
  'theme',
  'missing',
  'payMethods',
  'currencies',
  'currencyNames',
  'taxes',
  'countries',
  'contents',
  'reviews',
  'pictures',
] as const satisfies readonly (keyof ShopSnapshot)[]

/**
 * Which products a change is of. Null where it is of more: goods that come, go or change places, a brand that moves to other lists, or
 * anything that pages of all goods show.
 */
export function changedGoods(before: ShopSnapshot, after: ShopSnapshot): GoodsChange | null {
  if (before.recentSales !== after.recentSales) return null
  if (!SHARED.every((part) => isSame(before[part], after[part]))) return null
  // The moment it was read at moves with every reading, and is shown by no page.
  if (!isSame({ ...before.pricing, at: null }, { ...after.pricing, at: null })) return null
  if (!hasSamePlaces(before.catalogue, after.catalogue)) return null
  const phrases = changedPhrases(before.catalogue, after.catalogue)
  const products = new Set<string>()
  const brands = new Map<Brand, boolean>()
  for (const [index, now] of after.catalogue.products.entries()) {
    const then = before.catalogue.products[index] as Product
    let isBrandChanged = brands.get(now.brand)
    if (isBrandChanged === undefined) {
      isBrandChanged = hasChanged(ownOf(then.brand), ownOf(now.brand), phrases)
      brands.set(now.brand, isBrandChanged)
    }
    if (isBrandChanged || hasChanged(ownOf(then), ownOf(now), phrases)) products.add(now.code)
  }
  return { before, after, products }
}

/** The same goods in the same order, linked alike: only what they say may differ. */
function hasSamePlaces(before: Catalogue, after: Catalogue): boolean {
  return (
    before.products.length === after.products.length &&
    before.brands.length === after.brands.length &&
    after.products.every((now, index) => isPlacedAlike(before.products[index] as Product, now)) &&
    after.brands.every(({ code }, index) => before.brands[index]?.code === code) &&
    isSame(before.games.map(withoutProducts), after.games.map(withoutProducts)) &&
    isSame(before.categories, after.categories) &&
    isSame(before.platforms, after.platforms) &&
    isSame(before.regions, after.regions) &&
    isSame(before.redirects, after.redirects)
  )
}

function isPlacedAlike(then: Product, now: Product): boolean {
  const [a, b] = [then.brand, now.brand]
  return (
    then.code === now.code &&
    then.type === now.type &&
    a.code === b.code &&
    a.game === b.game &&
    a.popularity === b.popularity &&
    a.isHot === b.isHot &&
    isSame(a.categoryIds, b.categoryIds)
  )
}

const withoutProducts = (game: Catalogue['games'][number]) => ({ ...game, products: null })

/** What a brand or a product says of itself, without what it is linked with. */
function ownOf(subject: Brand | Product): object {
  return 'brand' in subject ? { ...subject, brand: null } : { ...subject, products: null }
}

function hasChanged(then: object, now: object, phrases: ReadonlySet<string>): boolean {
  return !isSame(then, now) || (phrases.size > 0 && mentions(now, phrases))
}

/** English sentences that read otherwise in some language than before. */
function changedPhrases(before: Catalogue, after: Catalogue): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const [language, now] of after.phrases) {
    const then = before.phrases.get(language)
    for (const [english, text] of now) if (then?.get(english) !== text) changed.add(english)
    for (const english of then?.keys() ?? []) if (!now.has(english)) changed.add(english)
  }
  return changed
}

function mentions(value: unknown, sentences: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return sentences.has(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((part) => mentions(part, sentences))
}

/** Whether plain values (with maps and moments among them) are equal all through. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime()
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value, index) => isSame(value, (b as readonly unknown[])[index]))
    )
  if (a instanceof Map)
    return (
      b instanceof Map &&
      a.size === b.size &&
      [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)))
    )
  const keys = Object.keys(a) as (keyof typeof a)[]
  return (
    keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]))
  )
}
