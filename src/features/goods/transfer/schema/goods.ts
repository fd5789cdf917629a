import { z } from 'zod'
import { fieldPicture, picture, productPicture } from './picture.ts'
import {
  amount,
  bigCount,
  code,
  count,
  countryCode,
  currencyCode,
  itemCode,
  position,
  shortText,
  text,
  upkeep,
  year,
} from './values.ts'

export const BRAND_KINDS = [
  'top_up',
  'game_card',
  'gift_card',
  'prepaid_card',
  'subscription',
  'recharge',
  'game_key',
] as const
export const ITEM_KINDS = [
  'pack',
  'pass',
  'membership',
  'bundle',
  'value',
  'plan',
  'edition',
  'airtime',
  'data',
] as const

const aliases = z.array(shortText).max(40).optional()
const codes = z.array(code).max(60).optional()
const demand = { popularity: z.int().min(0).max(1_000_000).optional(), hot: z.boolean().optional() }

export const game = z.strictObject({
  code,
  name: shortText,
  publisher: shortText,
  aliases,
  platforms: codes,
  category: code.optional(),
  released: year.optional(),
  ...demand,
  picture: picture.optional(),
  ...upkeep,
})
/** games.json */
export const games = z.strictObject({ games: z.array(game).max(50_000) })

/** An account field of a direct charge: what it is called, where it is found, what it must look like. */
export const field = z.strictObject({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  kind: z.enum(['digits', 'text', 'select', 'email', 'phone']),
  label: shortText,
  required: z.boolean(),
  help: text.optional(),
  picture: fieldPicture.optional(),
  pattern: z.string().max(1_000).optional(),
  min: count.optional(),
  max: count.optional(),
  placeholder: z.string().max(200).optional(),
  options: z
    .array(z.strictObject({ value: z.string().min(1).max(100), label: shortText }))
    .max(500)
    .optional(),
})

const keyFormat = z.strictObject({
  type: z.enum(['code', 'pin', 'pin_and_serial', 'number_and_pin', 'none']),
  text: shortText,
  parts: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z_]{1,40}$/),
        pattern: z.string().max(1_000),
        example: z.string().max(200),
      }),
    )
    .max(10),
})
const redemption = z.strictObject({
  at: shortText.optional(),
  steps: z.array(text).max(20).optional(),
  key_format: keyFormat.optional(),
  validity: shortText.optional(),
})

const airtime = z.strictObject({
  kind: z.enum(['fixed', 'range']),
  min: amount.optional(),
  max: amount.optional(),
})
const recharge = z.strictObject({
  country: countryCode,
  calling_code: z.string().regex(/^\+\d{1,7}$/),
  prefixes: z.array(z.string().regex(/^\d{1,8}$/)).max(500),
  prefixes_note: shortText.optional(),
  airtime,
  portability: z.boolean(),
})

const item = z.strictObject({
  code: itemCode,
  kind: z.enum(ITEM_KINDS),
  // Longer than others: it may follow from figures and the name of a unit.
  name: z.string().trim().min(1).max(400).optional(),
  units: bigCount.min(1).optional(),
  bonus: bigCount.min(1).optional(),
  days: count.min(1).optional(),
  data_mb: count.min(1).optional(),
  face: amount.optional(),
  free_amount: z.strictObject({ min: amount, max: amount, step: amount }).optional(),
  price: amount,
  prices: z.record(currencyCode, amount).optional(),
  market: amount.optional(),
  cost: amount.optional(),
  levels: z.record(z.string().regex(/^[1-9]\d{0,2}$/), amount).optional(),
  stock: count.optional(),
  sold: bigCount.optional(),
  buyer_countries: z.array(countryCode).min(1).max(300).optional(),
  blocked_countries: z.array(countryCode).min(1).max(300).optional(),
  reference: z.string().min(1).max(200).optional(),
  position,
  ...upkeep,
})

const product = z.strictObject({
  code,
  region: code,
  region_name: shortText.optional(),
  countries: z.array(countryCode).min(1).max(300).optional(),
  lock: z.enum(['country', 'currency', 'zone', 'none']).optional(),
  lock_note: text.optional(),
  /** For search engines, in place of what the shop says of the product. */
  seo_title: z.string().trim().min(1).max(120).optional(),
  seo_description: z.string().trim().min(1).max(320).optional(),
  min_age: z.int().min(1).max(99).optional(),
  minutes: count.min(1).optional(),
  currency: currencyCode,
  face_currency: currencyCode.optional(),
  free_amount: z.strictObject({ min: amount, max: amount }).optional(),
  picture: productPicture.optional(),
  position,
  ...upkeep,
  items: z.array(item).max(5_000),
})

export const brand = z.strictObject({
  code,
  kind: z.enum(BRAND_KINDS),
  name: shortText,
  publisher: shortText.optional(),
  aliases,
  game: code.optional(),
  platforms: codes,
  categories: codes,
  delivery: z.enum(['card_key', 'direct_charge']),
  minutes: count.min(1).optional(),
  unit: code.optional(),
  fields: z.array(field).max(20).optional(),
  check: z.enum(['none', 'wish', 'must']).optional(),
  redeem: redemption.optional(),
  recharge: recharge.optional(),
  released: year.optional(),
  ...demand,
  picture: picture.optional(),
  ...upkeep,
  products: z.array(product).max(1_000),
})
/** operators/<country>.json: the mobile operators of one country. */
export const operators = z.strictObject({ operators: z.array(brand).max(2_000) })

export type Game = z.infer<typeof game>
export type AccountField = z.infer<typeof field>
export type Brand = z.infer<typeof brand>
export type Product = z.infer<typeof product>
export type Item = z.infer<typeof item>
