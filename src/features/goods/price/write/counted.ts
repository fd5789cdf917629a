import { sql } from 'kysely'
import { holdPriceEffect, takePriceEffect } from '#features/goods/price-limit/commands.ts'
import { readReach } from '#features/goods/price-limit/queries.ts'
import { isBeyond, type ItemMoves } from '#features/goods/price-limit/rules.ts'
import type { Turn, Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { priceLimitOf } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { tryTrial, type TrialItem } from '../engine/trial.ts'
import { lockPrices, readWorld, type PriceWorld } from '../read/world.ts'

/** Codes of the items whose prices some work may move; null for all there are. */
export type Touched = readonly string[] | null

/**
 * Has what some work does to prices count as its operator's: they are looked at before it and after. Throws 'forbidden' where it moves one further than
 * its operator may, which undoes the work.
 */
export async function countPrices(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  touched: Touched,
  work: () => Promise<void>,
): Promise<void> {
  if (priceLimitOf(ctx.operator) === null) return work()
  await takePriceEffect(tx, ctx, now, await movesBy(tx, touched, work))
}

interface Held {
  readonly touched: Touched
  readonly subject: string
  readonly details: Act['details'] & { readonly path: string }
}

/** The same for work that waits for another person where it is more than its operator may do: nothing of it is done then. */
export async function holdPrices(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  { touched, subject, details }: Held,
  work: () => Promise<void>,
): Promise<Waits> {
  const limit = priceLimitOf(ctx.operator)
  if (limit === null) {
    await work()
    return null
  }
  await sql`savepoint counted`.execute(tx)
  const moves = await movesBy(tx, touched, work)
  if (isBeyond(await readReach(tx, ctx.actor, moves, now), limit))
    await sql`rollback to savepoint counted`.execute(tx)
  return holdPriceEffect(tx, ctx, now, {
    moves,
    subject,
    details: { ...details, moves: furthest(moves) },
  })
}

/** By how many millionths more than was asked for an approval may move a price: costs and rates move meanwhile. */
const MORE_THAN_ASKED = 10_000

/**
 * Does what waited, as of now, for who approves it: it counts as theirs. Throws 'changed_meanwhile' where it would move prices further than was asked,
 * 'forbidden' where that is more than its approver may.
 */
export async function countWaiting(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { touched, asked }: { readonly touched: Touched; readonly asked: unknown },
  work: () => Promise<void>,
): Promise<void> {
  const moves = await movesBy(tx, touched, work)
  if (isFurther(furthest(moves), asked)) throw new AppError('changed_meanwhile')
  await takePriceEffect(tx, ctx, now, moves)
}

interface Furthest {
  readonly least: number
  readonly most: number
}

/** Whether prices move further than was asked for. @param asked what was kept of it then */
export function isFurther({ least, most }: Furthest, asked: unknown): boolean {
  const [low, high] =
    asked !== null && typeof asked === 'object' && 'least' in asked && 'most' in asked
      ? [Number(asked.least), Number(asked.most)]
      : [0, 0]
  return least < Math.min(0, low) - MORE_THAN_ASKED || most > Math.max(0, high) + MORE_THAN_ASKED
}

function furthest(moves: ReadonlyMap<string, ItemMoves>): Furthest {
  let [least, most] = [0, 0]
  for (const item of moves.values())
    for (const move of item.values()) {
      least = Math.min(least, move)
      most = Math.max(most, move)
    }
  return { least, most }
}

/** Does some work. @returns what it did to every price, of retail and of the levels that have prices of their own */
async function movesBy(
  tx: Tx,
  touched: Touched,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, ItemMoves>> {
  await lockPrices(tx)
  const before = await readWorld(tx, touched, { all: true })
  await work()
  const after = await readWorld(tx, touched, { all: true })
  const levels = new Set([before, after].flatMap(({ items }) => items.flatMap(levelsOf)))
  const moved = new Map<string, Map<string, number>>()
  for (const level of new Set([0, ...levels]))
    for (const [item, moves] of (await tryTrial(trialOf(before, after, level), true)).moved) {
      const known = moved.get(item)
      if (known) for (const [price, by] of moves) known.set(price, by)
      else moved.set(item, new Map(moves))
    }
  return moved
}

const levelsOf = ({ levels }: PriceWorld['items'][number]): number[] => [...levels.keys()]

function changedIn(before: PriceWorld, after: PriceWorld): ReadonlyMap<string, TrialItem> {
  const faces = new Map(before.items.map(({ id, airtimeFace }) => [id, airtimeFace]))
  return new Map(
    after.items.map((item) => {
      const [was, will] = [faces.get(item.id), item.airtimeFace]
      const isAnother = was && will && was !== will
      return [item.id, isAnother ? { ...item, part: { numerator: was, denominator: will } } : item]
    }),
  )
}

const trialOf = (before: PriceWorld, after: PriceWorld, level: number) => ({
  // Rules that begin and rates that age between the two readings are no part of the work.
  before: { ...before.pricing, at: after.pricing.at },
  after: after.pricing,
  items: before.items,
  changed: changedIn(before, after),
  currencies: [...new Set([...before.currencies, ...after.currencies])],
  level,
  sold: [],
})
