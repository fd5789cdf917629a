import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { KeyStatus } from '../rules.ts'

/** Where a batch was bought, and what each of its keys cost. */
export interface BatchTerms {
  readonly supplier: string | null
  readonly cost: Money | null
}

/**
 * Says where a batch was bought and at what cost. Throws 'not_found', 'invalid_input' for a currency that the shop does not know, and 'changed_meanwhile' where it is no longer as it was read.
 */
export async function setBatchTerms(
  ctx: OperatorCtx,
  batchId: string,
  { was, is }: { readonly was: BatchTerms; readonly is: BatchTerms },
): Promise<void> {
  requirePermission(ctx, 'key.import')
  await transaction(ctx, async (tx, now) => {
    const before = await lockBatch(tx, batchId)
    if (isSame(before, is)) return
    if (is.cost) await requireCurrency(tx, is.cost.currency)
    if (!isSame(before, was)) throw new AppError('changed_meanwhile', {}, { data: told(before) })
    await tx
      .updateTable('key_batch')
      .set({
        supplier: is.supplier,
        cost_minor: is.cost?.minor ?? null,
        cost_currency: is.cost?.currency ?? null,
      })
      .where('id', '=', batchId)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'key_batch',
        subjectCode: batchId,
        before: told(before),
        after: told(is),
      },
    ])
  })
}

/** Throws 'invalid_input' for one that the shop does not know. */
export async function requireCurrency(tx: Tx | Db, currency: string): Promise<void> {
  const known = await tx
    .selectFrom('currency')
    .select('code')
    .where('code', '=', currency)
    .executeTakeFirst()
  if (!known) throw fieldError('cost_currency', 'not_allowed')
}

async function lockBatch(tx: Tx, batchId: string): Promise<BatchTerms & { isWithdrawn: boolean }> {
  if (!isUuid(batchId)) throw new AppError('not_found')
  const row = await tx
    .selectFrom('key_batch')
    .select(['supplier', 'cost_minor', 'cost_currency', 'withdrawn_at'])
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const cost =
    row.cost_minor === null || row.cost_currency === null
      ? null
      : { minor: BigInt(row.cost_minor), currency: row.cost_currency }
  return { supplier: row.supplier, cost, isWithdrawn: row.withdrawn_at !== null }
}

const isSame = (one: BatchTerms, other: BatchTerms) =>
  one.supplier === other.supplier &&
  one.cost?.minor === other.cost?.minor &&
  one.cost?.currency === other.cost?.currency

const told = ({ supplier, cost }: BatchTerms) => ({
  supplier,
  cost_minor: cost?.minor.toString() ?? null,
  cost_currency: cost?.currency ?? null,
})

/** What is moved: what is left of a batch, or single keys. */
export type KeySelection = { readonly batch: string } | { readonly keys: readonly string[] }
export const SELECTED_MOST = 500

export type KeyMove = 'quarantine' | 'release' | 'void'

const MOVES: Readonly<
  Record<KeyMove, { readonly from: readonly KeyStatus[]; readonly to: KeyStatus }>
> = {
  quarantine: { from: ['free'], to: 'quarantined' },
  release: { from: ['quarantined'], to: 'free' },
  void: { from: ['free', 'quarantined'], to: 'void' },
}

/** Keys that one transaction moves: what sells them never waits for more. */
const MOVED_AT_ONCE = 2_000
/** One call goes on for so long, and whoever made it makes it again for the rest. */
const WORK_MS = 10_000

export interface MovedKeys {
  readonly moved: number
  /** False where more of it is left than one call does. */
  readonly isDone: boolean
}

/**
 * Keeps free keys back, puts those that were kept back on sale again, or takes both off the shelf for good; what is reserved or sold stays.
 * A batch is moved in portions. Throws 'not_found', and 'conflict' for a release of a batch that was withdrawn.
 */
export async function moveKeys(
  ctx: OperatorCtx,
  move: KeyMove,
  selection: KeySelection,
  reason: string,
): Promise<MovedKeys> {
  requirePermission(ctx, 'key.import')
  if (move === 'release' && 'batch' in selection)
    await transaction(ctx, async (tx) => {
      if ((await lockBatch(tx, selection.batch)).isWithdrawn) throw new AppError('conflict')
    })
  if (move === 'void' && 'batch' in selection) await withdraw(ctx, selection.batch, reason)
  return inPortions(ctx, move, selection, reason)
}

/** The database lets none of a withdrawn batch back, whatever is on its way meanwhile. */
async function withdraw(ctx: OperatorCtx, batchId: string, reason: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { isWithdrawn } = await lockBatch(tx, batchId)
    if (isWithdrawn) return
    await tx
      .updateTable('key_batch')
      .set({ withdrawn_at: now, withdrawn_by: ctx.actor })
      .where('id', '=', batchId)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'withdraw',
        subject: 'key_batch',
        subjectCode: batchId,
        before: null,
        after: { reason },
      },
    ])
  })
}

async function inPortions(
  ctx: OperatorCtx,
  move: KeyMove,
  selection: KeySelection,
  reason: string,
): Promise<MovedKeys> {
  const until = performance.now() + WORK_MS
  let moved = 0
  for (;;) {
    const count = await movePortion(ctx, move, selection, reason)
    moved += count
    if (count < MOVED_AT_ONCE) return { moved, isDone: true }
    if (performance.now() >= until) return { moved, isDone: false }
  }
}

function movePortion(
  ctx: OperatorCtx,
  move: KeyMove,
  selection: KeySelection,
  reason: string,
): Promise<number> {
  const { to } = MOVES[move]
  // A batch that is withdrawn leaves the orders that are being paid, too: they get other keys.
  const isBatch = 'batch' in selection
  const from =
    isBatch && move === 'void' ? [...MOVES.void.from, 'claimed' as const] : MOVES[move].from
  const which = isBatch
    ? sql`batch_id = ${selection.batch}::uuid`
    : sql`id = any(${[...selection.keys]}::uuid[])`
  // What left the shop in a file is somebody's.
  const isHere =
    move === 'release'
      ? sql`and not exists (select from key_access a where a.key_id = card_key.id and a.purpose = 'export')`
      : sql``
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql<{ batch: string }>`
      with picked as materialized (
        select id from card_key where ${which} and status = any(${[...from]}::text[]) ${isHere} limit ${MOVED_AT_ONCE} for no key update
      )
      update card_key set status = ${to}, unit_id = null, claimed_at = null from picked where card_key.id = picked.id returning card_key.batch_id as batch`.execute(
      tx,
    )
    const byBatch = new Map<string, number>()
    for (const { batch } of rows) byBatch.set(batch, (byBatch.get(batch) ?? 0) + 1)
    await recordAudit(
      tx,
      ctx,
      now,
      [...byBatch].map(([batch, count]) => ({
        action: move,
        subject: 'key_batch',
        subjectCode: batch,
        before: null,
        after: { keys: count, reason },
      })),
    )
    return rows.length
  })
}
