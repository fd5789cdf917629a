import type { LanguageCode } from '#kernel/language.ts'

export interface Review {
  readonly id: string
  readonly brand: string
  readonly language: LanguageCode
  readonly country: string | null
  readonly rating: number
  readonly text: string
  readonly nickname: string
  readonly helpful: number
  readonly publishedAt: Date
  /** Who wrote it was delivered what it is about, by this shop. */
  readonly isVerified: boolean
  /** What the shop says below it; null for nothing. */
  readonly answer: string | null
}

export const REVIEW_TEXT_MAX = 1_000
/** What the shop may say below one. */
export const REVIEW_ANSWER_MAX = 1_000

/** The lists of reviews that operators have. */
export const REVIEW_VIEWS = ['new', 'all', 'hidden'] as const
export type ReviewView = (typeof REVIEW_VIEWS)[number]

/** What a buyer says of a brand. */
export interface GivenReview {
  /** Public id of the order that delivered it. */
  readonly order: string
  readonly brand: string
  readonly rating: number
  /** May be empty. */
  readonly text: string
  readonly language: LanguageCode
  readonly nickname: string
}

/** A name of which strangers see the ends alone: "h***n6". A short one shows less. */
export function maskedName(name: string): string {
  const letters = [...new Intl.Segmenter().segment(name.trim())].map(({ segment }) => segment)
  const end = letters.length >= 6 ? letters.slice(-2) : letters.length >= 3 ? letters.slice(-1) : []
  return `${letters[0] ?? ''}***${end.join('')}`
}

/** A review's text as it is kept: composed, without what hides or turns text around, at most one empty line between two. */
export function reviewText(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The specification's review filters: excellent 4–5 stars, general 3, bad 1–2. */
export const REVIEW_GRADES = ['excellent', 'general', 'bad'] as const
export type ReviewGrade = (typeof REVIEW_GRADES)[number]

export function gradeOf(rating: number): ReviewGrade {
  if (rating >= 4) return 'excellent'
  return rating === 3 ? 'general' : 'bad'
}

/** The stars a grade alone stands for. */
export const GRADE_RATINGS: Readonly<Record<ReviewGrade, number>> = {
  excellent: 5,
  general: 3,
  bad: 1,
}

export interface RatingSummary {
  /** Mean of the stars to one decimal ("4.6"), 0 when there are none. */
  readonly average: number
  readonly count: number
  readonly grades: Readonly<Record<ReviewGrade, number>>
}

export const NO_RATING: RatingSummary = {
  average: 0,
  count: 0,
  grades: { excellent: 0, general: 0, bad: 0 },
}

export function summariseRatings(reviews: readonly Pick<Review, 'rating'>[]): RatingSummary {
  if (reviews.length === 0) return NO_RATING
  const grades = { excellent: 0, general: 0, bad: 0 }
  let stars = 0
  for (const review of reviews) {
    grades[gradeOf(review.rating)] += 1
    stars += review.rating
  }
  return { average: Math.round((stars * 10) / reviews.length) / 10, count: reviews.length, grades }
}
