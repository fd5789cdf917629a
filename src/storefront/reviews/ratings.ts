import { productName, reviewView, type ShopView } from '#features/goods/browse/views.ts'
import { productPath } from '#features/goods/catalogue/rules.ts'
import {
  REVIEW_GRADES,
  type RatingSummary,
  type Review,
  type ReviewGrade,
} from '#features/goods/review/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import { formatAverage, formatCount } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import type { PageContext } from '../page.ts'

/** Ratings of a brand or of the shop, ready to show. */
export interface RatingData {
  readonly average: number
  /** "4.9" */
  readonly text: string
  /** "4.9 of 5" */
  readonly starsLabel: string
  /** "31 ratings" */
  readonly count: string
  readonly grades: readonly GradeData[]
}

export interface GradeData {
  readonly grade: ReviewGrade
  readonly label: string
  readonly count: string
  readonly percent: number
  readonly percentText: string
}

export interface ReviewData {
  readonly id: string
  readonly author: string
  /** Country code as a small badge. */
  readonly country?: string
  readonly rating: number
  readonly ratingLabel: string
  readonly text: string
  /** Language it is written in, as the document names it. */
  readonly lang: string
  readonly date: string
  /** The shop delivered to who wrote it what it is about. */
  readonly isVerified: boolean
  /** What the shop says below it. */
  readonly answer?: string
  /** What it is about, on the page of the whole shop. */
  readonly goods?: { readonly path: string; readonly name: string }
}

/** Null without ratings. */
export function ratingData(
  { language, t }: Pick<PageContext, 'language' | 't'>,
  summary: RatingSummary,
): RatingData | null {
  if (summary.count === 0) return null
  const average = formatAverage(language.code, summary.average)
  return {
    average: summary.average,
    text: average,
    starsLabel: t('reviews.stars', { rating: average }),
    count: t('reviews.count', { count: summary.count }),
    grades: REVIEW_GRADES.map((grade) => {
      const share = summary.grades[grade] / summary.count
      return {
        grade,
        label: t(`reviews.${grade}`),
        count: formatCount(language.code, summary.grades[grade]),
        percent: Math.round(share * 100),
        percentText: formatPercent(language.code, share),
      }
    }),
  }
}

/** A review as shown. `withGoods`: say what it is about. */
export function reviewData(
  view: ShopView,
  review: Review,
  timeZone: string,
  withGoods: boolean,
): ReviewData {
  const shown = reviewView(view, review, timeZone)
  const leading = withGoods
    ? view.shop.catalogue.brandByCode.get(review.brand)?.products[0]
    : undefined
  return {
    id: shown.id,
    author: shown.nickname,
    ...(shown.country ? { country: shown.country.code } : {}),
    rating: shown.rating,
    ratingLabel: view.t('reviews.stars', { rating: formatCount(view.language, shown.rating) }),
    text: shown.text,
    lang: getLanguage(review.language).tag,
    date: shown.published_text,
    isVerified: shown.is_verified,
    ...(shown.answer === null ? {} : { answer: shown.answer }),
    ...(leading ? { goods: { path: productPath(leading), name: productName(view, leading) } } : {}),
  }
}
