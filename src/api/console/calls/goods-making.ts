import { z } from 'zod'
import { makeGoods, tryGoods } from '#features/goods/making/commands.ts'
import type { Addition, MadeEffect } from '#features/goods/making/rules.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import { HASH, madeShape } from './goods-shapes.ts'
import { publicId } from './shapes.ts'

const KEY = '0198c0de-5a1e-7000-8000-5d0c6a0f2b11'
/** Deeper than any brand of the catalogue’s format. */
const DEEPEST = 12
const isShallow = (one: unknown, depth = 0): boolean =>
  one === null || typeof one !== 'object'
    ? true
    : depth < DEEPEST && Object.values(one).every((part) => isShallow(part, depth + 1))

const EXAMPLE = {
  code: 'moon-card',
  products: [
    {
      code: 'moon-card-us',
      region: 'us',
      currency: 'USD',
      items: [{ code: 'card:moon-card:us:10', kind: 'value', price: '9.90' }],
    },
  ],
}
const given = {
  brand: z
    .record(z.string(), z.any())
    .refine((one) => isShallow(one))
    .meta({
      description: 'As the catalogue’s format says a brand (docs/catalogue-format.md)',
      examples: [EXAMPLE],
    }),
  on_sale: z.boolean().default(false),
}
const ABOUT =
  'A brand with its products and their items; of a brand that the shop has, its `code` and the products that are new in it; of a product that it has, its `code` and the new items.'

const named = z.array(z.object({ code: z.string(), name: z.string() }))
const effectShape = z.object({
  hash: z.string(),
  brands: named,
  products: named,
  items: named,
  faults: z.array(
    z.object({ path: z.string(), reason: z.string(), msg: z.string(), why: z.string() }),
  ),
})

const viewOf = (
  { t }: OperatorCaller,
  { hash, brands, products, items, faults }: MadeEffect,
): z.input<typeof effectShape> => ({
  hash,
  brands: [...brands],
  products: [...products],
  items: [...items],
  faults: faults.map(({ path, reason, why }) => ({
    path,
    reason,
    msg: t(`error.field.${reason}`),
    why,
  })),
})

const goodsMakeTry = operatorCall({
  path: 'console/goods/make_try',
  summary: 'What making goods would come to, before they are made',
  description: `Nothing is made. ${ABOUT} \`hash\` is what \`console/goods/make\` takes; it is empty where something is at fault.`,
  body: z.strictObject(given),
  data: effectShape,
  example: { brand: EXAMPLE },
  answer: async (caller, { brand, on_sale: isOnSale }) =>
    viewOf(caller, await tryGoods(caller.ctx, { additions: [brand as Addition], isOnSale })),
})

const goodsMake = operatorCall({
  path: 'console/goods/make',
  summary: 'Make a brand, products or items, as it was told',
  description: `${ABOUT} Drafts, which are off sale, unless \`on_sale\`. One making a \`key\`; where it is not the one of \`hash\` any more, nothing is made and 2418 is answered with what it would be now.`,
  body: z.strictObject({ ...given, ...madeShape }),
  data: z.object({ change: publicId, rows: z.number() }),
  example: { brand: EXAMPLE, key: KEY, hash: HASH },
  async answer(caller, { brand, on_sale: isOnSale, key, hash }) {
    const goods = { additions: [brand as Addition], isOnSale }
    try {
      return await makeGoods(caller.ctx, { ...goods, key, hash, kind: 'editor', note: '' })
    } catch (error) {
      const effect = isAppError(error)
        ? (error.data as { readonly effect?: MadeEffect } | null)?.effect
        : undefined
      if (!isAppError(error) || !effect) throw error
      throw new AppError(error.code, error.params, {
        fields: error.fields,
        data: { effect: viewOf(caller, effect) },
      })
    }
  },
})

export const GOODS_MAKING_CALLS = [goodsMakeTry, goodsMake] as const
