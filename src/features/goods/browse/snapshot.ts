import { loadCatalogue } from '#features/goods/catalogue/snapshot.ts'
import {
  FEW_IN_STOCK,
  type Catalogue,
  type Item,
  type Product,
  type Texts,
} from '#features/goods/catalogue/rules.ts'
import {
  NO_SAMPLES,
  sampleLanguages,
  type SampleTexts,
} from '#features/goods/content/engine/sample-texts.ts'
import { loadContents, withPicturesInAll } from '#features/goods/content/queries.ts'
import type { Content } from '#features/goods/content/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { readPayMethods } from '#features/goods/pay-method/queries.ts'
import type { PayMethod } from '#features/goods/pay-method/rules.ts'
import {
  GAME_ART_PREFIX,
  goodsPicture,
  listPictures,
  type StoredPicture,
} from '#features/goods/picture/queries.ts'
import { pricingOf, type PricingNow } from '#features/goods/price/queries.ts'
import { listCountries } from '#features/goods/region/queries.ts'
import type { Country } from '#features/goods/region/rules.ts'
import { listReviews } from '#features/goods/review/queries.ts'
import { summariseRatings, type RatingSummary, type Review } from '#features/goods/review/rules.ts'
import { buildSearchIndex, type SearchIndex } from '#features/goods/search/engine/index-builder.ts'
import { readShopSettings } from '#features/base/shop/queries.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import {
  missingOf,
  type Missing,
  type ShopSettings,
  type TextState,
} from '#features/base/shop/rules.ts'
import { sellIncompleteSetting } from '#features/base/shop/schema.ts'
import type { Theme } from '#features/base/theme/rules.ts'
import { themeSetting } from '#features/base/theme/schema.ts'
import { readTaxTable } from '#features/goods/tax/queries.ts'
import type { TaxTable } from '#features/goods/tax/rules.ts'
import type { StockLevel } from '#features/goods/stock/queries.ts'
import { LRUCache } from 'lru-cache'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { leadItem } from './engine/lead.ts'
import { gameDocument, productDocuments } from './engine/search-documents.ts'

/** Everything a visitor can see, in memory, at one moment. A new one replaces it; only stock and units sold move within (`followStock`). */
export interface ShopSnapshot {
  /** Grows with each replacement; part of every cache key. */
  readonly version: number
  readonly settings: ShopSettings
  /** How its pages look. */
  readonly theme: Theme
  /** What must be there before anything is sold, and is not; empty where the shop sells all the same. */
  readonly missing: readonly Missing[]
  /** Ways to pay in the cashier's order, whichever providers are set up. */
  readonly payMethods: readonly PayMethod[]
  readonly catalogue: Catalogue
  readonly currencies: readonly Currency[]
  readonly currencyByCode: ReadonlyMap<string, Currency>
  readonly currencyNames: ReadonlyMap<string, Texts>
  /** What prices are worked out from. */
  readonly pricing: PricingNow
  /** What of a price is tax. */
  readonly taxes: TaxTable
  readonly countries: readonly Country[]
  readonly countryByCode: ReadonlyMap<string, Country>
  /** What is told and asked, by language. */
  readonly contents: ReadonlyMap<LanguageCode, Content>
  readonly reviews: readonly Review[]
  readonly reviewsOfBrand: ReadonlyMap<string, readonly Review[]>
  readonly ratingOfBrand: ReadonlyMap<string, RatingSummary>
  readonly pictures: ReadonlyMap<string, StoredPicture>
  readonly productSearch: SearchIndex
  readonly gameSearch: SearchIndex
  /** Units of each item delivered in the last weeks, by its id, as counted once a day. */
  readonly recentSales: ReadonlyMap<string, number>
  /** Orders and filtered lists made so far; dies with the snapshot. */
  readonly lists: LRUCache<string, Uint32Array>
}

const LIST_CACHE_BYTES = 64 * 1024 * 1024

