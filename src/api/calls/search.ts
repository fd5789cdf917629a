import { z } from 'zod'
import { searchEverything } from '#features/goods/browse/queries.ts'
import { readKeywords, readPaging } from '#features/goods/browse/schema.ts'
import { foundShape, foundView } from '#features/goods/browse/view/found.ts'
import { readingCall } from '../call.ts'
import { keywordsParameter } from '../parameters.ts'

const LIMIT_DEFAULT = 4
const LIMIT_MAX = 20

export const searchIndex = readingCall({
  path: 'search/index',
  summary: 'Search everything',
  description:
    'Games and goods of every kind that the keywords find, a product once with the regions of it that match. `goods/search` counts the first three kinds alone.',
  query: z.object({
    keywords: keywordsParameter,
    limit: z
      .int()
      .min(1)
      .max(LIMIT_MAX)
      .default(LIMIT_DEFAULT)
      .optional()
      .meta({ description: `Entries of each kind, clamped to 1–${LIMIT_MAX}` }),
  }),
  data: foundShape,
  mayMiss: false,
  example: { keywords: 'steam' },
  read: (params) => ({
    keywords: readKeywords(params.get('keywords')),
    limit: Math.min(readPaging(params, LIMIT_DEFAULT).limit, LIMIT_MAX),
  }),
  isFreeText: ({ keywords }) => keywords !== '',
  answer: (view, { keywords, limit }) =>
    foundView(
      view,
      searchEverything(view.shop, keywords, null, view.language, view.currency),
      limit,
    ),
})
