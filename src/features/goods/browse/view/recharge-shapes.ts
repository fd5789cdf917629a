import { z } from 'zod'
import { freeAmountShape, priceShape, stopped } from './shapes.ts'

const country = z.string().meta({ description: 'ISO 3166-1 alpha-2', examples: ['IN'] })

export const rechargeCountryShape = z
  .object({
    code: country,
    name: z.string().meta({ description: "In the caller's language", examples: ['India'] }),
    dial_code: z.string().meta({ description: 'Empty where unknown', examples: ['+91'] }),
    example: z
      .string()
      .meta({ description: 'A mobile number as it is typed there', examples: ['8123456789'] }),
    operators: z.int().meta({ description: 'How many are sold', examples: [4] }),
  })
  .meta({ id: 'RechargeCountry' })

export const rechargeOperatorShape = z
  .object({
    code: z.string().meta({ examples: ['in-airtel'] }),
    name: z.string().meta({ examples: ['Airtel'] }),
    country,
    image: z.string().meta({ description: 'Address of its mark on this host' }),
    path: z.string().meta({ description: 'Its page, without language prefix' }),
    prefixes: z.array(z.string()).meta({
      description: 'First digits of its numbers, as dialled within the country',
      examples: [['0690']],
    }),
    is_portable: z.boolean().meta({ description: 'Whether numbers move between networks there' }),
    has_airtime: z.boolean(),
    has_data: z.boolean(),
  })
  .meta({ id: 'RechargeOperator' })

const shownPrice = priceShape
  .nullable()
  .meta({ description: 'Null while no rate is known for the currency' })

export const rechargePlanShape = z
  .object({
    item: z.string().meta({ description: 'What cart/add takes', examples: ['air:in-airtel:100'] }),
    kind: z.enum(['airtime', 'data']),
    label: z.string().meta({ examples: ['₹100'] }),
    value: priceShape.nullable().meta({
      description: 'What the phone receives, in its own currency; null for data packs',
    }),
    megabytes: z
      .int()
      .nullable()
      .meta({ description: 'Of a data pack', examples: [1_000] }),
    days: z
      .int()
      .nullable()
      .meta({ description: 'How long a data pack is valid', examples: [28] }),
    price: shownPrice.meta({
      description:
        'Of a free amount: of the `amount` asked for, else of `value`; null while no rate is known for the currency',
    }),
    in_stock: z.boolean(),
    is_stopped: stopped,
    amount: freeAmountShape,
  })
  .meta({ id: 'RechargePlan' })

export type RechargeCountryView = z.infer<typeof rechargeCountryShape>
export type RechargeOperatorView = z.infer<typeof rechargeOperatorShape>
export type RechargePlanView = z.infer<typeof rechargePlanShape>
