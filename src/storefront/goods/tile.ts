import { LRUCache } from 'lru-cache'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { gamePath, productCard, type ShopView } from '#features/goods/browse/views.ts'
import {
  deliveryTimeOf,
  productPath,
  textIn,
  type Game,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { formatAverage } from '#platform/i18n/format.ts'
import { formatReduction } from '#platform/i18n/percent.ts'
import type { PageContext } from '../page.ts'
import { paceBadgeOf, timeBadgeOf } from '../product/facts.ts'
import { pictureAddress } from './picture.ts'

/** What a tile shows. Kept small: a list sends 48 of them beside its HTML. */
export interface GoodsTile {
  /** Without language prefix. */
  readonly path: string
  readonly image: string
  /** In three parts where the middle one is what was searched for. */
  readonly name: string | readonly [before: string, match: string, after: string]
  /** Language of the name where it is not the page's. */
  readonly lang?: string
  /** Second line: region of a product, publisher of a game. */
  readonly note?: string
  readonly rating?: { readonly text: string; readonly label: string }
  /** How soon it is there. */
  readonly delivery?: string
  /** The price is the lowest of several. */
  readonly from?: true
  readonly price?: string
  readonly discount?: string
}

/** The languages and prices of a page, as the browse feature takes them. */
export function viewOf({ shop, language, currency, t }: PageContext): ShopView {
  return { shop, language: language.code, currency, t }
}

/** Tiles of one language and currency. What a tile says stays while a snapshot lives: one that sells out makes another (`followStock`). */
type TileTable = Map<Product, GoodsTile>

/** Pairs of language and currency kept at once, and tiles kept of each: together at most some 10 MB. */
const TABLES_MAX = 48
const TILES_MAX = 500

const tables = new WeakMap<ShopSnapshot, LRUCache<string, TileTable>>()

/** Lists in other orders, of other filters and on other pages show the same tiles: each is made once. */
export function goodsTile(view: ShopView, product: Product): GoodsTile {
  const table = tilesOf(view)
  let tile = table.get(product)
  if (!tile) {
    tile = makeTile(view, product)
    if (table.size >= TILES_MAX) table.clear()
    table.set(product, tile)
  }
  return tile
}

function tilesOf({ shop, language, currency }: ShopView): TileTable {
  let ofShop = tables.get(shop)
  if (!ofShop) tables.set(shop, (ofShop = new LRUCache({ max: TABLES_MAX })))
  const key = language + currency.code
  let table = ofShop.get(key)
  if (!table) ofShop.set(key, (table = new Map()))
  return table
}

function makeTile(view: ShopView, product: Product): GoodsTile {
  const { language, t } = view
  const card = productCard(view, product)
  return {
    path: productPath(product),
    image: pictureAddress(view, 'goods_thumb_3_4', product.picture ?? product.brand.picture),
    name: card.goods_name,
    ...foreign(product.brand.name[language] === undefined),
    note: card.region.name,
    ...ratingOf(view, card.rating),
    ...(card.in_stock ? deliveryOf(view, product) : {}),
    ...(card.in_stock
      ? priceOf(card.price, product.items.length)
      : { price: t(card.is_stopped ? 'goods.stopped' : 'goods.soldOut') }),
    ...(card.in_stock && card.discount > 0
      ? { discount: formatReduction(language, card.discount) }
      : {}),
  }
}

export function gameTile(view: ShopView, game: Game): GoodsTile {
  const { language } = view
  return {
    path: gamePath(game),
    image: pictureAddress(view, 'goods_thumb_3_4', game.picture),
    name: textIn(game.name, language),
    ...foreign(game.name[language] === undefined),
    ...(game.publisher === '' ? {} : { note: game.publisher }),
  }
}

/** Nothing is said before the first rating. */
function ratingOf(
  { language, t }: ShopView,
  { average, count }: { readonly average: number; readonly count: number },
): Pick<GoodsTile, 'rating'> {
  if (count === 0) return {}
  const text = formatAverage(language, average)
  return { rating: { text, label: t('reviews.stars', { rating: text }) } }
}

/** Measured, or estimated and said to be, as on its page; a code of which nothing more is known is there as soon as it is paid. */
function deliveryOf({ t, language }: ShopView, product: Product): Pick<GoodsTile, 'delivery'> {
  const { brand, pace } = product
  if (pace !== null)
    return {
      delivery: paceBadgeOf({ usual_seconds: pace.half, now_seconds: pace.now }, t, language),
    }
  const time = deliveryTimeOf(product)
  if (time !== null) return { delivery: timeBadgeOf(time, t, language) }
  return brand.delivery === 'card_key' ? { delivery: t('goods.codeAtOnce') } : {}
}

/** Names without a translation are shown, and announced, in English. */
function foreign(isForeign: boolean): { readonly lang?: string } {
  return isForeign ? { lang: 'en' } : {}
}

function priceOf(
  price: { readonly text: string } | null,
  itemCount: number,
): Pick<GoodsTile, 'price' | 'from'> {
  if (!price) return {}
  return itemCount > 1 ? { price: price.text, from: true } : { price: price.text }
}
