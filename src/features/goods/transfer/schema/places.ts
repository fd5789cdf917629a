import { z } from 'zod'
import { PLURAL_FORMS } from '#kernel/plural.ts'
import { picture } from './picture.ts'
import {
  code,
  countryCode,
  count,
  currencyCode,
  decimal,
  instant,
  languageCode,
  numericCode,
  position,
  shortText,
  upkeep,
} from './values.ts'

export const FORMAT_VERSION = 1

/** catalogue.json */
export const header = z.strictObject({
  format: z.literal(FORMAT_VERSION),
  name: z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
})

const currency = z.strictObject({
  code: currencyCode,
  numeric: numericCode,
  name: shortText,
  symbol: z.string().min(1).max(12),
  minor_units: z.int().min(0).max(4),
  per_usd: decimal,
  rate_as_of: instant.optional(),
  rounding: decimal,
  rounding_mode: z.enum(['half_up', 'up']).optional(),
  margin_percent: decimal.optional(),
  checkout: z.boolean().optional(),
  position,
})
/** currencies.json */
export const currencies = z.strictObject({
  rates_as_of: instant,
  currencies: z.array(currency).max(400),
})

const phone = z.strictObject({
  calling_code: z.string().regex(/^\+\d{1,7}$/),
  trunk_prefix: z.string().max(5).nullable(),
  // Of folders made before numbers were read by the numbering plans of the world; it is not looked at.
  mobile_pattern: z.string().max(4_000).optional(),
  mobile_example: z.string().regex(/^\d{3,15}$/),
  e164_example: z.string().regex(/^\+\d{4,15}$/),
})
const country = z.strictObject({
  code: countryCode,
  alpha3: z.string().regex(/^[A-Z]{3}$/),
  numeric: numericCode,
  name: shortText,
  continent: z.string().regex(/^[A-Z]{2}$/),
  dial_code: z
    .string()
    .regex(/^\+\d{1,7}$/)
    .nullable(),
  currency: currencyCode,
  store_currency: currencyCode,
  language: languageCode,
  on_sale: z.boolean(),
  phone: phone.nullable(),
  position,
})
/** countries.json */
export const countries = z.strictObject({ countries: z.array(country).max(400) })

export const region = z.strictObject({ code, name: shortText, position })
/** regions.json */
export const regions = z.strictObject({ regions: z.array(region).max(1_000) })
export const platform = z.strictObject({ code, name: shortText, position })
/** platforms.json */
export const platforms = z.strictObject({ platforms: z.array(platform).max(100) })
/** units.json: what a game's currency is called; a proper name is kept in every language. */
export const units = z.strictObject({
  units: z
    .array(
      z.strictObject({
        key: code,
        name: shortText,
        proper: z.boolean().optional(),
        /** "{n} Diamond" and "{n} Diamonds". */
        forms: z.partialRecord(z.enum(PLURAL_FORMS), shortText).optional(),
      }),
    )
    .max(5_000),
})

export const category = z.strictObject({
  id: count.min(1),
  code,
  name: shortText,
  parent: code.optional(),
  icon: z.string().max(200).optional(),
  path: z
    .string()
    .max(200)
    .regex(/^\/[a-z0-9/-]*$/),
  picture: picture.optional(),
  position,
  ...upkeep,
})
/** categories.json: a flat list in the order of the page; `parent` is another's code. */
export const categories = z.strictObject({ categories: z.array(category).max(2_000) })

export type Currency = z.infer<typeof currency>
export type Country = z.infer<typeof country>
export type Category = z.infer<typeof category>
