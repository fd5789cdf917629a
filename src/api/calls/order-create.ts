import { z } from 'zod'
import {
  placeOrder,
  placeTopUp,
  type AccountOfLine,
  type Goods,
} from '#features/buying/checkout/commands.ts'
import { LINES_MAX, QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { orderIdShape, orderNumberShape } from '#features/buying/order/view/shapes.ts'
import { keepPlayers } from '#features/supply/account-check/commands.ts'
import { judgeAccounts } from '#features/supply/account-check/flows.ts'
import { AppError } from '#kernel/error.ts'
import { personalCall } from '../personal/call.ts'

/** What the goods ask for of the account to be credited, by the keys of their `fields`; a mobile recharge asks for `phone`. */
export const accountFieldsShape = z
  .record(z.string().max(60), z.string().max(300))
  .refine((fields) => Object.keys(fields).length <= 20)
  .meta({
    description:
      'What the goods ask for of the account to be credited (`fields` of goods/detail); a mobile recharge asks for `phone`',
    examples: [{ user_id: '123456789' }],
  })

/** In JSON numbers are exact up to here. */
const AMOUNT_MAX = Number.MAX_SAFE_INTEGER

export const amountShape = z
  .int()
  .min(1)
  .max(AMOUNT_MAX)
  .meta({
    description:
      'Of goods that are sold at any amount (`amount` of an item in recharge/plans), and only of these: how much, in minor units of their face currency',
    examples: [25_000],
  })

/** An amount as it came, for the features. */
export const minorOf = (amount: number | undefined): bigint | null =>
  amount === undefined ? null : BigInt(amount)

export const wantedLineShape = z.strictObject({
  item: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Code of an item', examples: ['card:steam:us:20'] }),
  quantity: z
    .int()
    .min(1)
    .max(QUANTITY_MAX)
    .meta({ examples: [1] }),
  fields: accountFieldsShape.optional(),
  amount: amountShape.optional(),
})

export const lineIds = z.array(z.string().min(1).max(40)).min(1).max(LINES_MAX)

const placedShape = z
  .object({
    order: orderIdShape,
    order_no: orderNumberShape,
  })
  .meta({ id: 'PlacedOrder' })

export const orderCreate = personalCall({
  path: 'order/create',
  method: 'POST',
  summary: 'Order goods',
  description:
    'Of the cart (`cart`, with `select` only these lines of it), of `lines`, or of `credit` to spend here later. Prices are those of now, in the currency of the call; they stay as they are until the order expires, 15 minutes ' +
    'later. Ordered lines leave the cart, and come back under other ids where the order ends unpaid. Sent again with the same `Idempotency-Key`, or for the same lines of the cart, it answers the same order. What is wrong with a line is told at ' +
    '`lines.N.…`, of the cart at `lines.<id>.…`, and so is what a supplier says is no account (`account/validate`); 2435 says that a price has risen since it was shown: send it again to agree. 2430 may carry the order just made of the cart.',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({
    cart: z.literal(true).optional(),
    select: lineIds.optional().meta({ description: 'Lines of the cart, by their id; with `cart`' }),
    lines: z.array(wantedLineShape).min(1).max(LINES_MAX).optional(),
    credit: z
      .strictObject({
        amount: z
          .string()
          .min(1)
          .max(30)
          .meta({ examples: ['50.00'] }),
      })
      .optional()
      .meta({
        description:
          'Store credit in the currency of the call, in place of goods; what may be bought at once is told at `credit.amount`',
      }),
  }),
  data: placedShape,
  example: { lines: [{ item: 'card:steam:us:20', quantity: 1 }] },
  answer: async (
    {
      ctx,
      shop,
      services,
      person,
      visitor,
      chosenCountry,
      language,
      currency,
      namedCurrency,
      idempotencyKey,
      isForm,
    },
    body,
  ) => {
    if (namedCurrency !== null && namedCurrency !== currency.code)
      throw new AppError('currency_unavailable')
    const players = new Map<number, string>()
    const checkout = {
      shop,
      person,
      visitor,
      chosenCountry,
      language: language.code,
      currency,
      idempotencyKey,
      isForm,
      judgeAccounts: async (lines: readonly AccountOfLine[]) => {
        const { problems, names } = await judgeAccounts(ctx, services.checkAccount, lines)
        for (const [line, name] of names) players.set(line, name)
        return problems
      },
    }
    const { credit, ...goods } = body
    if (credit && Object.values(goods).some((part) => part !== undefined))
      throw new AppError(
        'invalid_input',
        {},
        { fields: [{ field: 'credit', reason: 'not_allowed' }] },
      )
    const made = credit
      ? await placeTopUp(ctx, checkout, credit.amount)
      : await placeOrder(ctx, checkout, goodsOf(goods))
    await keepPlayers(ctx, made.publicId, players)
    return { order: made.publicId, order_no: made.number }
  },
})

/** Exactly one of the ways to name goods. */
function goodsOf({
  cart,
  select,
  lines,
}: {
  cart?: true | undefined
  select?: string[] | undefined
  lines?:
    | {
        item: string
        quantity: number
        fields?: Record<string, string> | undefined
        amount?: number | undefined
      }[]
    | undefined
}): Goods {
  if (cart && !lines) return { cart: select ?? null }
  if (lines && !cart && !select)
    return {
      lines: lines.map(({ amount, fields = {}, ...line }) => ({
        ...line,
        fields,
        amountMinor: minorOf(amount),
      })),
    }
  throw new AppError(
    'invalid_input',
    {},
    {
      fields: [
        {
          field: lines && cart ? 'cart' : select && !cart ? 'select' : 'lines',
          reason: lines || select ? 'not_allowed' : 'required',
        },
      ],
    },
  )
}
