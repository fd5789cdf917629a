import { z } from 'zod'

const code = z.string().regex(/^[a-z0-9][a-z0-9_.:-]{0,159}$/)
const currency = z.string().regex(/^[A-Z]{3}$/)
const minor = z.string().regex(/^[1-9]\d{0,17}$/)
const points = z.int().min(0).max(100_000)
const id = z.uuid()

/** What an operator changes of prices, whichever way: as the console sends it, and as it is kept while it waits for a second person. */
export const priceChange = z.discriminatedUnion('path', [
  z.strictObject({
    path: z.literal('rule'),
    brand: code.nullable(),
    supplier: code.nullable(),
    region: code.nullable(),
    currency: currency.nullable(),
    basis_points: points,
    /** Null: from now on. */
    valid_from: z.iso.datetime().nullable(),
    /** The rule of the same goods that ends where this one begins. */
    replaces: id.nullable(),
  }),
  z.strictObject({ path: z.literal('rule_end'), id }),
  z.strictObject({
    path: z.literal('floor'),
    /** Null: whatever is set is sold. */
    floor: z.strictObject({ basis_points: points, after_fees: z.boolean() }).nullable(),
  }),
  z.strictObject({
    path: z.literal('currency'),
    currency,
    margin_basis_points: z.int().min(0).max(5_000),
    rounding_increment: minor,
    rounding_mode: z.enum(['half_up', 'up']),
    /** Whether customers may choose it; left out, that stays as it is. */
    is_offered: z.boolean().optional(),
    charm: z
      .strictObject({
        ending_minor: z.int().min(0).max(1_000_000_000),
        every_minor: z.int().min(2).max(1_000_000_000),
      })
      .nullable(),
  }),
  z.strictObject({
    path: z.literal('level'),
    level: z.int().min(1).max(999),
    off_basis_points: z.int().min(0).max(9_000),
  }),
  z.strictObject({
    path: z.literal('level_price'),
    item: code,
    level: z.int().min(1).max(999),
    price: z.strictObject({ minor, currency }).nullable(),
  }),
  z.strictObject({ path: z.literal('own'), item: code, currency, minor: minor.nullable() }),
  z.strictObject({
    path: z.literal('rate'),
    currency,
    /** Units of it for one US dollar. */
    per_usd: z.string().regex(/^(?=.*[1-9])\d{1,9}(?:\.\d{1,12})?$/),
  }),
  z.strictObject({ path: z.literal('rate_accept'), id }),
])
export type PriceChange = z.infer<typeof priceChange>
