import { z } from 'zod'
import { GOODS_SORTS, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '#features/goods/browse/rules.ts'
import { readPaging } from '#features/goods/browse/schema.ts'
import { orderIdShape } from '#features/buying/order/view/shapes.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'

/** Published shapes of query parameters. Reading is lenient: what does not fit means the default. */
export const paging = {
  page: z
    .int()
    .min(1)
    .default(1)
    .optional()
    .meta({ description: 'From 1; a page past the end is an empty list' }),
  limit: z
    .int()
    .min(1)
    .max(LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .optional()
    .meta({ description: `Clamped to 1–${LIST_LIMIT_MAX}` }),
}

const several = (what: string) =>
  z
    .string()
    .optional()
    .meta({
      description: `Codes of ${what}, separated by commas or by repeating the parameter: any of them fits; an unknown one means no filter`,
    })
const amount = (description: string) =>
  z
    .string()
    .regex(/^\d+([.,]\d+)?$/)
    .optional()
    .meta({ description })

export const flag = (description: string) => z.literal(1).optional().meta({ description })

/** What every list of goods or games takes. */
export const listParameters = {
  region: several('sales regions'),
  platform: several('platforms'),
  category: several('categories'),
  price_min: amount('Least price in the shown currency, major units'),
  price_max: amount('Greatest price in the shown currency, major units'),
  in_stock: flag('Goods at hand alone'),
  sort: z.enum(GOODS_SORTS).optional(),
  ...paging,
}

/** The same of a personal list, read from the texts of an address: what cannot be understood means the default. */
export const personalPaging = {
  page: z
    .preprocess(
      (value: number | undefined) => readPaging(textOf('page', value)).page,
      z.int().min(1),
    )
    .optional()
    .meta(paging.page.meta() ?? {}),
  limit: z
    .preprocess(
      (value: number | undefined) => readPaging(textOf('limit', value)).limit,
      z.int().min(1).max(LIST_LIMIT_MAX),
    )
    .optional()
    .meta(paging.limit.meta() ?? {}),
}

/** Page and limit of a personal list, with their defaults. */
export function pagingOf(body: {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}): { page: number; limit: number } {
  return { page: body.page ?? 1, limit: body.limit ?? LIST_LIMIT_DEFAULT }
}

function textOf(name: string, value: number | undefined): URLSearchParams {
  return new URLSearchParams({ [name]: String(value ?? '') })
}

/** An order that nobody has is not found; what is left out, or no text to the database, says so as well. */
export const orderParameter = orderIdShape.catch('')

/** A list and its place in the whole. */
export function pagedShape<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    list: z.array(entry),
    total: z
      .int()
      .min(0)
      .meta({ description: 'Of all pages', examples: [31] }),
    page: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    limit: z
      .int()
      .min(1)
      .max(LIST_LIMIT_MAX)
      .meta({ examples: [20] }),
    pages: z
      .int()
      .min(0)
      .meta({ examples: [2] }),
  })
}

export const codeParameter = (description: string) => z.string().max(100).meta({ description })

export const keywordsParameter = z.string().max(200).optional().meta({
  description:
    'Words of names, aliases, publishers and codes, in the language of the call or English; typing errors are forgiven',
})

/** Accepted on every call (specification §7). */
export const commonParameters = z.object({
  lang: z
    .enum(LANGUAGE_CODES)
    .default('en')
    .optional()
    .meta({ description: 'Language of the texts' }),
  currency_code: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD')
    .optional()
    .meta({ description: 'Currency of the prices, one of index/regions' }),
  deviceType: z
    .enum(['pc', 'mobile'])
    .default('pc')
    .optional()
    .meta({ description: 'Accepted; reading does not depend on it' }),
  token: z.string().optional().meta({
    description:
      'Session of clients without cookies; never logged or kept. Reading does not need it',
  }),
})
