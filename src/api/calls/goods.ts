import { z } from 'zod'
import {
  countMatches,
  findProduct,
  listProducts,
  onlyKnown,
} from '#features/goods/browse/queries.ts'
import { readGoodsQuery, readKeywords } from '#features/goods/browse/schema.ts'
import { goodsDetail } from '#features/goods/browse/view/detail.ts'
import { goodsDetailShape, productCardShape } from '#features/goods/browse/view/shapes.ts'
import { productCard } from '#features/goods/browse/views.ts'
import { AppError } from '#kernel/error.ts'
import { mapPerhapsInTurns } from '#platform/turns.ts'
import { readingCall } from '../call.ts'
import {
  codeParameter,
  flag,
  keywordsParameter,
  listParameters,
  pagedShape,
} from '../parameters.ts'

export const goodsIndex = readingCall({
  path: 'goods/index',
  summary: 'List goods',
  description:
    'Products by popularity, by match where there are keywords, or as `sort` says. Filters of different names must all fit.',
  query: z.object({
    type: z
      .literal([1, 2, 3, 4])
      .optional()
      .meta({ description: '1 cards, 2 direct charge, 3 mobile recharge, 4 game products' }),
    is_hot: flag('Popular goods alone'),
    is_home: flag('Recommended goods alone: one product of each brand'),
    keywords: keywordsParameter,
    ...listParameters,
  }),
  data: pagedShape(productCardShape).meta({ id: 'GoodsPage' }),
  mayMiss: false,
  example: { is_hot: 1, page: 1, limit: 10 },
  read: (params, view) => {
    const query = readGoodsQuery(params, view.currency)
    return onlyKnown(view.shop, query, query.type)
  },
  isFreeText: (query) => query.keywords !== '',
  answer: (view, query) => {
    const page = listProducts(view.shop, query, view.language, view.currency)
    const list = mapPerhapsInTurns(page.list, (product) => productCard(view, product))
    return list instanceof Promise
      ? list.then((made) => ({ ...page, list: made }))
      : { ...page, list }
  },
})

export const goodsDetailCall = readingCall({
  path: 'goods/detail',
  summary: 'Show one product',
  description:
    "A brand's code answers its leading product; the code of a renamed product still leads to it.",
  query: z.object({ code: codeParameter('Code of a product or brand') }),
  data: goodsDetailShape,
  mayMiss: true,
  example: { code: 'steam-us' },
  read: (params) => ({ code: params.get('code') ?? '' }),
  answer: (view, { code }) => {
    const product = findProduct(view.shop, code)
    if (!product) throw new AppError('not_found')
    return goodsDetail(view, product, view.timeZone)
  },
})

export const goodsSearch = readingCall({
  path: 'goods/search',
  summary: 'Count matches by kind',
  description:
    'How many games, cards and direct charges the keywords find; without keywords, how many there are.',
  query: z.object({ keywords: keywordsParameter }),
  data: z
    .array(
      z
        .object({
          type: z
            .literal([0, 1, 2])
            .meta({ description: '0 games, 1 cards, 2 direct charge', examples: [1] }),
          title: z.string().meta({ description: "In the caller's language", examples: ['Cards'] }),
          count: z
            .int()
            .min(0)
            .meta({ examples: [31] }),
        })
        .meta({ id: 'SearchClass' }),
    )
    .meta({ id: 'SearchClasses' }),
  mayMiss: false,
  example: { keywords: 'steam' },
  read: (params) => ({ keywords: readKeywords(params.get('keywords')) }),
  isFreeText: ({ keywords }) => keywords !== '',
  answer: ({ shop, language, t }, { keywords }) => {
    const { games, cards, topUps } = countMatches(shop, keywords, language)
    return [
      { type: 0 as const, title: t('goods.typeGames'), count: games },
      { type: 1 as const, title: t('goods.typeCards'), count: cards },
      { type: 2 as const, title: t('goods.typeTopUps'), count: topUps },
    ]
  },
})
