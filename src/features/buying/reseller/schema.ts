import { z } from 'zod'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { LINES_MAX, ORDERS_MAX, PAGE_MAX, RESULTS, STOCK_MAX } from './rules.ts'

const EXAMPLE_ITEM = 'card:steam:us:20'

export const moneyShape = z
  .object({
    amount: z.string().meta({ description: 'A decimal, exact', examples: ['19.00'] }),
    currency: z.string().meta({ examples: ['USD'] }),
  })
  .meta({ id: 'ResellerMoney' })

export const referenceShape = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,80}$/)
  .meta({
    description: 'Your own name of the order; it buys once',
    examples: ['2f1c9b1e-5f0e-4a56-9a34-7a0a7f3c1b77'],
  })

export const currencyCode = z.string().regex(/^[A-Z]{3}$/)
const minorUnits = z.int().min(1)

/** Of a line, what was asked for of goods that are sold at any amount. */
const lineAmount = {
  amount: minorUnits.nullable().meta({
    description:
      'Of goods that are sold at any amount: how much of one unit, in minor units of `amount_currency`',
    examples: [25_000],
  }),
  amount_currency: z
    .string()
    .nullable()
    .meta({ examples: ['NGN'] }),
}

export const wantedLinesShape = z
  .array(
    z.strictObject({
      item: z
        .string()
        .min(1)
        .max(200)
        .meta({ examples: [EXAMPLE_ITEM] }),
      quantity: z
        .int()
        .min(1)
        .max(QUANTITY_MAX)
        .meta({ examples: [1] }),
      fields: z
        .record(z.string().max(60), z.string().max(300))
        .refine((fields) => Object.keys(fields).length <= 20)
        .optional()
        .meta({ description: 'Of the account to be credited, by `fields` of the price list' }),
      amount: z
        .int()
        .min(1)
        .max(Number.MAX_SAFE_INTEGER)
        .optional()
        .meta({
          description:
            'Of goods that are sold at any amount, and only of these: how much, in minor units of their face currency',
          examples: [25_000],
        }),
      amount_currency: currencyCode.optional().meta({
        description:
          'What `amount` is meant in; refused where the goods have another face currency',
        examples: ['NGN'],
      }),
    }),
  )
  .min(1)
  .max(LINES_MAX)

export const quoteBody = z.strictObject({ lines: wantedLinesShape })

export const orderBody = z.strictObject({
  reference: referenceShape,
  lines: wantedLinesShape,
  max_total: z
    .string()
    .min(1)
    .max(30)
    .optional()
    .meta({
      description:
        'In the currency of the call; where the order would cost more it is refused with 2435',
      examples: ['19.00'],
    }),
})

/** Either of the two; what fits neither names no order. */
export const whichOrder = {
  reference: referenceShape.optional(),
  order: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'The shop’s id of the order, in place of `reference`' }),
}

export const catalogueQuery = z.object({
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: '`next` of the page before; left out for the first' }),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_MAX).optional(),
  updated_since: z.iso
    .datetime()
    .optional()
    .meta({
      description:
        'Only what was changed since then, `as_of` of the last time; after a rate of exchange has changed, everything it prices',
      examples: ['2026-11-20T09:30:00.000Z'],
    }),
})

export const stockQuery = z.object({
  items: z
    .string()
    .min(1)
    .max(20_000)
    .meta({
      description: `Codes of items, separated by commas, ${STOCK_MAX} at most`,
      examples: [EXAMPLE_ITEM],
    }),
})

