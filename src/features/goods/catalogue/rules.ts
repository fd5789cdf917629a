import type { LanguageCode } from '#kernel/language.ts'
import type { PluralForms } from '#kernel/plural.ts'

/** A text of the catalogue: English always, other languages where the data has them. */
export type Texts = Readonly<{ en: string } & Partial<Record<LanguageCode, string>>>

/** The wire contract's goods types (decisions, "Kinds of goods"). */
export const GOODS_TYPE = { card: 1, topUp: 2, recharge: 3, gameProduct: 4 } as const
export type GoodsType = (typeof GOODS_TYPE)[keyof typeof GOODS_TYPE]

export type BrandKind =
  | 'top_up'
  | 'game_card'
  | 'gift_card'
  | 'prepaid_card'
  | 'subscription'
  | 'recharge'
  | 'game_key'
export type ItemKind =
  | 'pack'
  | 'pass'
  | 'membership'
  | 'bundle'
  | 'value'
  | 'plan'
  | 'edition'
  | 'airtime'
  | 'data'
export type RegionLock = 'country' | 'currency' | 'zone' | 'none'

export interface Platform {
  readonly code: string
  readonly name: Texts
}

/** Where goods work: a country, the eurozone, "global". */
export interface Region {
  readonly code: string
  readonly name: Texts
}

export interface Category {
  readonly id: number
  readonly code: string
  readonly name: Texts
  readonly icon: string
  readonly path: string
  readonly picture: string | null
  readonly children: readonly Category[]
}

export interface Game {
  readonly code: string
  readonly name: Texts
  readonly publisher: string
  readonly aliases: readonly string[]
  readonly platforms: readonly string[]
  readonly categoryId: number | null
  readonly releasedYear: number | null
  readonly picture: string | null
  readonly popularity: number
  readonly isHot: boolean
  readonly products: readonly Product[]
}

/** Of a field: where what it asks for is found. */
export interface FieldPicture {
  /** Of the picture that every language shows which has none of its own. */
  readonly code: string
  /** What is seen on it, in English. */
  readonly alt: string
  readonly languages: Readonly<Partial<Record<LanguageCode, string>>>
}

