import { z } from 'zod'
import { findProduct } from '#features/goods/browse/queries.ts'
import { orderIdShape } from '#features/buying/order/view/shapes.ts'
import { createReview } from '#features/goods/review/commands.ts'
import {
  GRADE_RATINGS,
  REVIEW_GRADES,
  REVIEW_TEXT_MAX,
  reviewText,
} from '#features/goods/review/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { personalCall } from '../personal/call.ts'

export const reviewCreate = personalCall({
  path: 'review/create',
  method: 'POST',
  summary: 'Review what an order delivered',
  description:
    'Once for each order and brand. With `rating`, or a `grade` alone: excellent counts 5 stars, general 3, bad 1. Codes: 2431 reviewed before, 2432 not delivered.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({
    order: orderIdShape,
    product: z
      .string()
      .max(100)
      .meta({ description: 'Code of the product', examples: ['steam-us'] }),
    rating: z.int().min(1).max(5).optional(),
    grade: z.enum(REVIEW_GRADES).optional(),
    text: z
      .string()
      .max(REVIEW_TEXT_MAX)
      .default('')
      .meta({ examples: ['The code came before I had closed the payment tab.'] }),
  }),
  data: z
    .object({
      id: z.string().meta({ description: 'As in review/index', examples: ['1000000017'] }),
    })
    .meta({ id: 'CreatedReview' }),
  example: {
    order: 'pZ1xqk0bRk2v8k4y6c9w1A',
    product: 'steam-us',
    rating: 5,
    text: 'The code came before I had closed the payment tab.',
  },
  answer: async (
    { ctx, shop, person, language },
    { order, product: code, rating, grade, text },
  ) => {
    const stars = rating ?? (grade && GRADE_RATINGS[grade])
    if (stars === undefined) throw fieldError('rating', 'required')
    const product = findProduct(shop, code)
    if (!product) throw new AppError('not_found')
    const id = await createReview(ctx, person.accountId, {
      order,
      brand: product.brand.code,
      rating: stars,
      text: reviewText(text),
      language: language.code,
      nickname: person.nickname,
    })
    return { id }
  },
})
