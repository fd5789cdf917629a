import { goodsDetail } from '#features/goods/browse/view/detail.ts'
import type { GoodsDetail } from '#features/goods/browse/view/shapes.ts'
import { phraseIn, type Product } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { payTypeViews } from '#features/base/shop/views.ts'
import { methodsOf } from '#features/goods/pay-method/rules.ts'
import type { Crumb } from '../goods/crumb.ts'
import { linkPicture, pictureAddress } from '../goods/picture.ts'
import { breadcrumbNode, fullAddress, graphOf } from '../goods/structured-data.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import { PageNotFound, PageRedirect, type PageContext, type PageMeta } from '../page.ts'
import { ratingData, reviewData, type RatingData, type ReviewData } from '../reviews/ratings.ts'
import {
  accountFields,
  fieldFigures,
  type AccountInput,
  type FieldFigure,
} from './account-input.ts'
import type { MoneyStyle } from './amounts.ts'
import { moneyStyle } from './money-style.ts'
import { crumbsOf, lowestPrice, noticeOf, regionLinks, type RegionLink } from './choices.ts'
import { choosingOf, type Choosing } from './choosing.ts'
import {
  aboutText,
  badgesOf,
  factsOf,
  howToOf,
  assurancesOf,
  helpOf,
  soldText,
  type Badge,
  type Facts,
  type Help,
  type HowToData,
  type Assurance,
} from './facts.ts'
import { findAtAddress } from './find-product.ts'

/** The screen of a product (decisions, "Kinds of goods"). Texts are in the page's language and amounts in its currency. */
export interface ProductData extends Choosing {
  readonly code: string
  readonly brand: string
  /** The canonical address, without language prefix. */
  readonly path: string
  readonly name: string
  /** Language of the name where it is not the page's. */
  readonly lang?: string
  readonly about: string
  readonly crumbs: readonly Crumb[]
  readonly cover: string
  readonly linkPicture: string | null
  /** The cover is a card that hangs from the rail. */
  readonly isHanging: boolean
  readonly rating: RatingData | null
  readonly sold: string | null
  readonly badges: readonly Badge[]
  readonly region: string
  /** The same brand for other regions, the page's own among them; a single one when there is no choice. */
  readonly regions: readonly RegionLink[]
  /** Where the goods work and where they do not. */
  readonly notice: { readonly lead: string; readonly text: string } | null
  /** Price of the cheapest item on sale; null when there is none. */
  readonly lowest: string | null
  /** The address asks for an item that is not sold here. */
  readonly asksInvalid: boolean
  readonly fields: readonly AccountInput[]
  readonly figures: readonly FieldFigure[]
  /** Suppliers are asked about the account. */
  readonly checksAccount: boolean
  readonly money: MoneyStyle
  readonly assurances: readonly Assurance[]
  /** The kinds of ways to pay that the shop takes. */
  readonly payTypes: readonly { readonly code: string; readonly name: string }[]
  readonly help: Help
  readonly howTo: HowToData
  readonly facts: Facts
  readonly reviews: readonly ReviewData[]
  readonly related: readonly GoodsTile[]
}

const RELATED_SHOWN = 7

export function load(page: PageContext): ProductData {
  const product = findProduct(page)
  const view = viewOf(page)
  const { shop, language, currency, t } = page
  const detail = goodsDetail(view, product, page.timeZone)
  const money = moneyStyle(language.code, currency, shownDigits(currency))
  const picture = product.picture ?? product.brand.picture
  const reviews = shop.reviewsOfBrand.get(product.brand.code) ?? []
  const asked = page.query.get('item')
  const choosing = choosingOf(page, product, detail, asked)
  const { items } = choosing
  return {
    code: product.code,
    brand: product.brand.code,
    path: detail.path,
    name: detail.goods_name,
    ...(product.brand.name[language.code] === undefined ? { lang: 'en' } : {}),
    about: aboutText(detail, t),
    crumbs: crumbsOf(page, product, detail),
    cover: pictureAddress(page, 'goods_thumb_3_4', picture),
    linkPicture: linkPicture(shop, picture),
    isHanging: isHangingCard(shop, picture),
    rating: ratingData(page, detail.rating),
    sold: soldText(detail, t),
    badges: badgesOf(detail, t, language.code),
    region: detail.region.name,
    regions: regionLinks(product, detail, t),
    notice: noticeOf(detail, t),
    ...choosing,
    lowest: lowestPrice(items),
    asksInvalid:
      asked !== null && asked !== '' && !product.items.some(({ code }) => code === asked),
    fields: accountFields(detail),
    figures: fieldFigures(detail),
    checksAccount: detail.account_check !== 'none' && detail.fields.length > 0,
    money,
    assurances: assurancesOf(detail, t, language.code),
    payTypes: payTypeViews(shop.settings, methodsOf(shop.payMethods, page.payProviders), t).map(
      ({ code, name }) => ({ code, name }),
    ),
    help: helpOf(page, detail),
    howTo: howToOf(page, product, detail),
    facts: factsOf(detail, language, t),
    reviews: reviews
      .slice(0, detail.reviews.length)
      .map((review) => reviewData(view, review, page.timeZone, false)),
    related: relatedTiles(page, detail),
  }
}

