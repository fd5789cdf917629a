import { z } from 'zod'

/** How a shopper's key stands: never looked at, looked at, noted as used by its owner, given back. */
export const KEY_STATES = ['hidden', 'revealed', 'used', 'refunded'] as const

export const keyShape = z
  .object({
    id: z
      .string()
      .meta({ description: 'By this it is revealed', examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
    order: z.string().meta({ examples: ['hQ9xqk0bRk2v8k4y6c9w1B'] }),
    order_no: z.string().meta({ examples: ['4820193746510'] }),
    product: z
      .object({
        code: z.string().meta({ examples: ['steam-us'] }),
        goods_name: z.string().meta({ examples: ['Steam Wallet Code'] }),
        image: z.string().meta({ description: 'Empty for goods that are sold no more' }),
        path: z.string().nullable(),
      })
      .meta({ id: 'KeyProduct' }),
    label: z.string().meta({ description: 'What was bought of the product', examples: ['$20'] }),
    masked: z.string().meta({ description: 'Its last characters alone', examples: ['•••• 7KX4'] }),
    state: z.enum(KEY_STATES),
    state_text: z.string().meta({ examples: ['Not revealed'] }),
    expires_on: z
      .string()
      .nullable()
      .meta({ description: 'Day from which on it is worth nothing', examples: ['2027-06-30'] }),
    expires_text: z
      .string()
      .nullable()
      .meta({ examples: ['30 June 2027'] }),
    is_expired: z.boolean(),
    delivered_at: z.string().meta({ examples: ['2026-11-20T09:30:00.000Z'] }),
    delivered_text: z.string().meta({ examples: ['20 November 2026'] }),
    can: z
      .object({ reveal: z.boolean(), mark: z.boolean(), report: z.boolean() })
      .meta({ id: 'KeyCan' }),
    redeem: z
      .object({
        at: z
          .string()
          .nullable()
          .meta({ examples: ['store.steampowered.com/account/redeemwalletcode'] }),
        steps: z.array(z.string()),
      })
      .meta({ id: 'KeyRedeem' }),
  })
  .meta({ id: 'CardKey' })
export type KeyView = z.infer<typeof keyShape>

export const revealedShape = z
  .object({
    id: z.string(),
    kind: z.enum(['code', 'link', 'picture']),
    parts: z
      .array(
        z.object({
          name: z.string().meta({ examples: ['code'] }),
          label: z.string().meta({ examples: ['Code'] }),
          value: z.string(),
        }),
      )
      .meta({ description: 'What is to be typed, in order' }),
    url: z.string().nullable().meta({ description: 'Address to open' }),
    picture: z.string().nullable().meta({ description: 'Picture to show, as a data URL' }),
  })
  .meta({ id: 'RevealedKey' })
export type RevealedView = z.infer<typeof revealedShape>
