import { z } from 'zod'
import { freeAmountShape, priceShape } from '#features/goods/browse/view/shapes.ts'
import {
  addToCart,
  assertAddable,
  changeLine,
  mergeCart,
  removeLines,
  showCart,
} from '#features/buying/cart/commands.ts'
import { LINE_STATES, LINES_MAX, QUANTITY_MAX, VISITOR_LEVEL } from '#features/buying/cart/rules.ts'
import { AppError } from '#kernel/error.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'
import {
  accountFieldsShape,
  amountShape,
  lineIds,
  minorOf,
  wantedLineShape,
} from './order-create.ts'

const price = priceShape
  .nullable()
  .meta({ description: 'Null while no rate is known for the currency' })
const lineId = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'Of a line', examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] })

const lineShape = z
  .object({
    id: lineId,
    item: z.string().meta({ examples: ['card:steam:us:20'] }),
    product: z.object({
      code: z.string().meta({ examples: ['steam-us'] }),
      goods_name: z.string().meta({ examples: ['Steam Wallet Code'] }),
      image: z
        .string()
        .meta({ description: 'Address of the picture; empty for what is sold no more' }),
      path: z.string().meta({
        description: 'Address of the page, without language prefix; empty for what is sold no more',
        examples: ['/cards/steam-us'],
      }),
      region: z.string().meta({ examples: ['United States'] }),
    }),
    label: z.string().meta({ examples: ['$20'] }),
    bonus: z.string().nullable(),
    quantity: z.int().meta({ examples: [1] }),
    fields: accountFieldsShape,
    amount: priceShape.nullable().meta({
      description: 'Of goods that are sold at any amount: how much, in their face currency',
    }),
    amount_range: freeAmountShape.meta({
      description: 'Which amounts the line may be changed to (`cart/update`); null for other goods',
    }),
    account: z
      .array(z.object({ label: z.string(), value: z.string() }))
      .meta({ description: 'The same with the names of the fields' }),
    price,
    total: price.meta({ description: 'Of the whole line' }),
    market_price: price.meta({
      description: 'The unit price it is compared with; null when that is not above it',
    }),
    level_text: z.string().meta({
      description: "That the price is that of the shopper's customer level; empty at retail",
      examples: ['Your price, Gold'],
    }),
    retail_price: price.meta({
      description: 'The unit price that others pay, where it is above that of the level',
    }),
    state: z.enum(LINE_STATES).meta({
      description:
        '`ok` and `price_changed` can be bought; `limit`: fewer are left; `not_here`: not in the country of the buyer; `no_price`: not in the currency; `account`: account fields no longer fit; `sold_out`; `gone`: sold no more',
    }),
    state_text: z.string().meta({
      description:
        "In the caller's language; empty when all is well. Of `ok` it says that the phone was recharged minutes ago",
    }),
    was: price.meta({
      description: 'The unit price when the line was last touched, where it has changed',
    }),
    limit: z
      .int()
      .min(0)
      .max(QUANTITY_MAX)
      .meta({ description: 'Most units the line may ask for', examples: [100] }),
  })
  .meta({ id: 'CartLine' })

const cartShape = z
  .object({
    list: z.array(lineShape).meta({ description: 'Newest first' }),
    cart_num: z
      .int()
      .min(0)
      .meta({ description: 'Units in the cart', examples: [3] }),
    total: price.meta({ description: 'Of the lines that can be bought' }),
    market_total: price.meta({
      description: 'The same at the compared prices; null when nothing is saved',
    }),
    saving: price.meta({
      description: 'What these save against the compared prices; null for nothing',
    }),
  })
  .meta({ id: 'Cart' })

const lineBody = { access: 'signed-in', limit: 'write', method: 'POST', data: cartShape } as const

export const cartIndex = personalCall({
  path: 'cart/index',
  method: 'GET',
  summary: 'Show the cart',
  description:
    'At the prices of now, in the currency of the call. What is being paid in an open order is in `order/index`, and comes back here where no money arrives.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: cartShape,
  example: {},
  answer: (caller) => show(caller),
})

