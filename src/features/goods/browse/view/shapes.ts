import { z } from 'zod'
import { deliveryPace } from './pace-shape.ts'
import { code, count, name, path, percent, picture } from './shape-parts.ts'

/**
 * What the shop shows of its goods, to pages and callers alike (decisions, "The wire contract, completed"). The published
 * contract is generated from these shapes; the functions beside them make the values.
 */

export const priceShape = z
  .object({
    amount: z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .meta({ description: 'Decimal in major units', examples: ['4.99'] }),
    minor: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'Whole number of minor units (ISO 4217)', examples: ['499'] }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({ description: 'ISO 4217 code', examples: ['USD'] }),
    text: z.string().meta({ description: "Written in the caller's language", examples: ['$4.99'] }),
  })
  .meta({ id: 'Price', description: 'An amount of money' })
export type Price = z.infer<typeof priceShape>

const shownPrice = priceShape
  .nullable()
  .meta({ description: 'Null while no rate is known for the currency' })
const comparedPrice = priceShape
  .nullable()
  .meta({ description: 'The price it is compared with; null when there is none' })

/** What of a free amount is sold. */
export const freeAmountShape = z
  .object({ min: priceShape, max: priceShape, step: priceShape })
  .nullable()
  .meta({
    description:
      'Sold at any amount from `min` to `max` in steps of `step` from `min` on: `amount` of cart/add; null where it is what it is',
  })

export const ratingShape = z
  .object({
    average: z
      .number()
      .min(0)
      .max(5)
      .meta({
        description: 'Mean of the stars to one decimal; 0 without reviews',
        examples: [4.6],
      }),
    count: count('Number of reviews', 31),
  })
  .meta({ id: 'Rating' })

export const ratingSummaryShape = z
  .object({
    ...ratingShape.shape,
    grades: z
      .object({
        excellent: count('4 and 5 stars', 27),
        general: count('3 stars', 3),
        bad: count('1 and 2 stars', 1),
      })
      .meta({ description: 'Number of reviews of each grade' }),
  })
  .meta({ id: 'RatingSummary' })

export const placeShape = z
  .object({
    code: code('us'),
    name: name('United States'),
    icon: z
      .string()
      .meta({ description: 'Address of its sign', examples: ['/img/national_flag/flag/us.webp'] }),
  })
  .meta({ id: 'Place', description: 'A sales region or a country' })
export type Place = z.infer<typeof placeShape>

const goodsType = z.literal([1, 2, 3, 4]).meta({
  description: '1 card, 2 direct charge, 3 mobile recharge, 4 game product',
  examples: [1],
})

export const stopped = z.literal(true).optional().meta({
  description: 'There where it is not sold for the moment, rather than sold out',
})

export const productCardShape = z
  .object({
    code: code('steam-us'),
    goods_name: name('Steam Wallet Code'),
    type: goodsType,
    image: picture('/img/goods_thumb_1_1/brand/steam.webp'),
    region: placeShape,
    price: shownPrice,
    market_price: comparedPrice,
    discount: percent,
    in_stock: z.boolean(),
    is_stopped: stopped,
    rating: ratingShape,
  })
  .meta({
    id: 'ProductCard',
    description:
      'A product in a list: a brand in a sales region, with the price of its cheapest denomination at hand',
  })
export type ProductCard = z.infer<typeof productCardShape>

export const goodsItemShape = z
  .object({
    code: z
      .string()
      .meta({ description: 'What a cart and an order name', examples: ['card:steam:us:20'] }),
    kind: z.enum([
      'pack',
      'pass',
      'membership',
      'bundle',
      'value',
      'plan',
      'edition',
      'airtime',
      'data',
    ]),
    label: name('$20'),
    bonus: z
      .string()
      .nullable()
      .meta({ description: 'Units on top of a pack, with their name', examples: ['5 Diamonds'] }),
    amount: freeAmountShape,
    price: shownPrice,
    market_price: comparedPrice,
    discount: percent,
    in_stock: z.boolean(),
    is_stopped: stopped,
    stock: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Units at hand; null where they are made to order', examples: [120] }),
    sold: count('Units sold so far', 940),
  })
  .meta({ id: 'GoodsItem', description: 'A denomination, pack, plan or edition: what is bought' })
