import { z } from 'zod'
import { LANGUAGE_CODES } from '#kernel/language.ts'

/** Address part of a brand, product, game or category. */
export const code = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected small letters, digits and single hyphens')
export const itemCode = z
  .string()
  .max(160)
  .regex(
    /^[a-z]+(:[a-z0-9_.-]+){2,3}$/,
    'expected kind:brand:…:denomination in small letters, such as card:steam:us:10',
  )
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code')
export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, 'expected an ISO 3166 code of two capitals')
export const languageCode = z.enum(LANGUAGE_CODES)
export const numericCode = z.string().regex(/^[0-9]{3}$/)

/** A name or sentence shown to people. */
export const text = z.string().trim().min(1).max(4_000)
export const shortText = z.string().trim().min(1).max(300)

/** A plain decimal as text ("4.99"): a JSON number would be binary floating point. */
export const decimal = z
  .string()
  .regex(/^\d{1,18}(\.\d{1,12})?$/, 'expected a decimal in quotes, such as "4.99"')
/** A decimal in the currency of the place it stands at, or with a currency of its own: "4.99", "EUR 4.99". */
export const amount = z
  .string()
  .regex(
    /^([A-Z]{3} )?\d{1,18}(\.\d{1,4})?$/,
    'expected an amount in quotes, such as "4.99" or "EUR 4.99"',
  )

export const count = z.int().min(0).max(2_147_483_647)
export const bigCount = z.int().min(0)
export const year = z.int().min(1970).max(2100)
/** A day or an instant in UTC. */
export const instant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/,
    'expected 2026-11-20 or 2026-11-20T09:30:00Z',
  )
  .refine((value) => !Number.isNaN(Date.parse(value)), 'there is no such day')

/** What every maintained row may say. Absent: active, and maintained by the folder it stands in. */
export const upkeep = {
  status: z.enum(['active', 'suspended']).optional(),
  source: z
    .string()
    .regex(/^([a-z]+:[a-z0-9._-]{1,80}|shopper)$/, 'expected kind:name, or shopper')
    .optional(),
}
/** Place among its neighbours; absent: its place in the file. */
export const position = z.int().min(0).max(1_000_000).optional()
