import { z } from 'zod'
import { priceShape } from '#features/goods/browse/view/shapes.ts'
import { ORDER_STATUSES, UNIT_STATUSES } from '../rules.ts'

/** How far the payment of an order is, told to its buyer. */
export const PAYMENT_STATES = [
  'unpaid',
  'waiting',
  'confirming',
  'failed',
  'partly_paid',
  'received',
  'paid',
  'partly_refunded',
  'refunded',
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** What of an order's history means something to its buyer. */
export const EVENT_KINDS = [
  'placed',
  'payment_started',
  'payment_failed',
  'paid',
  'shipping',
  'completed',
  'not_delivered',
  'input_needed',
  'input_corrected',
  'held',
  'money_returning',
  'disputed',
  'dispute_over',
  'refund_requested',
  'request_withdrawn',
  'request_declined',
  'refund_started',
  'refunded',
  'refund_failed',
  'refund_called_off',
  'cancelled',
  'expired',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export const TONES = ['ok', 'info', 'warn', 'bad'] as const
export type Tone = (typeof TONES)[number]

const moment = z.iso.datetime().meta({ examples: ['2026-11-20T14:02:11.000Z'] })
const momentText = z.string().meta({
  description: "In the caller's language, in the shop's time zone",
  examples: ['20 November 2026 at 14:02 UTC'],
})
const tone = z
  .enum(TONES)
  .nullable()
  .meta({ description: 'How the state is to be shown; null for neutral' })
export const orderIdShape = z
  .string()
  .max(100)
  .meta({
    description: 'Identifies the order in addresses and calls',
    examples: ['pZ1xqk0bRk2v8k4y6c9w1A'],
  })
export const orderNumberShape = z
  .string()
  .regex(/^\d{13}$/)
  .meta({ description: 'For people, on receipts and in letters', examples: ['4821300947165'] })

export const orderUnitShape = z
  .object({
    id: z.string().meta({
      description: 'What a card key is revealed by, and a refund asked for',
      examples: ['bY7tq1m4Qk2Zr8v0c6w9xA'],
    }),
    status: z.enum(UNIT_STATUSES),
    status_text: z.string().meta({ examples: ['Delivered'] }),
    tone,
    delivered_at: moment.nullable(),
    delivered_at_text: momentText.nullable(),
    revealed_at: moment
      .nullable()
      .meta({ description: 'When its key was first shown; null for what was not, or has none' }),
    is_used: z.boolean().meta({ description: 'Its owner has marked its key as used' }),
  })
  .meta({ id: 'OrderUnit', description: 'One thing of a line: delivered, or refunded, once' })
export type OrderUnitView = z.infer<typeof orderUnitShape>

export const orderLineShape = z
  .object({
    item: z
      .string()
      .nullable()
      .meta({
        description: 'Code of the denomination; null for store credit',
        examples: ['card:steam:us:20'],
      }),
    product_code: z
      .string()
      .nullable()
      .meta({ examples: ['steam-us'] }),
    goods_name: z.string().meta({ examples: ['Steam Wallet Code'] }),
    label: z.string().meta({ examples: ['$20'] }),
    region: z.string().meta({
      description: 'Where it works; empty where that is no question',
      examples: ['United States'],
    }),
    image: z
      .string()
      .meta({ description: 'Address of the picture on this host; empty when there is none' }),
    path: z
      .string()
      .nullable()
      .meta({
        description: 'Its page, without language prefix; null when it is no longer sold',
        examples: ['/cards/steam-us'],
      }),
    amount: priceShape.nullable().meta({
      description:
        'Of goods that are sold at any amount: how much was asked for, in their face currency',
    }),
    type: z.literal([1, 2, 3, 4]).nullable(),
    delivery: z.enum(['card_key', 'direct_charge', 'store_credit']),
    quantity: z.int().min(1),
    price: priceShape.meta({ description: 'Of one' }),
    total: priceShape,
    fields: z.array(
      z.object({
        label: z.string().meta({ examples: ['User ID'] }),
        value: z.string().meta({ examples: ['10293847'] }),
      }),
    ),
    units: z.array(orderUnitShape),
  })
  .meta({ id: 'OrderLine' })
export type OrderLineView = z.infer<typeof orderLineShape>

export const orderEventShape = z
  .object({
    kind: z.enum(EVENT_KINDS),
    at: moment,
    at_text: z.string().meta({
      description: 'Time of day; with the date where it was another day',
      examples: ['14:02:11'],
    }),
    text: z.string().meta({ examples: ['Paid'] }),
    tone: tone.meta({
      description: '`ok` for what succeeded, `bad` for what went wrong, else null',
    }),
  })
  .meta({ id: 'OrderEvent' })
export type OrderEventView = z.infer<typeof orderEventShape>

/** What a stranger with number and e-mail address may see: how far it is. */
export const orderProgressShape = z
  .object({
    order_no: orderNumberShape,
    status: z.enum(ORDER_STATUSES),
    status_text: z.string().meta({ examples: ['Completed'] }),
    tone,
    created_at: moment,
    created_at_text: momentText,
    events: z.array(orderEventShape).meta({ description: 'Oldest first' }),
  })
  .meta({ id: 'OrderProgress' })
export type OrderProgressView = z.infer<typeof orderProgressShape>

const missing = priceShape.nullable().meta({
  description:
    'Of an order that was paid in part: what has yet to arrive. Null for every other, and once the part is on its way back',
})
const mayPayRest = z
  .boolean()
  .meta({ description: 'What is missing can be paid the same way: by a transfer' })
const mayCancel = z
  .boolean()
  .meta({ description: 'What has arrived of an order that was paid in part goes back then' })

export const listedOrderShape = z
  .object({
    order: orderIdShape,
    ...orderProgressShape.omit({ events: true }).shape,
    expires_at: moment.meta({ description: 'Until when it can be paid' }),
    seconds_left: z.int().min(0).meta({ description: 'To pay it; 0 when it cannot be paid' }),
    total: priceShape,
    refunded: priceShape.nullable(),
    missing,
    lines: z.array(orderLineShape.omit({ units: true, fields: true })),
    can: z.object({
      pay: z.boolean(),
      pay_rest: mayPayRest,
      cancel: mayCancel,
      show_codes: z.boolean().meta({ description: 'Some of its codes are ready' }),
    }),
  })
  .meta({ id: 'ListedOrder' })
export type ListedOrderView = z.infer<typeof listedOrderShape>

export const orderShape = z
  .object({
    order: orderIdShape,
    ...orderProgressShape.shape,
    heading: z
      .string()
      .meta({ description: 'The state in a few words', examples: ['Delivered in 12 seconds'] }),
    expires_at: moment.meta({ description: 'Until when it can be paid' }),
    seconds_left: z.int().min(0).meta({ description: 'To pay it; 0 when it cannot be paid' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({ examples: ['USD'] }),
    goods: priceShape,
    fee: priceShape.meta({ description: "The payment method's service fee" }),
    tax: priceShape
      .nullable()
      .meta({ description: 'Contained in the total; null where there is none' }),
    total: priceShape,
    paid: priceShape.nullable().meta({ description: 'What has arrived; null while nothing has' }),
    missing,
    refunded: priceShape.nullable(),
    net: priceShape.nullable().meta({
      description:
        'What its buyer has paid once what was refunded is taken off; null where nothing was',
    }),
    payment: z
      .object({
        method: z.string().meta({ examples: ['card'] }),
        method_text: z.string(),
        status: z.enum(PAYMENT_STATES),
        status_text: z.string().meta({ examples: ['Paid'] }),
        tone,
      })
      .nullable()
      .meta({ description: 'Null before a way to pay was chosen' }),
    lines: z.array(orderLineShape),
    can: z
      .object({
        pay: z.boolean(),
        pay_rest: mayPayRest,
        cancel: mayCancel,
        request_refund: z.boolean(),
        review: z
          .boolean()
          .meta({ description: 'Something of it was delivered and has not been reviewed' }),
      })
      .meta({ description: 'What its buyer may do now' }),
  })
  .meta({ id: 'Order' })
export type OrderView = z.infer<typeof orderShape>
