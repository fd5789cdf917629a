import type { Setting } from '#features/base/setting/rules.ts'
import { z } from 'zod'
import { DECLARED_METHODS } from '#providers/payment/services.ts'
import {
  changedMethods,
  knownMethods,
  METHOD_GROUPS,
  METHOD_ICONS,
  type MethodChange,
  type MethodText,
  type PayMethod,
} from './rules.ts'

const code = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
const text = z
  .string()
  .trim()
  .max(200)
  .transform((value): MethodText => ({ text: value }))
const minor = z
  .int()
  .min(0)
  .max(10 ** 12)
  .transform(BigInt)
const currency = z.string().regex(/^[A-Z]{3}$/)

const change = z
  .strictObject({
    code,
    enabled: z.boolean().default(true),
    provider: code.optional(),
    group: z.enum(METHOD_GROUPS).optional(),
    icon: z.enum(METHOD_ICONS).optional(),
    name: text.optional(),
    text: text.optional(),
    refund_text: text.optional(),
    fee: z
      .strictObject({
        minor: minor.default(0n),
        currency: currency.default('USD'),
        basis_points: z.int().min(0).max(5_000).default(0),
      })
      .transform(({ minor: fixed, currency: of, basis_points }) => ({
        minor: fixed,
        currency: of,
        basisPoints: basis_points,
      }))
      .optional(),
    min_usd_minor: minor.nullable().optional(),
    max_usd_minor: minor.nullable().optional(),
    // In place of those, in a currency of the shop's own.
    limits: z
      .strictObject({
        min_minor: minor.nullable().default(null),
        max_minor: minor.nullable().default(null),
        currency,
      })
      .optional(),
    currencies: z.array(currency).max(400).nullable().optional(),
    countries: z
      .array(z.string().regex(/^[A-Z]{2}$/))
      .max(400)
      .nullable()
      .optional(),
    not_for: z
      .array(z.literal([1, 2, 3, 4, 'store_credit']))
      .max(5)
      .optional(),
  })
  .transform(
    ({
      code: of,
      enabled,
      refund_text,
      min_usd_minor,
      max_usd_minor,
      limits,
      not_for,
      ...same
    }): MethodChange => {
      const wanted = {
        ...same,
        refundText: refund_text,
        minMinor: limits ? limits.min_minor : min_usd_minor,
        maxMinor: limits ? limits.max_minor : max_usd_minor,
        limitCurrency: limits?.currency,
        notFor: not_for,
      }
      return {
        code: of,
        isOffered: enabled,
        change: Object.fromEntries(
          Object.entries(wanted).filter(([, value]) => value !== undefined),
        ),
      }
    },
  )

export const DEFAULT_METHODS = knownMethods(DECLARED_METHODS)

/** The row `payment_methods` of the table `setting`: the methods whose defaults the operator changes, adds or takes away. */
export const paymentMethods = z
  .array(change)
  .max(60)
  .transform((changes): readonly PayMethod[] => changedMethods(DEFAULT_METHODS, changes))

export const paymentMethodsSetting: Setting<readonly PayMethod[]> = {
  key: 'payment_methods',
  summary: 'Ways to pay: their order, names, fees, limits, and which are not offered.',
  schema: paymentMethods,
  fallback: DEFAULT_METHODS,
  isTold: true,
  example: [
    { code: 'stripe', name: 'Card', max_usd_minor: 200_000 },
    { code: 'paypal', fee: { minor: 30, currency: 'USD', basis_points: 290 } },
    { code: 'bank-transfer', enabled: false },
  ],
}
