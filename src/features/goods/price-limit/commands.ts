import { sql } from 'kysely'
import { askAboutPrices, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { priceLimitOf, requirePermission, type Operator } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { readReach } from './queries.ts'
import { isBeyond, KEPT_DAYS, moveOf, type ItemMoves, type PriceMove } from './rules.ts'

/** What a change does to prices, one by one; or by item, in millionths by price, as trying it on the whole catalogue tells it. */
export type Moves = readonly PriceMove[] | ReadonlyMap<string, ItemMoves>

export interface AskedPrices {
  readonly moves: Moves
  /** What it is about, so that the same is not asked for twice: `own card:vapour:us:20 EUR`, say. */
  readonly subject: string
  /** What it takes to do it once it is approved; `path` says whose deed that is (`office/approval`). */
  readonly details: Act['details'] & { readonly path: string }
}

/**
 * Counts what an operator is about to do to prices against their limit, in the transaction that does it (`inTurn`). Within the limit, or without
 * one, it is written down as done, and the caller does it now; above it is written down as waiting for another person, and the caller does nothing.
 * @returns the public id of the act that waits; null where it may be done
 */
export async function holdPriceEffect(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  { moves, subject, details }: AskedPrices,
): Promise<Waits> {
  requirePermission(ctx, 'price.change')
  const limit = priceLimitOf(ctx.operator)
  if (limit === null) return null
  const moved = byItem(moves)
  const reach = await readReach(tx, ctx.actor, moved, now)
  if (isBeyond(reach, limit)) return askAboutPrices(tx, ctx, { subject, details })
  await keepEffect(tx, ctx, now, moved)
  return null
}

/**
 * The same for whoever approves what another asked for, or brings in what cannot wait (the import of a whole folder): it counts as theirs. Throws 'forbidden' where it is more than their own limit allows.
 */
export async function takePriceEffect(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  moves: Moves,
): Promise<void> {
  const limit = priceLimitOf(ctx.operator)
  if (limit === null) return
  const moved = byItem(moves)
  const reach = await readReach(tx, ctx.actor, moved, now)
  if (isBeyond(reach, limit))
    throw new AppError('forbidden', { limit: 'price.change', role: ctx.operator.role })
  await keepEffect(tx, ctx, now, moved)
}

/** Throws 'forbidden' for whoever may not move prices as far as they like: what nobody can foresee is left to those who may. */
export function requireNoPriceLimit({ operator }: { readonly operator: Operator }): void {
  if (priceLimitOf(operator) !== null)
    throw new AppError('forbidden', { limit: 'price.change', role: operator.role })
}

/** Millionths by item and price; what does not move is left out. */
function byItem(moves: Moves): ReadonlyMap<string, ItemMoves> {
  if (!Array.isArray(moves)) return moves as ReadonlyMap<string, ItemMoves>
  const moved = new Map<string, Map<string, number>>()
  for (const move of moves as readonly PriceMove[]) {
    const by = moveOf(move)
    if (by === 0) continue
    const known = moved.get(move.item)
    if (known) known.set(move.price, by)
    else moved.set(move.item, new Map([[move.price, by]]))
  }
  return moved
}

async function keepEffect(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  moved: ReadonlyMap<string, ItemMoves>,
): Promise<void> {
  if (moved.size === 0) return
  const prices = [...new Set([...moved.values()].flatMap((moves) => [...moves.keys()]))]
  const id = ctx.newId()
  await tx
    .insertInto('price_effect')
    .values({ id, actor: ctx.actor, happened_at: now, prices })
    .execute()
  const texts = [...moved.values()].map(
    (moves) => `{${prices.map((price) => moves.get(price) ?? 0).join(',')}}`,
  )
  await sql`
    insert into price_effect_item (effect_id, item_id, moves)
    select ${id}, item, moves::integer[] from unnest(${[...moved.keys()]}::uuid[], ${texts}::text[]) as t (item, moves)`.execute(
    tx,
  )
}

const DAY_MS = 86_400_000
/** In one statement: locks are held shortly. */
const EFFECTS_A_CALL = 50

/** Forgets what changes did to prices once it counts no more. @returns how many changes */
export async function forgetPriceEffects(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  let count = 0
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from price_effect where id in (select id from price_effect where happened_at < ${before} limit ${EFFECTS_A_CALL})`.execute(
      ctx.db,
    )
    count += Number(numAffectedRows ?? 0n)
    if (Number(numAffectedRows ?? 0n) < EFFECTS_A_CALL) return count
  }
}
