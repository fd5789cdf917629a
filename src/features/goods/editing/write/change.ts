import { sql } from 'kysely'
import { answerOnce } from '#features/base/idempotency/commands.ts'
import { readPricing } from '#features/goods/price/queries.ts'
import { inTurn, type Turn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { priceLimitOf, requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { effectOf } from '../engine/effect.ts'
import { fieldOf } from '../engine/fields.ts'
import { isRegion, movesPrices, priceMoves } from '../engine/moves.ts'
import type { ChangeKind, GoodsEffect, PriceMove } from '../rules.ts'
import { resolveAsked, weighingOf, type AskedChange, type Terms } from './asked.ts'
import { readItemsBelow } from '../read/below.ts'
import { movedItems } from './moved.ts'
import { planEdits, type Plan } from './plan.ts'
import { storeChange } from './store.ts'

/**
 * Asked before prices change, in the change's transaction: whether somebody else has to say yes first. It then keeps what waits, and says under
 * which id; null where the prices may change now.
 */
export type HoldPriceEffect = (
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  held: HeldChange,
) => Promise<string | null>

/** What it takes to make a change later that waits now; `hash` says that it is still the one that was asked for. */
export interface HeldChange {
  readonly moves: readonly PriceMove[]
  /** Or the public id of a change that is taken back. */
  readonly asked: AskedChange | { readonly undo: string }
  readonly hash: string
  readonly note: string
}

export interface GivenChange {
  /** The caller's own name for it: sent again, nothing is done twice. */
  readonly key: string
  readonly asked: AskedChange
  readonly kind: Exclude<ChangeKind, 'undo'>
  /** Of the effect that was seen. */
  readonly hash: string
  readonly note: string
  /** What is at fault or has been changed by somebody else is left out, and the rest is made. */
  readonly isPartial: boolean
}

export interface MadeChange {
  /** Public id; null where nothing was made, as it waits. */
  readonly change: string | null
  readonly rows: number
  readonly waits: string | null
}

interface Worked {
  readonly plan: Plan
  readonly effect: GoodsEffect
}

/** Works out what a change would do as things are, and writes nothing. */
export async function tryChange(ctx: OperatorCtx, asked: AskedChange): Promise<GoodsEffect> {
  const { plan, effect } = await work(await readTerms(ctx), ctx.db, asked, false)
  assertMay(ctx, plan)
  return effect
}

/**
 * Makes a change whose effect was seen, whole and in one transaction. Throws 'changed_meanwhile' with the effect as it is now where it moved, and
 * 'check_fields' with every fault and conflict at its place where there are any and the rest is not wanted alone.
 */
export async function makeChange(
  given: OperatorCtx,
  { key, asked, kind, hash, note, isPartial }: GivenChange,
  hold: HoldPriceEffect | null,
): Promise<MadeChange> {
  const terms = await readTerms(given)
  return inTurn(given, async (tx, now) => {
    const ctx = await stillActing(tx, given)
    const input = { asked, kind, hash, note, isPartial }
    return answerOnce(tx, ctx, { key, call: 'goods/change', input }, async () => {
      await sql`set local statement_timeout = '2min'`.execute(tx)
      const { plan, effect } = await work(terms, tx, asked, true)
      assertMay(ctx, plan)
      assertSeen(effect, hash, isPartial)
      const moves = await movesOfPlan(ctx, terms, tx, plan)
      const waits = (await hold?.(tx, ctx, now, { moves, asked, hash, note })) ?? null
      if (waits !== null) return { change: null, rows: 0, waits }
      const change = await storeChange(tx, ctx, now, { plan, kind, note })
      return { change: change.publicId, rows: plan.changes.length, waits }
    })
  })
}

/** Prices that a plan moves, as a limit of prices counts them. */
export async function movesOfPlan(
  ctx: OperatorCtx,
  terms: Terms,
  tx: Tx,
  plan: Plan,
): Promise<readonly PriceMove[]> {
  const moving = plan.changes.filter(movesPrices)
  if (moving.length === 0) return []
  const below = await readItemsBelow(tx, moving.filter(isRegion))
  const codes = moving.flatMap(({ subject, code }) => (subject === 'item' ? [code] : []))
  for (const { code } of below.item) codes.push(String(code))
  const weighing = await weighingOf(terms, tx, [...new Set(codes)])
  const items = movedItems(plan, below, weighing)
  // Without a limit nobody asks what else they move: thousands of items are not priced twice for it.
  const isCounted = priceLimitOf(ctx.operator) !== null
  const { pricing } = weighing
  return priceMoves(items, isCounted ? pricing : { ...pricing, currencies: new Map() })
}

/**
 * Makes a change that somebody else has asked for, in the transaction that approves it. Throws 'changed_meanwhile' where anything of it cannot be done as it
 * was asked for any more. @returns how prices move by it
 */
export async function makeAskedChange(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { asked, hash, note }: Pick<HeldChange, 'hash' | 'note'> & { readonly asked: AskedChange },
): Promise<readonly PriceMove[]> {
  const terms = await readTerms(ctx)
  const { plan, effect } = await work(terms, tx, asked, true)
  if (effect.hash !== hash || effect.goods === 0) throw new AppError('changed_meanwhile')
  const moves = await movesOfPlan(ctx, terms, tx, plan)
  await storeChange(tx, ctx, now, { plan, kind: 'bulk', note })
  return moves
}

function assertSeen(effect: GoodsEffect, hash: string, isPartial: boolean): void {
  const refuse = (code: 'changed_meanwhile' | 'check_fields') =>
    new AppError(code, {}, { data: { effect } })
  if (effect.hash !== hash) throw refuse('changed_meanwhile')
  if (!isPartial && effect.faults.length + effect.conflicts.length > 0) throw refuse('check_fields')
  if (effect.goods === 0) throw refuse('changed_meanwhile')
}

export const readTerms = async (ctx: OperatorCtx): Promise<Terms> => ({
  pricing: await readPricing(ctx.db),
  now: ctx.now(),
})

async function work(
  terms: Terms,
  db: Db | Tx,
  asked: AskedChange,
  isToWrite: boolean,
): Promise<Worked> {
  const resolved = await resolveAsked(terms, db, asked)
  const planned = await planEdits(db, resolved.edits, isToWrite)
  const plan = { ...planned, faults: [...resolved.faults, ...planned.faults] }
  return { plan, effect: await effectOfPlan(terms, db, plan) }
}

export async function effectOfPlan(terms: Terms, db: Db | Tx, plan: Plan): Promise<GoodsEffect> {
  const priced = plan.changes.flatMap(({ subject, code, field }) =>
    subject === 'item' && field === 'price' ? [code] : [],
  )
  return effectOf(plan, await weighingOf(terms, db, priced))
}

/** What each field needs that changes, or is told as somebody else has changed it: a cost is no news for everybody. */
export function assertMay(
  ctx: OperatorCtx,
  { changes, conflicts }: Pick<Plan, 'changes' | 'conflicts'>,
): void {
  requirePermission(ctx, 'product.change')
  for (const needs of new Set(
    [...changes, ...conflicts].flatMap(
      ({ subject, field }) => fieldOf(subject, field)?.needs ?? [],
    ),
  ))
    requirePermission(ctx, needs)
}
