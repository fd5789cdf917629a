import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Pricing } from '#features/goods/price/rules.ts'
import { AppError } from '#kernel/error.ts'
import { divide, roundToIncrement } from '#kernel/money.ts'
import { priceOverCost, type Weighing } from '../engine/effect.ts'
import { readCosts } from '../read/costs.ts'
import { listGoodsCodes, type GoodsFilter } from '../read/list.ts'
import { readPrices, type ItemPrice } from '../read/prices.ts'
import { EDITS_MAX, type BulkRule, type Edit, type EditFault } from '../rules.ts'

/** What somebody asks to be done: edits as they stand, or one rule for all of a list. */
export type AskedChange =
  | { readonly edits: readonly Edit[] }
  | { readonly rule: BulkRule; readonly codes: readonly string[] }
  | { readonly rule: BulkRule; readonly filter: GoodsFilter }

export interface ResolvedChange {
  readonly edits: readonly Edit[]
  readonly faults: readonly EditFault[]
}

/** What prices of the moment are worked out from; read before a transaction, as it is everybody's. */
export interface Terms {
  readonly pricing: Pricing
  readonly now: Date
}

export async function weighingOf(
  { pricing }: Terms,
  db: Db | Tx,
  codes: readonly string[],
): Promise<Weighing> {
  if (codes.length === 0) return { pricing, costs: new Map(), above: new Map() }
  const costs = await readCosts(db, codes)
  return { pricing, costs, above: await readPrices(db, codes) }
}

/** Turns what is asked into edits. Throws 'too_large' where it is more than one change takes. */
export async function resolveAsked(
  terms: Terms,
  db: Db | Tx,
  asked: AskedChange,
): Promise<ResolvedChange> {
  if ('edits' in asked) {
    if (asked.edits.length > EDITS_MAX) throw new AppError('too_large')
    return { edits: asked.edits, faults: [] }
  }
  const floorBasisPoints = terms.pricing.terms.floor?.basisPoints ?? 0
  const codes =
    'codes' in asked
      ? asked.codes
      : await listGoodsCodes(db, {
          filter: asked.filter,
          floorBasisPoints,
          now: terms.now,
          limit: EDITS_MAX + 1,
        })
  if (codes.length > EDITS_MAX) throw new AppError('too_large')
  return ruleEdits(terms, db, asked.rule, codes)
}

async function ruleEdits(
  terms: Terms,
  db: Db | Tx,
  rule: BulkRule,
  codes: readonly string[],
): Promise<ResolvedChange> {
  if (rule.by === 'set')
    return {
      edits: codes.map((code) => ({ subject: 'item', code, field: rule.field, to: rule.to })),
      faults: [],
    }
  const prices = await readPrices(db, codes)
  const weighing = await weighingOf(terms, db, codes)
  const edits: Edit[] = []
  const faults: EditFault[] = []
  for (const code of codes) {
    const price = prices.get(code)
    if (!price) continue
    const place = { subject: 'item', code, field: 'price' } as const
    const minor = newPrice(rule, weighing, code, price)
    if (minor === null || minor <= 0n)
      faults.push({ ...place, reason: minor === null ? 'no_cost' : 'above_zero', why: null })
    else edits.push({ ...place, to: { minor: minor.toString(), currency: price.currency } })
  }
  return { edits, faults }
}

function newPrice(
  rule: Exclude<BulkRule, { by: 'set' }>,
  weighing: Weighing,
  code: string,
  { minor, currency }: ItemPrice,
): bigint | null {
  const known = weighing.pricing.currencies.get(currency)
  if (rule.by === 'over_cost') return priceOverCost(weighing, code, currency, rule.basisPoints)
  const numerator = minor * BigInt(10_000 + rule.basisPoints)
  if (numerator <= 0n) return 0n
  if (!known) return divide(numerator, 10_000n, 'half_up')
  return roundToIncrement(numerator, 10_000n, known.roundingIncrement, known.roundingMode)
}