export function meta(data: ProductData, page: PageContext): PageMeta {
  const { catalogue } = page.shop
  const product = catalogue.productByCode.get(data.code)
  const own = (english: string | null | undefined) =>
    english ? phraseIn(catalogue, page.language.code, english) : null
  return {
    title:
      own(product?.seoTitle) ?? page.t('product.title', { name: data.name, region: data.region }),
    description: own(product?.seoDescription) ?? data.about,
    canonical: data.path,
    kind: 'product',
    picture: data.linkPicture,
    preload: [{ href: data.cover }],
    structuredData: graphOf(productNode(data, page), breadcrumbNode(page, data.crumbs)),
  }
}

/** Whether the cover is a card punched to hang from the rail. */
function isHangingCard(shop: PageContext['shop'], code: string | null): boolean {
  const drawn = code === null ? undefined : shop.pictures.get(code)?.recipe
  return drawn?.kind === 'cover' && drawn.recipe.kind === 'gift'
}

/** The product of the address. Throws a redirect when it lives elsewhere, which may depend on the visitor's country. */
function findProduct({ shop, path, params, country, query }: PageContext): Product {
  const section = path.split('/')[1] ?? ''
  const found = findAtAddress(shop.catalogue, section, params['code'] ?? '', country)
  if (found === null) throw new PageNotFound()
  if (found.kind === 'product') return found.product
  const item = query.get('item')
  const keepsItem = item !== null && !found.path.includes('?')
  throw new PageRedirect(
    keepsItem ? `${found.path}?item=${encodeURIComponent(item)}` : found.path,
    found.status,
  )
}

function relatedTiles(page: PageContext, detail: GoodsDetail): GoodsTile[] {
  const view = viewOf(page)
  return detail.related.slice(0, RELATED_SHOWN).flatMap(({ code }) => {
    const product = page.shop.catalogue.productByCode.get(code)
    return product ? [goodsTile(view, product)] : []
  })
}

/** schema.org: what is sold, from what price to what, and how it is rated. */
function productNode(data: ProductData, page: PageContext): Readonly<Record<string, unknown>> {
  const priced = data.items.flatMap((item) =>
    item.minor === null ? [] : [{ minor: BigInt(item.minor), isOnSale: item.unavailable === null }],
  )
  const minors = priced.map(({ minor }) => minor).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [low, high] = [minors[0], minors.at(-1)]
  return {
    '@type': 'Product',
    name: data.name,
    description: data.about,
    sku: data.code,
    image: page.publicUrl + data.cover,
    url: fullAddress(page, data.path),
    ...(data.facts.publisher === null
      ? {}
      : { brand: { '@type': 'Brand', name: data.facts.publisher } }),
    ...(low === undefined || high === undefined
      ? {}
      : {
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: toMajor(low, data.money.minorUnits),
            highPrice: toMajor(high, data.money.minorUnits),
            priceCurrency: data.money.currency,
            offerCount: priced.length,
            availability: priced.some(({ isOnSale }) => isOnSale)
              ? 'https://schema.org/InStock'
              : 'https://schema.org/OutOfStock',
          },
        }),
    ...(data.rating === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: data.rating.average,
            reviewCount: page.shop.ratingOfBrand.get(data.brand)?.count ?? 0,
          },
        }),
  }
}
