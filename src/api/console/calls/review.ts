import { z } from 'zod'
import { judgeReview } from '#features/goods/review/commands.ts'
import { listDeskReviews } from '#features/goods/review/queries.ts'
import { REVIEW_ANSWER_MAX, REVIEW_VIEWS } from '#features/goods/review/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { language, moment, nothing } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const number = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ examples: ['17'] })
const status = z.enum(['active', 'suspended'])

const reviewsList = operatorCall({
  path: 'console/reviews/list',
  summary: 'What buyers said, newest first',
  description: 'A page at a time: `next` is the `after` of the following one, null at the end.',
  body: z.object({
    view: z.enum(REVIEW_VIEWS).default('new'),
    after: number.optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
  }),
  data: z.object({
    reviews: z.array(
      z.object({
        id: number,
        brand: z.string(),
        language,
        country: z.string().nullable(),
        rating: z.number(),
        text: z.string(),
        nickname: z.string(),
        published: moment,
        status,
        answer: z.string().nullable(),
        is_looked_at: z.boolean(),
        order: z.string().nullable(),
      }),
    ),
    next: number.nullable(),
  }),
  example: { view: 'new' },
  async answer({ ctx }, { view, after = null, limit }) {
    const found = await listDeskReviews(ctx.db, { view, after, limit: limit + 1 })
    const { shown, last } = pageOf(found, limit)
    return {
      reviews: shown.map(({ publishedAt, isLookedAt, ...review }) => ({
        ...review,
        published: publishedAt.toISOString(),
        is_looked_at: isLookedAt,
      })),
      next: last?.id ?? null,
    }
  },
})

const reviewsJudge = operatorCall({
  path: 'console/reviews/judge',
  summary: 'Show or hide a review, and answer it below',
  description:
    'What a buyer wrote is never changed. `from` is whether it was shown as it was seen: where that is different by now, nothing is done.',
  body: z.strictObject({
    id: number,
    from: status,
    to: status,
    answer: z.string().trim().max(REVIEW_ANSWER_MAX).nullable(),
  }),
  data: nothing,
  example: { id: '17', from: 'active', to: 'active', answer: 'Thank you.' },
  async answer({ ctx }, { answer, ...given }) {
    await judgeReview(ctx, { ...given, answer: answer === '' ? null : answer })
    return {}
  },
})

export const REVIEW_CALLS = [reviewsList, reviewsJudge] as const
