import { z } from 'zod'
import { productCardShape } from '#features/goods/browse/view/shapes.ts'
import { addFavourite, removeFavourite } from '#features/people/favourite/commands.ts'
import { collectFigures } from '#features/people/favourite/queries.ts'
import { listFavourites } from '#features/people/favourite/views.ts'
import { pagedShape, pagingOf, personalPaging } from '../parameters.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'

const codeBody = z.strictObject({
  code: z
    .string()
    .max(100)
    .meta({ description: 'Code of a product', examples: ['steam-us'] }),
})

const figuresShape = z
  .object({
    collect_num: z
      .int()
      .min(0)
      .meta({ description: 'Favourites on sale now', examples: [8] }),
    collect_max_discount: z
      .int()
      .min(0)
      .max(100)
      .meta({
        description: 'Largest running discount among them, whole percent; 0 when there is none',
        examples: [12],
      }),
  })
  .meta({ id: 'CollectFigures' })

export const collectIndex = personalCall({
  path: 'collect/index',
  method: 'GET',
  summary: 'List favourites',
  description: 'Newest first. What is not sold at the moment is kept, but not in the list.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    code: z
      .string()
      .max(10_000)
      .optional()
      .catch(undefined)
      .meta({
        description:
          'Only those of these codes, separated by commas: which goods of a page are favourites',
        examples: ['steam-us'],
      }),
    ...personalPaging,
  }),
  data: pagedShape(productCardShape).meta({ id: 'CollectPage' }),
  example: { page: 1, limit: 20 },
  answer: ({ ctx, shop, language, currency, t, person }, body) => {
    const among = (body.code ?? '').split(',').filter((code) => code !== '')
    return listFavourites(
      ctx.db,
      { shop, language: language.code, currency, t },
      person.accountId,
      { among, ...pagingOf(body) },
    )
  },
})

export const collectAdd = personalCall({
  path: 'collect/add',
  method: 'POST',
  summary: 'Make a product a favourite',
  description: 'One that is stays as it is. An account keeps at most 500.',
  access: 'signed-in',
  limit: 'write',
  body: codeBody,
  data: figuresShape,
  example: { code: 'steam-us' },
  answer: async (caller, { code }) => {
    await addFavourite(caller.ctx, caller.shop, caller.person.accountId, code)
    return figures(caller)
  },
})

export const collectRemove = personalCall({
  path: 'collect/remove',
  method: 'POST',
  summary: 'Take a product from the favourites',
  description: 'What is none stays none.',
  access: 'signed-in',
  limit: 'write',
  body: codeBody,
  data: figuresShape,
  example: { code: 'steam-us' },
  answer: async (caller, { code }) => {
    await removeFavourite(caller.ctx, caller.shop, caller.person.accountId, code)
    return figures(caller)
  },
})

function figures({ ctx, shop, person }: SignedInCaller) {
  return collectFigures(ctx.db, shop, person.accountId)
}
