import { z } from 'zod'
import { findProduct } from '#features/goods/browse/queries.ts'
import { pageOf } from '#features/goods/browse/rules.ts'
import { readPaging } from '#features/goods/browse/schema.ts'
import { ratingSummaryShape, reviewShape } from '#features/goods/browse/view/shapes.ts'
import { reviewView } from '#features/goods/browse/views.ts'
import {
  gradeOf,
  NO_RATING,
  REVIEW_GRADES,
  summariseRatings,
} from '#features/goods/review/rules.ts'
import { AppError } from '#kernel/error.ts'
import { readingCall } from '../call.ts'
import { codeParameter, pagedShape, paging } from '../parameters.ts'

export const reviewIndex = readingCall({
  path: 'review/index',
  summary: 'List reviews',
  description: 'Newest first; without a code, those of the whole shop.',
  query: z.object({
    code: codeParameter('Code of a product or brand').optional(),
    grade: z
      .enum(REVIEW_GRADES)
      .optional()
      .meta({ description: 'excellent 4–5 stars, general 3, bad 1–2' }),
    ...paging,
  }),
  data: pagedShape(reviewShape).extend({ summary: ratingSummaryShape }).meta({ id: 'ReviewPage' }),
  mayMiss: true,
  example: { code: 'steam-us', grade: 'excellent' },
  read: (params) => ({
    code: params.get('code') ?? '',
    grade: REVIEW_GRADES.find((grade) => grade === params.get('grade')) ?? null,
    ...readPaging(params),
  }),
  answer: (view, { code, grade, page, limit }) => {
    const { shop } = view
    const product = code === '' ? null : findProduct(shop, code)
    if (code !== '' && !product) throw new AppError('not_found')
    const all = product ? (shop.reviewsOfBrand.get(product.brand.code) ?? []) : shop.reviews
    const fitting = grade === null ? all : all.filter((review) => gradeOf(review.rating) === grade)
    return {
      ...pageOf(fitting, page, limit, (review) => reviewView(view, review, view.timeZone)),
      summary: product
        ? (shop.ratingOfBrand.get(product.brand.code) ?? NO_RATING)
        : summariseRatings(all),
    }
  },
})
