import { z } from 'zod'
import { levelView, listLevelPrices, listTilePrices } from '#features/buying/offer/views.ts'
import { VISITOR_LEVEL } from '#features/buying/cart/rules.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { priceShape } from '#features/goods/browse/view/shapes.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { personalCall } from '../personal/call.ts'

const comparedPrice = priceShape.nullable()

const levelPricesShape = z
  .object({
    level: z
      .int()
      .min(0)
      .meta({ description: 'Customer level: 0 retail', examples: [2] }),
    level_name: z
      .string()
      .meta({ description: 'What it is called; empty without a name', examples: ['Gold'] }),
    title: z
      .string()
      .meta({ description: 'What to say of such a price', examples: ['Your price, Gold'] }),
    list: z
      .array(
        z.object({
          item: z.string().meta({ examples: ['card:steam:us:20'] }),
          price: comparedPrice,
          market_price: comparedPrice.meta({
            description: 'The price it is compared with; null when there is none',
          }),
          discount: z.int().min(0).max(100).meta({ description: 'Whole percent below it' }),
          unit_price: z
            .string()
            .nullable()
            .meta({
              description: 'Of so many units, where packs are compared by them',
              examples: ['Diamonds: $1.67 per 100'],
            }),
        }),
      )
      .meta({
        description: 'Items whose price is that of the level; all others cost what all pay',
      }),
  })
  .meta({ id: 'LevelPrices' })

export const goodsPrices = personalCall({
  path: 'goods/prices',
  method: 'GET',
  summary: "What a product costs at the shopper's customer level",
  description:
    '`goods/detail` and pages are the same for everybody and tell retail prices. Cart and orders have these already.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    code: z
      .string()
      .min(1)
      .max(120)
      .meta({ description: 'Of the product', examples: ['steam-us'] }),
  }),
  data: levelPricesShape,
  example: { code: 'steam-us' },
  answer: async ({ ctx, shop, language, currency, t, person }, { code }) => {
    const product = findProduct(shop, code)
    if (!product) throw new AppError('not_found')
    const view = { shop, language: language.code, currency, t }
    const { name, title } = levelView(view, person.roleId)
    const prices =
      person.roleId === VISITOR_LEVEL
        ? []
        : await listLevelPrices(ctx.db, view, product, person.roleId)
    return {
      level: person.roleId,
      level_name: name,
      title,
      list: prices.map(({ unitPrice, ...price }) => ({ ...price, unit_price: unitPrice })),
    }
  },
})

/** Products that are asked about at once. */
export const TILES_MAX = 60

const tilePricesShape = z
  .object({
    list: z
      .array(
        z.object({
          code: z.string().meta({ examples: ['steam-us'] }),
          price: comparedPrice,
          market_price: comparedPrice.meta({
            description: 'The price it is compared with; null when there is none',
          }),
          discount: z.int().min(0).max(100).meta({ description: 'Whole percent below it' }),
        }),
      )
      .meta({ description: 'Products whose lowest price is another than what all see' }),
  })
  .meta({ id: 'TilePrices' })

export const goodsTilePrices = personalCall({
  path: 'goods/tile_prices',
  method: 'GET',
  summary: "What products cost at least at the shopper's customer level",
  description: `Of lists, which are the same for everybody and tell retail prices. At most ${TILES_MAX} products; those that are not on sale are left out.`,
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    codes: z
      .string()
      .min(1)
      .max(TILES_MAX * 121)
      .meta({ description: 'Of products, between commas', examples: ['steam-us,steam-de'] }),
  }),
  data: tilePricesShape,
  example: { codes: 'steam-us' },
  answer: async ({ ctx, shop, language, currency, t, person }, { codes }) => {
    const wanted = [...new Set(codes.split(',').map((code) => code.trim()))]
    if (wanted.length > TILES_MAX) throw fieldError('codes', 'too_many', { max: TILES_MAX })
    if (person.roleId === VISITOR_LEVEL) return { list: [] }
    const products = wanted.flatMap((code) => findProduct(shop, code) ?? [])
    const view = { shop, language: language.code, currency, t }
    return { list: await listTilePrices(ctx.db, view, products, person.roleId) }
  },
})
