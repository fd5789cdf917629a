import { holdToDay, recordAct } from '#features/base/audit/commands.ts'
import type { SealedPiece } from '#features/buying/vault/commands.ts'
import type { WrappedFileKey } from '#features/buying/vault/rules.ts'
import { tellOwners } from '#features/office/alert/commands.ts'
import {
  inTurn,
  noteWaiting,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import { NO_MONEY, type Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { countQuarantined, hasOpenExport, type KeyExportWork } from './queries.ts'
import {
  KEY_EXPORT_ASKED,
  KEY_EXPORT_DAYS,
  KEY_EXPORT_KEPT_MS,
  KEY_EXPORT_MAX,
  KEY_EXPORT_STUCK_MS,
  KEY_EXPORTS_A_DAY,
  type KeyExportState,
} from './rules.ts'

const DAY_MS = 86_400_000

/**
 * Asks for a file of the keys of a batch that are kept back: what leaves the shop is not for sale any more. It waits for somebody else
 * wherever there is one who could approve it, and every owner is told. Throws 'not_found', 'changed_meanwhile' where none is kept back, and
 * 'too_large' for more than one file holds, and 'too_many_requests' once the day's files are used up. @returns its public id, and of the act that waits
 */
export async function askForKeyExport(
  ctx: OperatorCtx,
  { batch, reason }: { readonly batch: string; readonly reason: string },
): Promise<{ readonly id: string; readonly waits: Waits }> {
  requirePermission(ctx, 'key.export')
  if (!isUuid(batch)) throw new AppError('not_found')
  return inTurn(ctx, async (tx, now) => {
    const found = await tx
      .selectFrom('key_batch as b')
      .innerJoin('item as i', 'i.id', 'b.item')
      .select(['b.item', 'i.code'])
      .where('b.id', '=', batch)
      .executeTakeFirst()
    if (!found) throw new AppError('not_found')
    const asked = await countQuarantined(tx, batch, KEY_EXPORT_MAX)
    if (asked === 0) throw new AppError('changed_meanwhile')
    if (asked > KEY_EXPORT_MAX) throw new AppError('too_large')
    if (await hasOpenExport(tx, batch)) throw new AppError('changed_meanwhile')
    await holdToDay(tx, ctx, KEY_EXPORT_ASKED, KEY_EXPORTS_A_DAY)
    const isWaiting = await hasAnotherApprover(tx, now, [ctx.operator.name])
    const id = newPublicId(ctx)
    await tx
      .insertInto('key_export')
      .values({
        id: ctx.newId(),
        public_id: id,
        batch_id: batch,
        item: found.item,
        reason,
        asked,
        state: isWaiting ? 'waiting' : 'making',
        asked_by: ctx.actor,
        asked_at: now,
        request_id: ctx.requestId,
        changed_at: now,
      })
      .execute()
    await recordAct(tx, ctx, {
      action: KEY_EXPORT_ASKED,
      subject: 'key_export',
      subjectCode: id,
      after: { item: found.code, batch, keys: String(asked), reason },
    })
    await tellOwners(tx, ctx, 'keys_exported', { count: asked, since: now })
    if (!isWaiting) return { id, waits: null }
    const waits = await noteWaiting(tx, ctx, {
      kind: 'key_export',
      subject: id,
      accountId: null,
      orderId: null,
      money: NO_MONEY,
      usdMinor: null,
      details: { name: `${found.code}: ${asked}`, keys: asked, reason },
    })
    return { id, waits }
  })
}

/** What approving it does. Throws 'changed_meanwhile' where it is over, or whoever asked may do it no more. */
export async function makeWaitingKeyExport(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAsker(tx, act, ['key.export'])
  const begun = await tx
    .updateTable('key_export')
    .set({ state: 'making', approved_by: ctx.actor, changed_at: ctx.now() })
    .where('public_id', '=', act.subject)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (begun.numUpdatedRows !== 1n) throw new AppError('changed_meanwhile')
}

/** What refusing it does. */
export async function refuseWaitingKeyExport(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await tx
    .updateTable('key_export')
    .set({ state: 'refused', changed_at: ctx.now() })
    .where('public_id', '=', act.subject)
    .where('state', '=', 'waiting')
    .execute()
}

/** Keeps the wrapped key of a file before anything is sealed under it. False where another worker has. */
export async function keepKeyExportKey(
  ctx: Ctx,
  id: string,
  { wrappedKey, kekId }: WrappedFileKey,
): Promise<boolean> {
  const kept = await ctx.db
    .updateTable('key_export')
    .set({ wrapped_key: wrappedKey, kek_id: kekId })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .where('wrapped_key', 'is', null)
    .executeTakeFirst()
  return kept.numUpdatedRows === 1n
}

/** Stores the next lines of a file, or none at its end. False where somebody else has, or it is over. */
export async function storeKeyExportPiece(
  tx: Tx,
  ctx: Ctx,
  { id, pieces }: KeyExportWork,
  piece: (SealedPiece & { readonly keys: number; readonly last: string }) | null,
): Promise<boolean> {
  const now = ctx.now()
  const noted = await tx
    .updateTable('key_export')
    .set((eb) =>
      piece
        ? {
            pieces: pieces + 1,
            keys: eb('keys', '+', piece.keys),
            reached: piece.last,
            changed_at: now,
          }
        : { state: 'ready', ready_at: now, changed_at: now },
    )
    .where('id', '=', id)
    .where('state', '=', 'making')
    .where('pieces', '=', pieces)
    .executeTakeFirst()
  if (noted.numUpdatedRows !== 1n) return false
  if (piece)
    await tx
      .insertInto('key_export_piece')
      .values({ export_id: id, no: pieces, nonce: piece.nonce, ciphertext: piece.ciphertext })
      .execute()
  return true
}

export interface TakenKeyExport {
  readonly id: string
  readonly item: string
  readonly itemCode: string
  readonly pieces: number
  readonly key: WrappedFileKey
}

/**
 * Gives a file out, once, to whoever asked for it: its key goes with this, so that nobody opens it again. Owners are told. Throws
 * 'not_found', and 'changed_meanwhile' for one that is not ready, was taken, or has lain longer than an hour.
 */
export async function takeKeyExport(ctx: OperatorCtx, publicId: string): Promise<TakenKeyExport> {
  requirePermission(ctx, 'key.export')
  return transaction(ctx, async (tx, now) => {
    const row = await tx
      .selectFrom('key_export as e')
      .innerJoin('item as i', 'i.id', 'e.item')
      .selectAll('e')
      .select('i.code')
      .where('e.public_id', '=', publicId)
      .where('e.asked_by', '=', ctx.actor)
      .forUpdate('e')
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    const { wrapped_key: wrappedKey, kek_id: kekId, ready_at: readyAt } = row
    const isThere = readyAt !== null && now.getTime() - readyAt.getTime() < KEY_EXPORT_KEPT_MS
    if (row.state !== 'ready' || !isThere || wrappedKey === null || kekId === null)
      throw new AppError('changed_meanwhile')
    await closeKeyExport(tx, row.id, 'taken', now)
    await recordAct(tx, ctx, {
      action: 'key_export_taken',
      subject: 'key_export',
      subjectCode: publicId,
      after: { item: row.code, keys: String(row.keys) },
    })
    await tellOwners(tx, ctx, 'keys_exported', { count: row.keys, since: now })
    const { id, item, code, pieces } = row
    return { id, item, itemCode: code, pieces, key: { wrappedKey, kekId } }
  })
}

/** What is not needed any more of a file that went out: nobody could open it. */
export async function dropKeyExportPieces(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('key_export_piece').where('export_id', '=', id).execute()
}

/** It cannot be made. What was made by another worker meanwhile stays. */
export async function failKeyExport(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const row = await tx
      .selectFrom('key_export')
      .select('state')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.state === 'making') await closeKeyExport(tx, id, 'failed', now)
  })
}