const fieldShape = z.object({
  key: z.string().meta({ examples: ['user_id'] }),
  kind: z.string().meta({ examples: ['digits'] }),
  required: z.boolean(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})

const listedShape = z
  .object({
    item: z.string().meta({ examples: [EXAMPLE_ITEM] }),
    kind: z.enum(['topup', 'recharge', 'data', 'giftcard', 'key']),
    name: z.string().meta({ examples: ['Steam Wallet Code $20'] }),
    product: z.string().meta({ examples: ['steam-us'] }),
    brand: z.string().meta({ examples: ['steam'] }),
    country: z
      .string()
      .nullable()
      .meta({
        description: 'The one country it is for; null for several or all',
        examples: ['US'],
      }),
    price: moneyShape.meta({
      description: 'Of one; of goods that are sold at any amount, of their `amount.face`',
    }),
    amount: z
      .object({
        currency: z
          .string()
          .meta({ description: 'Face currency: that of the phone', examples: ['NGN'] }),
        min: minorUnits.meta({ examples: [5_000] }),
        max: minorUnits.meta({ examples: [5_000_000] }),
        step: minorUnits.meta({ description: 'From `min` on', examples: [100] }),
        face: minorUnits.meta({ description: 'What `price` is of', examples: [100_000] }),
      })
      .nullable()
      .meta({
        description:
          'Sold at any amount, in minor units: an amount costs `price` × amount ÷ `face`, rounded as every price in this currency, and never below what the shop keeps; `reseller/quote` tells it exactly. Null: it is what it is',
      }),
    stock: z
      .int()
      .nullable()
      .meta({ description: 'At hand; null: as many as are wanted', examples: [42] }),
    fields: z.array(fieldShape),
  })
  .meta({ id: 'ResellerItem' })
export type ListedItem = z.infer<typeof listedShape>

export const cataloguePageShape = z
  .object({
    items: z.array(listedShape),
    next: z.string().nullable(),
    as_of: z.string().meta({ examples: ['2026-11-20T09:30:00.000Z'] }),
  })
  .meta({ id: 'ResellerCatalogue' })

export const stockShape = z
  .array(
    z.object({
      item: z.string().meta({ examples: [EXAMPLE_ITEM] }),
      on_sale: z.boolean(),
      stock: z
        .int()
        .nullable()
        .meta({ examples: [42] }),
      price: moneyShape.nullable(),
    }),
  )
  .meta({ id: 'ResellerStock' })

export const quoteShape = z
  .object({
    lines: z.array(
      z.object({
        item: z.string().meta({ examples: [EXAMPLE_ITEM] }),
        quantity: z.int(),
        ...lineAmount,
        price: moneyShape,
      }),
    ),
    total: moneyShape,
  })
  .meta({ id: 'ResellerQuote' })

export const orderShape = z
  .object({
    reference: z.string(),
    order: z
      .string()
      .nullable()
      .meta({ examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
    order_no: z
      .string()
      .nullable()
      .meta({ examples: ['4820193746510'] }),
    result: z.enum(RESULTS).meta({
      description:
        '`accepted`: under way; `done`: everything is delivered; `partial`: some is, the rest was given back; `failed`: nothing is, and the money is back',
    }),
    status: z
      .string()
      .nullable()
      .meta({ examples: ['completed'] }),
    is_paid: z.boolean(),
    total: moneyShape.nullable(),
    refunded: moneyShape.nullable(),
    failure: z
      .object({ code: z.int(), reason: z.string().meta({ examples: ['out_of_stock'] }) })
      .nullable(),
    lines: z.array(
      z.object({
        item: z.string(),
        quantity: z.int(),
        ...lineAmount,
        price: moneyShape,
        units: z.array(z.object({ id: z.string(), status: z.string() })),
      }),
    ),
  })
  .meta({ id: 'ResellerOrder' })
export type OrderView = z.infer<typeof orderShape>

export const ordersQuery = z.object({
  from: z.iso
    .datetime()
    .meta({ description: 'Asked for then or later', examples: ['2026-11-20T00:00:00.000Z'] }),
  to: z.iso
    .datetime()
    .meta({ description: 'Asked for before then', examples: ['2026-11-21T00:00:00.000Z'] }),
  cursor: referenceShape
    .optional()
    .meta({ description: '`next` of the page before; left out for the first' }),
  limit: z.coerce.number().int().min(1).max(ORDERS_MAX).default(ORDERS_MAX).optional(),
})

export const ordersShape = z
  .object({
    orders: z.array(
      orderShape.extend({
        created: z
          .string()
          .meta({ description: 'When it was asked for', examples: ['2026-11-20T09:30:00.000Z'] }),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'ResellerOrders' })

export const keysShape = z
  .object({
    reference: z.string(),
    order: z.string(),
    units: z.array(
      z.object({
        id: z.string(),
        item: z.string(),
        parts: z.record(z.string(), z.string()).meta({
          description: 'By name: `code`, `pin`, `serial`, `url`, `image` and others',
          examples: [{ code: 'ABCD-EFGH-1234' }],
        }),
        expires_on: z
          .string()
          .nullable()
          .meta({ examples: ['2027-06-30'] }),
      }),
    ),
  })
  .meta({ id: 'ResellerKeys' })

export const balanceShape = z.array(moneyShape).meta({ id: 'ResellerBalance' })