export const cartAdd = personalCall({
  ...lineBody,
  path: 'cart/add',
  summary: 'Put goods into the cart',
  description: `The same goods for the same account are one line of at most ${QUANTITY_MAX} units. A cart holds ${LINES_MAX} lines, with those that are being paid.`,
  body: z.strictObject(wantedLineShape.shape),
  example: { item: 'card:steam:us:20', quantity: 1 },
  answer: async (caller, { item, quantity, fields = {}, amount }) => {
    await addToCart(caller.ctx, offersFor(caller), caller.person.accountId, {
      item,
      quantity,
      fields,
      amountMinor: minorOf(amount),
    })
    return show(caller)
  },
})

export const cartCheck = personalCall({
  path: 'cart/check',
  method: 'POST',
  summary: 'Ask whether goods can be put into a cart',
  description:
    'For a cart that is kept elsewhere until its owner signs in. Nothing is changed; what is wrong is said as by `cart/add`.',
  access: 'anyone',
  limit: 'write',
  body: z.strictObject(wantedLineShape.shape),
  data: z.literal(true),
  example: { item: 'card:steam:us:20', quantity: 1 },
  answer: async ({ ctx, shop, currency, person }, { item, quantity, fields = {}, amount }) => {
    const query = { shop, currency, roleId: person?.roleId ?? VISITOR_LEVEL }
    await assertAddable(ctx, query, { item, quantity, fields, amountMinor: minorOf(amount) })
    return true as const
  },
})

export const cartUpdate = personalCall({
  ...lineBody,
  path: 'cart/update',
  summary: 'Change how many of a line, or of what amount',
  description: 'A line that becomes the same as another is one with it.',
  body: z.strictObject({
    id: lineId,
    quantity: wantedLineShape.shape.quantity,
    amount: amountShape.optional(),
  }),
  example: { id: '0Yb1nq4p8T2cVx9sKd3LwA', quantity: 2 },
  answer: async (caller, { id, quantity, amount }) => {
    await changeLine(caller.ctx, offersFor(caller), caller.person.accountId, id, {
      quantity,
      amountMinor: minorOf(amount) ?? undefined,
    })
    return show(caller)
  },
})

export const cartRemove = personalCall({
  ...lineBody,
  path: 'cart/remove',
  summary: 'Take lines out of the cart',
  description: 'One by `id`, or several by `ids`.',
  body: z.strictObject({ id: lineId.optional(), ids: lineIds.optional() }),
  example: { id: '0Yb1nq4p8T2cVx9sKd3LwA' },
  answer: async (caller, { id, ids = [] }) => {
    const all = id === undefined ? ids : [id, ...ids]
    if (all.length === 0)
      throw new AppError('invalid_input', {}, { fields: [{ field: 'id', reason: 'required' }] })
    await removeLines(caller.ctx, caller.person.accountId, all)
    return show(caller)
  },
})

export const cartMerge = personalCall({
  ...lineBody,
  path: 'cart/merge',
  summary: 'Take over the cart that a browser kept',
  description:
    'For after signing in. The greater quantity of a line counts, so that nothing doubles when it is sent twice. What is not sold any more stays out.',
  body: z.strictObject({ lines: z.array(wantedLineShape).max(LINES_MAX) }),
  example: { lines: [{ item: 'card:steam:us:20', quantity: 1 }] },
  answer: async (caller, { lines }) => {
    await mergeCart(
      caller.ctx,
      offersFor(caller),
      caller.person.accountId,
      lines.map(({ amount, fields = {}, ...line }) => ({
        ...line,
        fields,
        amountMinor: minorOf(amount),
      })),
    )
    return show(caller)
  },
})

function offersFor({ shop, currency, person }: SignedInCaller) {
  return { shop, currency, roleId: person.roleId }
}

function show(caller: SignedInCaller) {
  const { ctx, shop, language, currency, t, person, chosenCountry } = caller
  return showCart(
    ctx,
    { shop, language: language.code, currency, t },
    { ...offersFor(caller), accountId: person.accountId, chosenCountry },
  )
}
