import { countReviewViews, listDeskReviews } from '#features/goods/review/queries.ts'
import { REVIEW_VIEWS, type ReviewView } from '#features/goods/review/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import { pageOf } from '#kernel/page.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { COUNTED_MOST, countedTexts } from '../kit/counted.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface ReviewsData {
  readonly views: readonly ReviewView[]
  readonly view: ReviewView
  /** None of what is hidden, which no index holds. */
  readonly counts: Readonly<Partial<Record<ReviewView, string>>>
  readonly reviews: readonly {
    readonly id: string
    readonly brand: string
    readonly author: string
    readonly rating: number
    readonly text: string
    readonly lang: string
    readonly date: string
    readonly status: 'active' | 'suspended'
    readonly answer: string
    readonly isNew: boolean
    readonly order: string | null
  }[]
  readonly next: string | null
  readonly mayDecide: boolean
}

const LISTED = 30

export async function load(context: ConsoleContext): Promise<Loaded<ReviewsData>> {
  const { ctx, query, t, language, timeZone } = context
  const view = REVIEW_VIEWS.find((one) => one === query.get('view')) ?? 'new'
  const after = query.get('after')
  const found = await listDeskReviews(ctx.db, {
    view,
    after: after !== null && /^\d{1,18}$/.test(after) ? after : null,
    limit: LISTED + 1,
  })
  const { shown, last } = pageOf(found, LISTED)
  return {
    title: t('console.reviews.nav'),
    data: {
      views: REVIEW_VIEWS,
      view,
      counts: countedTexts(context, await countReviewViews(ctx.db, COUNTED_MOST)),
      reviews: shown.map((review) => ({
        id: review.id,
        brand: review.brand,
        author: review.nickname,
        rating: review.rating,
        text: review.text,
        lang: getLanguage(review.language).tag,
        date: formatDate(language.code, review.publishedAt, timeZone),
        status: review.status,
        answer: review.answer ?? '',
        isNew: !review.isLookedAt,
        order: review.order,
      })),
      next: last ? `/reviews?view=${view}&after=${last.id}` : null,
      mayDecide: mayDo(ctx.operator, 'case.decide'),
    },
  }
}