export type GoodsItem = z.infer<typeof goodsItemShape>

export const goodsFieldShape = z
  .object({
    key: z.string().meta({ examples: ['user_id'] }),
    kind: z.enum(['digits', 'text', 'select', 'email', 'phone']),
    label: name('User ID'),
    required: z.boolean(),
    help: z.string().nullable(),
    picture: z
      .object({
        image: picture('/img/field_help/figure/profile-id.webp'),
        alt: z.string().meta({ examples: ['A profile: the ID is the first number.'] }),
      })
      .nullable()
      .meta({ description: 'Where it is found; null without a picture' }),
    pattern: z
      .string()
      .nullable()
      .meta({
        description: 'JavaScript pattern of a right value, anchored',
        examples: ['^\\d{5,10}$'],
      }),
    min: z
      .int()
      .nullable()
      .meta({ description: 'Least length', examples: [5] }),
    max: z
      .int()
      .nullable()
      .meta({ description: 'Greatest length', examples: [10] }),
    placeholder: z
      .string()
      .nullable()
      .meta({ examples: ['123456789'] }),
    options: z
      .array(z.object({ value: z.string(), label: z.string() }))
      .meta({ description: 'Choices of a select' }),
  })
  .meta({
    id: 'GoodsField',
    description: 'What a shopper gives of the account or phone to be credited',
  })
export type GoodsField = z.infer<typeof goodsFieldShape>

export const reviewShape = z
  .object({
    id: z.string().meta({ examples: ['17'] }),
    rating: z.int().min(1).max(5),
    grade: z.enum(['excellent', 'general', 'bad']),
    text: z.string().meta({
      description: 'As written; empty where stars were given alone',
      examples: ['Code came before I had closed the payment tab.'],
    }),
    language: z.string().meta({ description: 'Language it is written in', examples: ['en'] }),
    nickname: z.string().meta({ description: 'Masked', examples: ['h***n6'] }),
    country: placeShape.nullable(),
    helpful: count('How many found it helpful', 3),
    is_verified: z
      .boolean()
      .meta({ description: 'Who wrote it was delivered what it is about, by this shop' }),
    answer: z
      .string()
      .nullable()
      .meta({ description: 'What the shop says below it', examples: ['Thank you!'] }),
    published_at: z.iso.datetime().meta({ examples: ['2026-06-28T00:00:00.000Z'] }),
    published_text: name('28 June 2026'),
    goods: z.object({ code: code('steam-us'), goods_name: name('Steam Wallet Code') }).nullable(),
  })
  .meta({
    id: 'Review',
    description: 'Reviews belong to the brand: every region shows the same ones',
  })
export type ReviewView = z.infer<typeof reviewShape>

export const newsCardShape = z
  .object({
    code: code('how-direct-charge-works'),
    title: z.string(),
    summary: z.string(),
    image: picture('/img/article/news/how-direct-charge-works.webp'),
    category: z.object({ code: code('guides'), name: name('Guides') }).nullable(),
    published_at: z.iso.datetime().meta({ examples: ['2026-11-18T00:00:00.000Z'] }),
    published_text: name('18 November 2026'),
  })
  .meta({ id: 'NewsCard' })
export type NewsCard = z.infer<typeof newsCardShape>

export const gameCardShape = z
  .object({
    code: code('mobile-legends'),
    name: name('Mobile Legends: Bang Bang'),
    image: picture('/img/goods_thumb_3_4/game/mobile-legends.webp'),
    publisher: z.string(),
    path: path('/game/mobile-legends'),
    goods_count: count('Products of the game on sale, all regions', 6),
    price: priceShape.nullable().meta({ description: 'Of its cheapest goods' }),
  })
  .meta({ id: 'GameCard' })
export type GameCard = z.infer<typeof gameCardShape>

