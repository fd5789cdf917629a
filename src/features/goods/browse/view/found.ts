import { z } from 'zod'
import { productPath, textIn, type Game, type Product } from '#features/goods/catalogue/rules.ts'
import { FOUND_KINDS, type Found, type FoundGoods, type FoundKind } from '../queries.ts'
import { gameCard, productCard, type ShopView } from '../views.ts'
import { leadItemOf } from './price.ts'
import { priceShape, ratingShape, stopped } from './shapes.ts'

export const foundEntryShape = z
  .object({
    code: z.string().meta({ examples: ['steam-us'] }),
    name: z.string().meta({ examples: ['Steam Wallet Code'] }),
    note: z.string().meta({
      description: 'Publisher of a game, region of a product that was found in one; empty for none',
      examples: ['United States'],
    }),
    path: z.string().meta({
      description: 'Address of the page on this host, without language prefix',
      examples: ['/cards/steam-us'],
    }),
    image: z.string().meta({
      description: 'Address of the picture on this host; empty when there is none',
      examples: ['/img/goods_thumb_1_1/brand/steam.webp'],
    }),
    price: priceShape.nullable().meta({ description: 'Null when nothing of it is at hand' }),
    is_stopped: stopped,
    is_from: z.boolean().meta({ description: 'The price is the lowest of several' }),
    rating: ratingShape
      .nullable()
      .meta({ description: 'Null for a game, and for what nobody has rated' }),
    regions: z
      .array(
        z.object({
          code: z.string().meta({ examples: ['us'] }),
          name: z.string().meta({ examples: ['United States'] }),
          path: z.string().meta({ examples: ['/cards/steam-us'] }),
        }),
      )
      .meta({
        description: 'Where it was found, the best first; empty when it is one place alone',
      }),
  })
  .meta({ id: 'FoundEntry', description: 'A game, or a product with its regions' })
export type FoundEntry = z.infer<typeof foundEntryShape>

export const foundShape = z
  .object({
    total: z.int().min(0),
    kinds: z.array(
      z.object({
        type: z.literal([0, 1, 2, 3, 4]).meta({
          description: '0 games, 1 cards, 2 direct charge, 3 mobile recharge, 4 game products',
        }),
        title: z.string().meta({ examples: ['Cards'] }),
        count: z.int().min(0),
        list: z.array(foundEntryShape).meta({ description: 'The best of the kind' }),
      }),
    ),
  })
  .meta({ id: 'FoundEverything' })

/** Every kind, also one that holds nothing, with the first of its entries. */
export function foundView(view: ShopView, found: Found, limit: number): z.infer<typeof foundShape> {
  return {
    total: found.total,
    kinds: FOUND_KINDS.map((type) => ({
      type,
      title: kindTitle(view, type),
      count: type === 0 ? found.games.length : (found.goods.get(type)?.length ?? 0),
      list:
        type === 0
          ? found.games.slice(0, limit).map((game) => foundGame(view, game))
          : (found.goods.get(type) ?? []).slice(0, limit).map((goods) => foundGoods(view, goods)),
    })),
  }
}

export function kindTitle({ t }: Pick<ShopView, 't'>, type: FoundKind): string {
  switch (type) {
    case 0:
      return t('goods.typeGames')
    case 1:
      return t('goods.typeCards')
    case 2:
      return t('goods.typeTopUps')
    case 3:
      return t('search.typeRecharge')
    case 4:
      return t('search.typeProducts')
    default:
      return type satisfies never
  }
}

export function foundGame(view: ShopView, game: Game): FoundEntry {
  const { code, name, publisher, path, image, price, goods_count: count } = gameCard(view, game)
  const isFrom = count > 1
  return {
    code,
    name,
    note: publisher,
    path,
    image,
    price,
    ...(price === null && isStopped(view, game.products) ? { is_stopped: true as const } : {}),
    is_from: isFrom,
    rating: null,
    regions: [],
  }
}

/** Whether what is found is not sold for the moment, rather than sold out: one of it at least. */
const isStopped = ({ shop }: ShopView, products: readonly Product[]): boolean =>
  products.some((product) => leadItemOf(shop, product).isStopped)

/** A product with its regions; it leads to the best of them. */
export function foundGoods(view: ShopView, { products }: FoundGoods): FoundEntry {
  const [best] = products
  if (!best) throw new Error('a product is found in a region')
  const card = productCard(view, best)
  const isOne = products.length === 1
  return {
    code: card.code,
    name: card.goods_name,
    note: isOne ? card.region.name : '',
    path: productPath(best),
    image: card.image,
    price: card.in_stock ? card.price : null,
    ...(!card.in_stock && isStopped(view, products) ? { is_stopped: true as const } : {}),
    is_from: best.items.length > 1,
    rating: card.rating.count === 0 ? null : card.rating,
    regions: isOne
      ? []
      : products.map((product) => ({
          code: product.region.code,
          name: textIn(product.region.name, view.language),
          path: productPath(product),
        })),
  }
}