/** A field of the game account (or phone) a direct charge needs. Texts are English; `phrases` translate them. */
export interface AccountField {
  readonly key: string
  readonly kind: 'digits' | 'text' | 'select' | 'email' | 'phone'
  readonly label: string
  readonly required: boolean
  readonly help: string | null
  /** Where it is found; left out where there is none. */
  readonly picture?: FieldPicture
  readonly pattern: string | null
  readonly min: number | null
  readonly max: number | null
  readonly placeholder: string | null
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** Whether a supplier is asked about the account before paying: never, where one can be asked, or else it is not sold. */
export type AccountCheckMode = 'none' | 'wish' | 'must'

export interface Recharge {
  readonly country: string
  readonly callingCode: string
  readonly prefixes: readonly string[]
  readonly prefixesNote: string | null
  readonly airtime: {
    readonly kind: 'fixed' | 'range'
    readonly min: string | null
    readonly max: string | null
  }
  readonly portability: boolean
}

export interface KeyFormat {
  readonly type: 'code' | 'pin' | 'pin_and_serial' | 'number_and_pin' | 'none'
  readonly text: string
}

export interface Brand {
  readonly code: string
  readonly kind: BrandKind
  readonly type: GoodsType
  readonly name: Texts
  readonly publisher: string
  readonly aliases: readonly string[]
  readonly game: string | null
  readonly platforms: readonly string[]
  readonly categoryIds: readonly number[]
  readonly picture: string | null
  readonly delivery: 'card_key' | 'direct_charge'
  /** The catalogue's estimate of the time to delivery. */
  readonly typicalMinutes: number | null
  /** Minutes within which half, and 95 of 100, of the latest deliveries were there; null until there were enough of them. */
  readonly measuredMinutes: { readonly half: number; readonly most: number } | null
  readonly unit: Unit | null
  readonly fields: readonly AccountField[]
  readonly accountCheck: AccountCheckMode
  readonly redeemAt: string | null
  readonly redeemSteps: readonly string[]
  readonly keyFormat: KeyFormat | null
  readonly validity: string | null
  readonly recharge: Recharge | null
  readonly releasedYear: number | null
  readonly popularity: number
  readonly isHot: boolean
  /** Its products in the shop's order; the first is the one shown where only one fits. */
  readonly products: readonly Product[]
}

export interface Unit {
  readonly key: string
  /** As a title has it: "Diamonds". */
  readonly name: Texts
  /** "{n} Diamonds", by language: where a language has none, the shop knows nothing but the name. */
  readonly forms: Readonly<Partial<Record<LanguageCode, PluralForms>>>
}

/** A brand in a sales region: what has a page of its own. */
export interface Product {
  /** Position in `Catalogue.products`: dense, from 0. */
  readonly index: number
  readonly code: string
  readonly type: GoodsType
  readonly brand: Brand
  readonly region: Region
  /** Countries whose accounts or shops accept it; null means all. */
  readonly countries: readonly string[] | null
  readonly lock: RegionLock
  readonly lockNote: string
  /** What search engines are told in place of the shop's own words, in English; null for those. */
  readonly seoTitle: string | null
  readonly seoDescription: string | null
  readonly faceCurrency: string | null
  readonly picture: string | null
  /** Whether it leads its brand (the one shown in "hot" and "recommended" lists). */
  readonly isLeading: boolean
  /** The owner's estimate of this product; null where what is said of its brand holds. */
  readonly typicalMinutes: number | null
  /** How long its deliveries by suppliers take; null where there were too few. */
  readonly pace: Pace | null
  readonly items: readonly Item[]
}

/** Amounts in minor units of the face currency: from the least on in steps to the greatest. */
export interface FreeAmount {
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly stepMinor: bigint
}

/** Minutes to delivery, where the product itself was not measured: half and 95 of 100 as they were of its brand, or an estimate. */
export interface DeliveryTime {
  readonly minutes: number
  /** Null: an estimate. */
  readonly most: number | null
}

/** What is said of the product goes before what is said of its brand, but nothing is estimated to be faster than it was. */
export function deliveryTimeOf({
  typicalMinutes: own,
  brand,
}: {
  readonly typicalMinutes: number | null
  readonly brand: Pick<Brand, 'measuredMinutes' | 'typicalMinutes'>
}): DeliveryTime | null {
  const { measuredMinutes: measured, typicalMinutes } = brand
  if (measured !== null && (own === null || own <= measured.half))
    return { minutes: measured.half, most: measured.most }
  const estimate = own ?? typicalMinutes
  return estimate === null ? null : { minutes: estimate, most: null }
}

/** Seconds from payment to delivery: half of the latest, 95 of 100, and half of those of now where that is much longer. */
export interface Pace {
  readonly half: number
  readonly most: number
  readonly now: number | null
}

/** What is bought: one denomination or pack, with its price and stock (SKU). */
export interface Item {
  readonly id: string
  readonly code: string
  readonly kind: ItemKind
  readonly name: string
  readonly units: bigint | null
  readonly bonus: bigint | null
  readonly days: number | null
  readonly dataMb: number | null
  readonly faceMinor: bigint | null
  /** Sold at any amount of these, and priced by what its face costs; null for goods that are what they are. */
  readonly free: FreeAmount | null
  readonly priceMinor: bigint
  readonly priceCurrency: string
  /** In other currencies, instead of the price converted; null for none. */
  readonly ownPrices: ReadonlyMap<string, bigint> | null
  /** Of one, at the supplier that is asked first; null where nobody has said. */
  readonly cost: {
    readonly supplier: string | null
    readonly minor: bigint
    readonly currency: string
  } | null
  /** Codes of the brand and of where the goods work: what margin rules go by. */
  readonly brand: string
  readonly region: string
  readonly marketMinor: bigint | null
  /** Units at hand; null where a supplier makes it to order. */
  readonly stock: number | null
  /** Not sold for the moment, as somebody of the shop has said; then its stock is none. */
  readonly isStopped?: true
  readonly sold: number
}

export type RedirectKind = 'brand' | 'product' | 'game' | 'category' | 'item'

/** The whole catalogue as it is sold now, linked and in the shop's order. Suspended rows are not in it. */
export interface Catalogue {
  readonly platforms: readonly Platform[]
  readonly regions: ReadonlyMap<string, Region>
  /** Roots of the category tree. */
  readonly categories: readonly Category[]
  readonly categoryById: ReadonlyMap<number, Category>
  readonly categoryByCode: ReadonlyMap<string, Category>
  readonly parentOfCategory: ReadonlyMap<number, Category>
  /** By popularity. */
  readonly games: readonly Game[]
  readonly gameByCode: ReadonlyMap<string, Game>
  readonly brands: readonly Brand[]
  readonly brandByCode: ReadonlyMap<string, Brand>
  readonly products: readonly Product[]
  readonly productByCode: ReadonlyMap<string, Product>
  readonly itemCount: number
  /** New code of a renamed one, `${kind} ${oldCode}` → new code. */
  readonly redirects: ReadonlyMap<string, string>
  /** Translations of recurring sentences: language → English → text. */
  readonly phrases: ReadonlyMap<LanguageCode, ReadonlyMap<string, string>>
}

/** The text in a language, else in English. */
export function textIn(texts: Texts, language: LanguageCode): string {
  return texts[language] ?? texts.en
}

/** A recurring sentence (redemption step, field label, name of a pass) in a language, else in English. */
export function phraseIn(
  catalogue: Pick<Catalogue, 'phrases'>,
  language: LanguageCode,
  english: string,
): string {
  return catalogue.phrases.get(language)?.get(english) ?? english
}

/** Below this the number at hand is said. */
export const FEW_IN_STOCK = 20

export function isInStock(item: Pick<Item, 'stock'>): boolean {
  return item.stock === null || item.stock > 0
}

/** Where a product's page lives (decisions, "Kinds of goods"), without language prefix. */
export function productPath(product: Pick<Product, 'type' | 'code' | 'brand'>): string {
  switch (product.type) {
    case GOODS_TYPE.card:
      return `/cards/${product.code}`
    case GOODS_TYPE.topUp:
      return `/top-up/${product.code}`
    case GOODS_TYPE.gameProduct:
      return `/product/${product.code}`
    case GOODS_TYPE.recharge:
      return `/mobile-recharge/airtime?country=${product.brand.recharge?.country ?? ''}&operator=${product.code}`
    default:
      return product.type satisfies never
  }
}