const named = z.object({ code: code('mobile'), name: name('Mobile') })
const category = z.object({
  code: code('game-wallets'),
  name: name('Game Wallets'),
  path: path('/cards-category/game-wallets'),
})

export const goodsDetailShape = z
  .object({
    ...productCardShape.shape,
    rating: ratingSummaryShape,
    kind: z.enum([
      'top_up',
      'game_card',
      'gift_card',
      'prepaid_card',
      'subscription',
      'recharge',
      'game_key',
    ]),
    path: path('/cards/steam-us'),
    brand: z.object({
      code: code('steam'),
      name: name('Steam Wallet Code'),
      publisher: z.string(),
    }),
    game: z
      .object({
        code: code('mobile-legends'),
        name: name('Mobile Legends: Bang Bang'),
        path: path('/game/mobile-legends'),
      })
      .nullable(),
    regions: z
      .array(
        z.object({
          ...placeShape.shape,
          product: code('steam-us'),
          path: path('/cards/steam-us'),
          price: shownPrice,
          in_stock: z.boolean(),
        }),
      )
      .meta({ description: 'The same brand in every region it is sold for, this one among them' }),
    region_lock: z.object({
      kind: z.enum(['country', 'currency', 'zone', 'none']),
      countries: z
        .array(
          z.object({ code: z.string().meta({ examples: ['US'] }), name: name('United States') }),
        )
        .nullable()
        .meta({ description: 'Null means all' }),
      sentence: z
        .string()
        .nullable()
        .meta({
          description: "The restriction in the caller's language",
          examples: ['Works only with accounts that use US Dollar.'],
        }),
      note: z.string().nullable(),
    }),
    items: z.array(goodsItemShape),
    fields: z.array(goodsFieldShape),
    account_check: z.enum(['none', 'wish', 'must']).meta({
      description:
        'Whether a supplier is asked about the account before it is paid for (`account/validate`): never, where one can be asked, or else it is not sold',
    }),
    redeem: z.object({
      at: z
        .string()
        .nullable()
        .meta({ examples: ['store.steampowered.com'] }),
      steps: z.array(z.string()),
    }),
    key_format: z
      .string()
      .nullable()
      .meta({ examples: ['3 groups of 5 letters and digits'] }),
    validity: z
      .string()
      .nullable()
      .meta({ examples: ['Does not expire'] }),
    delivery: z.enum(['card_key', 'direct_charge']),
    delivery_minutes: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Usual time to delivery', examples: [10] }),
    delivery_most_minutes: z
      .int()
      .min(1)
      .nullable()
      .meta({
        description:
          'Within which 95 of 100 of the latest deliveries were there; null where nothing is measured yet',
        examples: [25],
      }),
    delivery_is_estimate: z.boolean().meta({
      description:
        "Whether the usual time is the catalogue's estimate; else half of the latest deliveries took no longer",
    }),
    delivery_pace: deliveryPace.nullable().meta({
      description: 'Measured for this product, where suppliers deliver it; null before 20 were',
    }),
    platforms: z.array(named),
    categories: z.array(category),
    released_year: z
      .int()
      .nullable()
      .meta({ examples: [2016] }),
    stock: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Of all items together; null where one is made to order' }),
    sold: count('Of all items together', 31900),
    reviews: z.array(reviewShape).meta({ description: 'The newest' }),
    related: z.array(productCardShape),
  })
  .meta({ id: 'GoodsDetail' })
export type GoodsDetail = z.infer<typeof goodsDetailShape>

export const gameDetailShape = z
  .object({
    ...gameCardShape.shape,
    platforms: z.array(named),
    category: category.nullable(),
    released_year: z
      .int()
      .nullable()
      .meta({ examples: [2016] }),
    top_ups: z.array(productCardShape),
    cards: z.array(productCardShape),
    keys: z.array(productCardShape),
    news: z.array(newsCardShape),
  })
  .meta({ id: 'GameDetail' })
export type GameDetail = z.infer<typeof gameDetailShape>
