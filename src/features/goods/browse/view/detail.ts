import { contentIn, pictureLink } from '../queries.ts'
import {
  GOODS_TYPE,
  deliveryTimeOf,
  phraseIn,
  productPath,
  textIn,
  type AccountField,
  type Brand,
  type Category,
  type Game,
  type Item,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { NO_RATING } from '#features/goods/review/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import {
  countryView,
  gameCard,
  gamePath,
  newsCard,
  productCard,
  reviewView,
  type ShopView,
} from '../views.ts'
import { itemLabel, placeOf } from './names.ts'
import { freeAmount } from './recharge.ts'
import { isSold, itemPrices, leadItemOf } from './price.ts'
import type { GameDetail, GoodsDetail, GoodsField, GoodsItem } from './shapes.ts'

const REVIEWS_SHOWN = 5
const RELATED_SHOWN = 10
const NEWS_SHOWN = 6

/** Everything the page of a product says. `timeZone` is the shop's. */
export function goodsDetail(view: ShopView, product: Product, timeZone: string): GoodsDetail {
  const { shop, language } = view
  const { brand } = product
  const phrase = (english: string) => phraseIn(shop.catalogue, language, english)
  const time = deliveryTimeOf(product)
  const game = brand.game === null ? undefined : shop.catalogue.gameByCode.get(brand.game)
  const reviews = shop.reviewsOfBrand.get(brand.code) ?? []
  return {
    ...productCard(view, product),
    rating: shop.ratingOfBrand.get(brand.code) ?? NO_RATING,
    kind: brand.kind,
    path: productPath(product),
    brand: { code: brand.code, name: textIn(brand.name, language), publisher: brand.publisher },
    game: game
      ? { code: game.code, name: textIn(game.name, language), path: gamePath(game) }
      : null,
    regions: brand.products.map((sibling) => regionChoice(view, sibling)),
    region_lock: regionLock(view, product),
    items: product.items.map((item) => goodsItem(view, product, item)),
    fields: brand.recharge
      ? [phoneField(view)]
      : brand.fields.map((field) => goodsField(view, field, phrase)),
    account_check: brand.delivery === 'direct_charge' ? brand.accountCheck : 'none',
    redeem: {
      at: brand.redeemAt === null ? null : phrase(brand.redeemAt),
      steps: brand.redeemSteps.map(phrase),
    },
    key_format: brand.keyFormat ? phrase(brand.keyFormat.text) : null,
    validity: brand.validity === null ? null : phrase(brand.validity),
    delivery: brand.delivery,
    delivery_minutes: minutesOf(product.pace?.half) ?? time?.minutes ?? null,
    delivery_most_minutes: minutesOf(product.pace?.most) ?? time?.most ?? null,
    delivery_is_estimate: product.pace === null && (time === null || time.most === null),
    delivery_pace: product.pace
      ? {
          usual_seconds: product.pace.half,
          most_seconds: product.pace.most,
          now_seconds: product.pace.now,
        }
      : null,
    platforms: platformsOf(view, brand.platforms),
    categories: brand.categoryIds.flatMap((id) =>
      categoryView(language, shop.catalogue.categoryById.get(id)),
    ),
    released_year: brand.releasedYear,
    stock: stockOf(product),
    sold: product.items.reduce((sum, item) => sum + item.sold, 0),
    reviews: reviews.slice(0, REVIEWS_SHOWN).map((review) => reviewView(view, review, timeZone)),
    related: relatedProducts(view, brand).map((other) => productCard(view, other)),
  }
}

const minutesOf = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.max(1, Math.ceil(seconds / 60))

/** Everything the page of a game says. */
export function gameDetail(view: ShopView, game: Game, timeZone: string): GameDetail {
  const { shop, language } = view
  const leading = game.products.filter((product) => product.isLeading)
  const cards = (type: Product['type']) =>
    leading.filter((product) => product.type === type).map((product) => productCard(view, product))
  const subjects = new Set([game.code, ...game.products.map((product) => product.brand.code)])
  const category =
    game.categoryId === null ? undefined : shop.catalogue.categoryById.get(game.categoryId)
  return {
    ...gameCard(view, game),
    platforms: platformsOf(view, game.platforms),
    category: categoryView(language, category)[0] ?? null,
    released_year: game.releasedYear,
    top_ups: cards(GOODS_TYPE.topUp),
    cards: cards(GOODS_TYPE.card),
    keys: cards(GOODS_TYPE.gameProduct),
    news: contentIn(shop, language)
      .news.filter((article) => article.related.some((code) => subjects.has(code)))
      .slice(0, NEWS_SHOWN)
      .map((article) => newsCard(view, article, timeZone)),
  }
}