/** What a snapshot is made from. */
export interface ShopParts {
  readonly settings: ShopSettings
  readonly theme: Theme
  readonly sellsIncomplete: boolean
  /** Ways to pay in the cashier's order, whichever providers are set up. */
  readonly payMethods: readonly PayMethod[]
  readonly catalogue: Catalogue
  readonly currencies: readonly Currency[]
  readonly currencyNames: ReadonlyMap<string, Partial<Texts>>
  readonly pricing: PricingNow
  readonly taxes: TaxTable
  readonly countries: readonly Country[]
  /** What is told and asked, by language. */
  readonly contents: ReadonlyMap<LanguageCode, Content>
  /** Texts that do not count as the shop's own. */
  readonly samples: SampleTexts
  readonly reviews: readonly Review[]
  readonly pictures: ReadonlyMap<string, StoredPicture>
}

/** Reads the whole shop. With `previous` and only prices or stock changed, the search indexes are kept. */
export async function loadSnapshot(
  db: Db,
  version: number,
  previous: ShopSnapshot | null = null,
  samples: SampleTexts = NO_SAMPLES,
): Promise<ShopSnapshot> {
  const [
    settings,
    theme,
    sellsIncomplete,
    payMethods,
    catalogue,
    currencies,
    countries,
    contents,
    reviews,
    pictures,
    currencyNames,
    taxes,
  ] = await Promise.all([
    readShopSettings(db),
    readSetting(db, themeSetting),
    readSetting(db, sellIncompleteSetting),
    readPayMethods(db),
    loadCatalogue(db),
    listCurrencies(db),
    listCountries(db),
    loadContents(db),
    listReviews(db),
    listPictures(db),
    readCurrencyNames(db),
    readTaxTable(db),
  ])
  return makeSnapshot(
    {
      settings,
      theme,
      sellsIncomplete,
      payMethods,
      pricing: await pricingOf(db, currencies, payMethods),
      catalogue,
      currencies,
      currencyNames,
      taxes,
      countries,
      samples,
      reviews,
      ...withPicturesInAll(contents, withGameArt(catalogue, pictures), picturesIn(catalogue)),
    },
    version,
    previous,
  )
}

/** The cover of the goods that articles name by a brand's or a game's code. */
const picturesIn =
  ({ brandByCode, gameByCode }: Catalogue) =>
  (code: string): readonly (string | null)[] => {
    const brand = brandByCode.get(code)
    return [brand?.picture ?? brand?.products[0]?.picture ?? gameByCode.get(code)?.picture ?? null]
  }

/** With what is drawn of each game's cover over its page. */
function withGameArt(
  { games }: Catalogue,
  pictures: ReadonlyMap<string, StoredPicture>,
): ReadonlyMap<string, StoredPicture> {
  const drawn = new Map(pictures)
  for (const { code, picture } of games) {
    const art = goodsPicture('banner', [picture], pictures)
    if (art) drawn.set(`${GAME_ART_PREFIX}${code}`, art)
  }
  return drawn
}

/** Links the parts and builds what is missing of the search indexes; pure. */
export function makeSnapshot(
  parts: ShopParts,
  version: number,
  previous: ShopSnapshot | null = null,
): ShopSnapshot {
  const {
    settings,
    theme,
    sellsIncomplete,
    payMethods,
    catalogue,
    currencies,
    currencyNames,
    pricing,
    taxes,
    countries,
    contents,
    samples,
    reviews,
    pictures,
  } = parts
  const reviewsOfBrand = Map.groupBy(reviews, (review) => review.brand)
  const known = previous && standAlike(previous.catalogue, catalogue) ? previous : null
  const productSearch = known?.productSearch ?? buildSearchIndex(productDocuments(catalogue))
  const gameSearch = known?.gameSearch ?? buildSearchIndex(catalogue.games.map(gameDocument))
  return {
    version,
    settings,
    theme,
    missing: sellsIncomplete ? [] : missingOf(settings, textsIn(contents, samples)),
    payMethods,
    catalogue,
    currencies,
    currencyByCode: new Map(currencies.map((currency) => [currency.code, currency])),
    currencyNames: new Map(
      currencies.map((currency) => [
        currency.code,
        { ...currencyNames.get(currency.code), en: currency.name },
      ]),
    ),
    pricing,
    taxes,
    countries,
    countryByCode: new Map(countries.map((country) => [country.code, country])),
    contents,
    reviews,
    reviewsOfBrand,
    ratingOfBrand: new Map(
      [...reviewsOfBrand].map(([brand, list]) => [brand, summariseRatings(list)]),
    ),
    pictures,
    productSearch,
    gameSearch,
    recentSales: new Map(),
    lists: newLists(),
  }
}

