import { pageOf } from '#features/goods/browse/rules.ts'
import { readPaging } from '#features/goods/browse/schema.ts'
import { productName } from '#features/goods/browse/views.ts'
import { productPath, type Brand } from '#features/goods/catalogue/rules.ts'
import {
  gradeOf,
  NO_RATING,
  REVIEW_GRADES,
  summariseRatings,
  type ReviewGrade,
} from '#features/goods/review/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import type { Crumb } from '../goods/crumb.ts'
import { pageNumbers } from '../goods/list-address.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import { viewOf } from '../goods/tile.ts'
import { PageNotFound, PageRedirect, type PageContext, type PageMeta } from '../page.ts'
import { ratingData, reviewData, type RatingData, type ReviewData } from './ratings.ts'

export interface ReviewsData {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Of this page, without query and language prefix. */
  readonly path: string
  readonly grade: ReviewGrade | null
  readonly rating: RatingData | null
  readonly reviews: readonly ReviewData[]
  readonly page: number
  /** Numbers to offer, as shown; null where some are left out. Empty for a single page. */
  readonly pages: readonly ({ readonly page: number; readonly text: string } | null)[]
  readonly pageCount: number
}

const PAGE_SIZE = 20

export function load(page: PageContext): ReviewsData {
  const { shop, t, language } = page
  const view = viewOf(page)
  const brand = findBrand(page)
  const path = brand ? `/reviews/${brand.code}` : '/reviews'
  const grade = REVIEW_GRADES.find((name) => name === page.query.get('grade')) ?? null
  const all = brand ? (shop.reviewsOfBrand.get(brand.code) ?? []) : shop.reviews
  const fitting = grade === null ? all : all.filter((review) => gradeOf(review.rating) === grade)
  const paged = pageOf(fitting, readPaging(page.query).page, PAGE_SIZE, (review) =>
    reviewData(view, review, page.timeZone, brand === null),
  )
  const summary = brand ? (shop.ratingOfBrand.get(brand.code) ?? NO_RATING) : summariseRatings(all)
  const leading = brand?.products[0]
  const name = leading ? productName(view, leading) : ''
  return {
    title: leading ? t('reviews.titleOf', { name }) : t('title.reviews'),
    crumbs: [
      ...(leading ? [{ text: name, path: productPath(leading) }] : []),
      { text: t('title.reviews') },
    ],
    path,
    grade,
    rating: ratingData(page, summary),
    reviews: paged.list,
    page: paged.page,
    pages:
      paged.pages > 1
        ? pageNumbers(Math.min(paged.page, paged.pages), paged.pages).map((number) =>
            number === null ? null : { page: number, text: formatCount(language.code, number) },
          )
        : [],
    pageCount: paged.pages,
  }
}

export function meta(data: ReviewsData, page: PageContext): PageMeta {
  const address = data.page > 1 ? `${data.path}?page=${data.page}` : data.path
  return {
    title: data.title,
    description: data.rating
      ? page.t('reviews.description', { rating: data.rating.starsLabel, count: data.rating.count })
      : page.t('reviews.noneTitle'),
    canonical: address,
    ...(data.reviews.length === 0 || data.grade !== null ? { noIndex: true } : {}),
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}

/** The brand of the address; null for the whole shop. Reviews belong to the brand, so its products' codes lead there. */
function findBrand({ shop, params }: PageContext): Brand | null {
  const { code } = params
  if (code === undefined) return null
  const { brandByCode, productByCode, redirects } = shop.catalogue
  const brand = brandByCode.get(code)
  if (brand) return brand
  const product = productByCode.get(code)
  if (product) throw new PageRedirect(`/reviews/${product.brand.code}`, 301)
  const renamed = redirects.get(`brand ${code}`) ?? redirects.get(`product ${code}`)
  if (renamed !== undefined && (brandByCode.has(renamed) || productByCode.has(renamed)))
    throw new PageRedirect(`/reviews/${renamed}`, 301)
  throw new PageNotFound()
}