async function closeKeyExport(
  tx: Tx,
  id: string,
  state: Extract<KeyExportState, 'taken' | 'failed' | 'ended'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('key_export')
    .set({ state, wrapped_key: null, kek_id: null, changed_at: now })
    .where('id', '=', id)
    .execute()
}

/** Files that nobody took within the hour go, and so do requests that came to nothing; what became of them goes after its term. */
export async function forgetKeyExports(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const before = (ms: number) => new Date(now.getTime() - ms)
    const due = await tx
      .selectFrom('key_export')
      .select('id')
      .where(({ or, and, eb }) =>
        or([
          and([eb('state', '=', 'ready'), eb('ready_at', '<=', before(KEY_EXPORT_KEPT_MS))]),
          and([eb('state', '=', 'making'), eb('changed_at', '<=', before(KEY_EXPORT_KEPT_MS))]),
          and([eb('state', '=', 'waiting'), eb('changed_at', '<=', before(KEY_EXPORT_STUCK_MS))]),
        ]),
      )
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id } of due) await closeKeyExport(tx, id, 'ended', now)
    // What went out is read to its end by then.
    await tx
      .deleteFrom('key_export_piece')
      .where('export_id', 'in', (query) =>
        query
          .selectFrom('key_export')
          .select('id')
          .where('state', 'in', ['taken', 'failed', 'ended'])
          .where('changed_at', '<=', before(KEY_EXPORT_KEPT_MS)),
      )
      .execute()
    await tx
      .deleteFrom('key_export')
      .where('changed_at', '<', before(KEY_EXPORT_DAYS * DAY_MS))
      .execute()
  })
}