export function goodsItem(view: ShopView, product: Product, item: Item): GoodsItem {
  return {
    code: item.code,
    kind: item.kind,
    ...itemLabel(view, product, item),
    amount: freeAmount(view, product, item),
    ...itemPrices(view, item),
    in_stock: isSold(view, item),
    ...(item.isStopped ? { is_stopped: true as const } : {}),
    stock: item.stock,
    sold: item.sold,
  }
}

function goodsField(
  { shop, language }: ShopView,
  field: AccountField,
  phrase: (english: string) => string,
): GoodsField {
  const { key, kind, required, pattern, min, max, placeholder } = field
  return {
    key,
    kind,
    required,
    pattern,
    min,
    max,
    placeholder,
    label: phrase(field.label),
    help: field.help === null ? null : phrase(field.help),
    picture: field.picture
      ? {
          image: pictureLink(
            shop,
            'field_help',
            field.picture.languages[language] ?? field.picture.code,
          ),
          alt: phrase(field.picture.alt),
        }
      : null,
    options: field.options.map(({ value, label }) => ({ value, label: phrase(label) })),
  }
}

/** A recharge asks for the number alone, which its country's rules check. */
function phoneField({ t }: ShopView): GoodsField {
  return {
    key: PHONE_FIELD,
    kind: 'phone',
    label: t('shop-cart.phone'),
    required: true,
    help: null,
    picture: null,
    pattern: null,
    min: null,
    max: null,
    placeholder: null,
    options: [],
  }
}

function regionChoice(view: ShopView, product: Product): GoodsDetail['regions'][number] {
  const item = leadItemOf(view.shop, product)
  return {
    ...placeOf(product.region.code, textIn(product.region.name, view.language)),
    product: product.code,
    path: productPath(product),
    price: itemPrices(view, item).price,
    in_stock: isSold(view, item),
  }
}

function regionLock(view: ShopView, product: Product): GoodsDetail['region_lock'] {
  const { shop, language } = view
  return {
    kind: product.lock,
    countries:
      product.countries?.map((code) => ({ code, name: countryView(view, code).name })) ?? null,
    sentence: lockSentence(view, product),
    note: product.lockNote === '' ? null : phraseIn(shop.catalogue, language, product.lockNote),
  }
}

/** Where a product works alone; null where it works everywhere. */
export function lockSentence({ shop, language, t }: ShopView, product: Product): string | null {
  const region = textIn(product.region.name, language)
  switch (product.lock) {
    case 'none':
      return null
    case 'country':
      return t('api.lockCountry', { region })
    case 'zone':
      return t('api.lockZone', { region })
    case 'currency': {
      const names =
        product.faceCurrency === null ? undefined : shop.currencyNames.get(product.faceCurrency)
      return names
        ? t('api.lockCurrency', { currency: textIn(names, language) })
        : t('api.lockCountry', { region })
    }
    default:
      return product.lock satisfies never
  }
}

function stockOf(product: Product): number | null {
  let sum = 0
  for (const { stock } of product.items) {
    if (stock === null) return null
    sum += stock
  }
  return sum
}

function platformsOf({ shop, language }: ShopView, codes: readonly string[]) {
  return shop.catalogue.platforms
    .filter((platform) => codes.includes(platform.code))
    .map((platform) => ({ code: platform.code, name: textIn(platform.name, language) }))
}

function categoryView(language: LanguageCode, category: Category | undefined) {
  return category
    ? [{ code: category.code, name: textIn(category.name, language), path: category.path }]
    : []
}

/** Leading products of the same game, then of the same category and kind of goods, by popularity. */
export function relatedProducts({ shop }: Pick<ShopView, 'shop'>, brand: Brand): Product[] {
  const sameGame: Product[] = []
  const sameCategory: Product[] = []
  for (const other of shop.catalogue.brands) {
    const [leading] = other.products
    if (other === brand || !leading) continue
    if (brand.game !== null && other.game === brand.game) sameGame.push(leading)
    else if (
      sameCategory.length < RELATED_SHOWN &&
      other.type === brand.type &&
      other.categoryIds.some((id) => brand.categoryIds.includes(id))
    )
      sameCategory.push(leading)
  }
  return [...sameGame, ...sameCategory].slice(0, RELATED_SHOWN)
}
