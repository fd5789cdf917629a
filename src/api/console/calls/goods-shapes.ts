import { z } from 'zod'
import type { AskedChange } from '#features/goods/editing/commands.ts'
import { STOCK_STATES, type GoodsFilter } from '#features/goods/editing/queries.ts'
import {
  SUBJECTS,
  type ChangedField,
  type GoodsEffect,
  type Json,
} from '#features/goods/editing/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { actKey } from './order-acts.ts'
import { publicId } from './shapes.ts'

export const goodsCode = z
  .string()
  .min(1)
  .max(160)
  .meta({ examples: ['card:steam:us:10'] })
export const subject = z.enum(SUBJECTS)
export const fieldName = z
  .string()
  .regex(/^[a-z_]{1,40}$/)
  .meta({ examples: ['price'] })
/** A field's value as the catalogue's format has it. A shape that names itself is read by few linters of contracts: what is inside is the field's own. */
export const value = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.any()),
    z.record(z.string(), z.any()),
  ])
  .meta({ examples: [{ minor: '499', currency: 'USD' }] })

/** Deeper than any field of goods: what is compared and kept is gone through, level by level. */
const DEEPEST = 12
const isShallow = (one: unknown, depth = 0): boolean =>
  one === null || typeof one !== 'object'
    ? true
    : depth < DEEPEST && Object.values(one).every((part) => isShallow(part, depth + 1))
const said = value
  .refine((one) => isShallow(one))
  .meta({ examples: [{ minor: '499', currency: 'USD' }] })
/** A field, or a text of one in another language: `redeem.steps.0:de`. */
const changedName = z
  .string()
  .regex(/^[a-z_]{1,40}(?:(?:\.[a-z0-9_]{1,40}){0,2}:[a-z]{2}(?:-[a-z]{2})?)?$/)
  .meta({ examples: ['price'] })
const place = { subject, code: goodsCode, field: changedName }
const edit = z.strictObject({ ...place, from: said.optional(), to: said })
const basisPoints = z.int().min(-9_900).max(1_000_000)

const rule = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('set'), field: fieldName, to: said }),
  z.strictObject({ by: z.literal('percent'), basis_points: basisPoints }),
  z.strictObject({ by: z.literal('over_cost'), basis_points: basisPoints }),
])

const word = z.string().trim().min(1).max(160)
/** What narrows a list of goods, in a call's body. */
export const filterShape = {
  find: word.optional(),
  brand: word.optional(),
  product: word.optional(),
  kind: fieldName.optional(),
  region: word.optional(),
  supplier: word.optional(),
  status: z.enum(['active', 'suspended']).optional(),
  stock: z.enum(STOCK_STATES).optional(),
}
const flag = z.literal(true).optional()
const filter = z.strictObject({
  ...filterShape,
  without_cost: flag,
  below_floor: flag,
  locked: flag,
  changed: flag,
})

/** Fields of one change that a call may name one by one: the body of a call holds no more. */
const NAMED_MAX = 5_000
export const askedShape = {
  edits: z.array(edit).min(1).max(NAMED_MAX).optional(),
  rule: rule.optional(),
  codes: z.array(goodsCode).min(1).max(NAMED_MAX).optional(),
  filter: filter.optional(),
}
const asked = z.object(askedShape)

export const madeShape = {
  key: actKey,
  hash: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ examples: ['47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'] }),
}
export const HASH = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
export const madeAnswer = z.object({
  change: publicId.nullable(),
  rows: z.number(),
  waits: z.string().nullable(),
})

/** Either edits, or a rule with codes or a filter; null where it is neither. */
export function askedOf(given: z.output<typeof asked>): AskedChange | null {
  if (given.edits) return given.rule ? null : { edits: given.edits as never }
  if (!given.rule) return null
  const own =
    given.rule.by === 'set'
      ? { by: given.rule.by, field: given.rule.field, to: given.rule.to as Json }
      : { by: given.rule.by, basisPoints: given.rule.basis_points }
  if (given.codes) return given.filter ? null : { rule: own, codes: given.codes }
  return given.filter ? { rule: own, filter: filterOf(given.filter) } : null
}

export function filterOf(given: z.output<typeof filter>): GoodsFilter {
  const { without_cost: withoutCost, below_floor: belowFloor, ...rest } = given
  const all = { ...rest, withoutCost, belowFloor }
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined))
}

const told = z.object({ count: z.number(), codes: z.array(z.string()) })
const at = z.object({ subject, code: z.string(), field: z.string() })
const changed = at.extend({
  name: z.string(),
  before: value,
  after: value,
  /** In the operator's language. */
  before_text: z.string(),
  after_text: z.string(),
})
export const effectShape = z.object({
  hash: z.string(),
  goods: z.number(),
  fields: z.record(z.string(), z.number()).meta({ examples: [{ price: 120 }] }),
  prices: z
    .object({
      count: z.number(),
      up: z.number(),
      down: z.number(),
      least_basis_points: z.number(),
      median_basis_points: z.number(),
      most_basis_points: z.number(),
    })
    .nullable(),
  below_cost: told,
  below_floor: told,
  by_rule: told,
  faults: z.array(at.extend({ reason: z.string(), msg: z.string(), why: z.string().nullable() })),
  conflicts: z.array(
    at.extend({
      from: value,
      present: value,
      to: value,
      present_text: z.string(),
      to_text: z.string(),
    }),
  ),
  samples: z.array(changed),
})

export interface ValueTexts {
  readonly text: (field: string, value: Json) => string
  readonly nameOf: (change: Pick<ChangedField, 'subject' | 'code'>) => string
}

/** An effect as it goes out, with what is said of it in the operator's language. */
export function effectView(
  t: Translate,
  { text, nameOf }: ValueTexts,
  { prices, belowCost, belowFloor, byRule, faults, conflicts, samples, ...rest }: GoodsEffect,
) {
  const plain = ({ count, codes }: GoodsEffect['byRule']) => ({ count, codes: [...codes] })
  return {
    ...rest,
    fields: { ...rest.fields },
    prices: prices && {
      count: prices.count,
      up: prices.up,
      down: prices.down,
      least_basis_points: prices.least,
      median_basis_points: prices.median,
      most_basis_points: prices.most,
    },
    below_cost: plain(belowCost),
    below_floor: plain(belowFloor),
    by_rule: plain(byRule),
    faults: faults.map((fault) => ({ ...fault, msg: t(`error.field.${fault.reason}`) })),
    conflicts: conflicts.map((one) => ({
      ...one,
      from: one.from as never,
      present: one.present as never,
      to: one.to as never,
      present_text: text(one.field, one.present),
      to_text: text(one.field, one.to),
    })),
    samples: samples.map(({ hasLocked: _, ...one }) => ({
      ...one,
      before: one.before as never,
      after: one.after as never,
      name: nameOf(one),
      before_text: text(one.field, one.before),
      after_text: text(one.field, one.after),
    })),
  }
}
