import { z } from 'zod'
import { priceShape } from '#features/goods/browse/view/shapes.ts'
import {
  orderIdShape,
  orderNumberShape,
  PAYMENT_STATES,
} from '#features/buying/order/view/shapes.ts'
import { ORDER_STATUSES } from '#features/buying/order/rules.ts'
import { METHOD_GROUPS, METHOD_ICONS } from '#features/goods/pay-method/rules.ts'

export const methodShape = z
  .object({
    code: z.string().meta({ description: 'What pay/start takes', examples: ['card'] }),
    name: z.string().meta({ examples: ['Visa or Mastercard'] }),
    text: z.string().meta({ description: 'Where it happens; empty where nothing is to be said' }),
    group: z.enum(METHOD_GROUPS),
    icon: z.enum(METHOD_ICONS),
    fee: priceShape.meta({ description: 'Added to the goods' }),
    total: priceShape.meta({ description: 'To pay with it' }),
    is_available: z.boolean(),
    reason: z
      .string()
      .nullable()
      .meta({
        description: "Why it cannot be chosen, in the caller's language; null when it can",
        examples: ['Minimum $1.00'],
      }),
  })
  .meta({ id: 'PayMethod' })
export type MethodView = z.infer<typeof methodShape>

export const methodsShape = z
  .object({
    order: orderIdShape,
    order_no: orderNumberShape,
    goods: priceShape,
    seconds_left: z
      .int()
      .min(0)
      .meta({ description: 'To pay the order; 0 when it cannot be paid' }),
    chosen: z
      .string()
      .nullable()
      .meta({
        description: 'Method of the payment that is open; null when none is',
        examples: [null],
      }),
    list: z.array(methodShape),
  })
  .meta({ id: 'PayMethods' })
export type MethodsView = z.infer<typeof methodsShape>

export const payStatusShape = z
  .object({
    order: orderIdShape,
    order_no: orderNumberShape,
    status: z.enum(ORDER_STATUSES),
    payment: z.enum(PAYMENT_STATES).meta({ description: 'How far the payment is' }),
    payment_text: z.string().meta({ examples: ['Waiting for payment'] }),
    method: z
      .string()
      .nullable()
      .meta({ description: 'Null before a way to pay was chosen', examples: ['card'] }),
    method_text: z
      .string()
      .nullable()
      .meta({ examples: ['Visa or Mastercard'] }),
    total: priceShape,
    paid: priceShape.nullable().meta({ description: 'What has arrived; null while nothing has' }),
    missing: priceShape.nullable().meta({
      description:
        'Of an order that was paid in part: what has yet to arrive. Null for every other, and once the part is on its way back',
    }),
    seconds_left: z
      .int()
      .min(0)
      .meta({ description: 'To pay the order; 0 when it cannot be paid' }),
    is_payable: z
      .boolean()
      .meta({ description: 'It can still be paid, by this or another method' }),
    is_settled: z.boolean().meta({
      description:
        'Nothing more is to be waited for here: the money came, or the order is over. The rest of a transfer is waited for',
    }),
    redirect_url: z.string().nullable().meta({
      description:
        'Where the payer goes on with an open payment; null when there is nothing to do there',
    }),
  })
  .meta({ id: 'PayStatus' })
export type PayStatusView = z.infer<typeof payStatusShape>
