import { textIn, type Game, type Product } from '#features/goods/catalogue/rules.ts'
import type { Article } from '#features/goods/content/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { PictureStyle } from '#features/goods/picture/rules.ts'
import { gradeOf, NO_RATING, type Review } from '#features/goods/review/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { formatDate } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { cheapestOf } from './engine/games.ts'
import { contentIn, pictureLink } from './queries.ts'
import type { ShopSnapshot } from './snapshot.ts'
import { goodsName, placeOf } from './view/names.ts'
import { isSold, itemPrices, leadItemOf } from './view/price.ts'
import type { GameCard, NewsCard, Place, ProductCard, ReviewView } from './view/shapes.ts'

/** For whom something is shown: what is in the shop, in which language and in which currency. */
export interface ShopView {
  readonly shop: ShopSnapshot
  readonly language: LanguageCode
  readonly currency: Currency
  readonly t: Translate
}

/** A product in a list. Made some ten thousand times a second, hence the memory behind names, prices and addresses. */
export function productCard(view: ShopView, product: Product): ProductCard {
  const { shop, language } = view
  const item = leadItemOf(shop, product)
  const rating = shop.ratingOfBrand.get(product.brand.code) ?? NO_RATING
  return {
    code: product.code,
    goods_name: productName(view, product),
    type: product.type,
    image: goodsImage(shop, product),
    region: placeOf(product.region.code, textIn(product.region.name, language)),
    ...itemPrices(view, item),
    in_stock: isSold(view, item),
    ...(item.isStopped ? { is_stopped: true as const } : {}),
    rating: { average: rating.average, count: rating.count },
  }
}

const topUpNames = new WeakMap<Product, Partial<Record<LanguageCode, string>>>()

/** `goodsName`, the composed ones remembered as long as the product lives. */
export function productName({ language, t }: ShopView, product: Product): string {
  if (product.brand.kind !== 'top_up') return textIn(product.brand.name, language)
  let names = topUpNames.get(product)
  if (!names) topUpNames.set(product, (names = {}))
  return (names[language] ??= goodsName(product.brand, language, t))
}

const images = new WeakMap<ShopSnapshot, string[]>()

/** Made once a snapshot: an address holds the hash of what the picture shows. */
export function goodsImage(shop: ShopSnapshot, product: Product): string {
  let urls = images.get(shop)
  if (!urls) images.set(shop, (urls = []))
  return (urls[product.index] ??= pictureOr(shop, 'goods_thumb_1_1', product.picture))
}

/** Address of a picture, empty when there is none. */
function pictureOr(shop: ShopSnapshot, style: PictureStyle, code: string | null): string {
  return code === null ? '' : pictureLink(shop, style, code)
}

export function gameCard(view: ShopView, game: Game): GameCard {
  const cheapest = cheapestOf(view.shop, game, view.currency)
  const item = cheapest && leadItemOf(view.shop, cheapest)
  return {
    code: game.code,
    name: textIn(game.name, view.language),
    image: pictureOr(view.shop, 'goods_thumb_3_4', game.picture),
    publisher: game.publisher,
    path: gamePath(game),
    goods_count: game.products.length,
    price: item ? itemPrices(view, item).price : null,
  }
}

/** Where a game's page lives, without language prefix. */
export function gamePath(game: Pick<Game, 'code'>): string {
  return `/game/${game.code}`
}

/** @param timeZone the shop's: the day a text was published is a day of the shop */
export function newsCard(
  { shop, language }: ShopView,
  article: Article,
  timeZone: string,
): NewsCard {
  const category = contentIn(shop, language).categories.find(
    ({ kind, code }) => kind === 'news' && code === article.category,
  )
  return {
    code: article.code,
    title: article.title,
    summary: article.summary,
    image: pictureOr(shop, 'article', article.picture),
    category: category ? { code: category.code, name: textIn(category.name, language) } : null,
    published_at: article.publishedAt.toISOString(),
    published_text: formatDate(language, article.publishedAt, timeZone),
  }
}

export function reviewView(view: ShopView, review: Review, timeZone: string): ReviewView {
  const leading = view.shop.catalogue.brandByCode.get(review.brand)?.products[0]
  return {
    id: review.id,
    rating: review.rating,
    grade: gradeOf(review.rating),
    text: review.text,
    language: review.language,
    nickname: review.nickname,
    country: review.country === null ? null : countryView(view, review.country),
    helpful: review.helpful,
    is_verified: review.isVerified,
    answer: review.answer,
    published_at: review.publishedAt.toISOString(),
    published_text: formatDate(view.language, review.publishedAt, timeZone),
    goods: leading ? { code: leading.code, goods_name: productName(view, leading) } : null,
  }
}

export function countryView({ shop, language }: ShopView, code: string): Place {
  const country = shop.countryByCode.get(code)
  return placeOf(code, country ? textIn(country.name, language) : code)
}