/** Search indexes find places: goods whose last item goes or comes back move all that stand behind them. */
function standAlike(one: Catalogue, other: Catalogue): boolean {
  const areAlike = (a: readonly { code: string }[], b: readonly { code: string }[]) =>
    a.length === b.length && a.every(({ code }, index) => code === b[index]?.code)
  return areAlike(one.products, other.products) && areAlike(one.games, other.games)
}

const newLists = () =>
  new LRUCache<string, Uint32Array>({
    maxSize: LIST_CACHE_BYTES,
    sizeCalculation: (list) => list.byteLength + 200,
  })

/** What levels of stock change in what is shown. */
export interface StockShift {
  /** The same one, or another where lists of products are other than before. */
  readonly snapshot: ShopSnapshot
  /** Products whose own page says something else now. */
  readonly products: readonly Product[]
}

export type ItemPlace = Readonly<{ item: Item; product: Product }>

/** Where each item stands, by its id. */
export function placesOf({
  products,
}: Pick<Catalogue, 'products'>): ReadonlyMap<string, ItemPlace> {
  return new Map(
    products.flatMap((product) => product.items.map((item) => [item.id, { item, product }])),
  )
}

/** Units sold are told to about one in a hundred: a page is not made anew for each sale. */
const SOLD_STEPS = 100

/**
 * Writes stock and sales into the snapshot's items, in place: thousands of products stay as they are. Where the item that stands
 * for a product becomes another, or sells out or comes back, lists change too, and what was remembered of them is left behind.
 */
export function followStock(
  snapshot: ShopSnapshot,
  places: ReadonlyMap<string, ItemPlace>,
  levels: readonly StockLevel[],
): StockShift {
  const products = new Set<Product>()
  let isListed = false
  for (const { item: id, free, isToOrder, sold } of levels) {
    const place = places.get(id)
    if (!place) continue
    const { product } = place
    const item = place.item as { -readonly [Name in keyof Item]: Item[Name] }
    const before = { lead: leadItem(product, snapshot.pricing), stock: item.stock }
    if (free !== null && !item.isStopped) item.stock = isToOrder ? null : free
    const isSoldShown = sold !== item.sold && Math.abs(sold - item.sold) * SOLD_STEPS >= item.sold
    if (isSoldShown) item.sold = sold
    if (isSoldShown || shownStock(before.stock) !== shownStock(item.stock)) products.add(product)
    const hasTurned = (before.stock === 0) !== (item.stock === 0)
    isListed ||=
      hasTurned &&
      (before.lead === place.item || leadItem(product, snapshot.pricing) !== before.lead)
  }
  return {
    products: [...products],
    snapshot: isListed ? { ...snapshot, lists: newLists() } : snapshot,
  }
}

const shownStock = (stock: number | null) => (stock === null ? null : Math.min(stock, FEW_IN_STOCK))

async function readCurrencyNames(db: Db): Promise<Map<string, Partial<Texts>>> {
  const rows = await db
    .selectFrom('translation')
    .select(['subject_code', 'language', 'text'])
    .where('subject', '=', 'currency')
    .where('field', '=', 'name')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.subject_code)].map(([code, list]) => [
      code,
      Object.fromEntries(list.map((row) => [row.language, row.text])),
    ]),
  )
}

/** What the shop must have before it sells, and has not, whether it sells all the same or not. */
export async function listMissing(db: Db, samples: SampleTexts): Promise<readonly Missing[]> {
  const [settings, contents] = await Promise.all([readShopSettings(db), loadContents(db)])
  return missingOf(settings, textsIn(contents, samples))
}

const textsIn =
  (contents: ShopSnapshot['contents'], samples: SampleTexts) =>
  (code: string): TextState => ({
    isThere: contents.get('en')?.pageByCode.has(code) ?? false,
    samples: sampleLanguages(contents, code, samples),
  })
