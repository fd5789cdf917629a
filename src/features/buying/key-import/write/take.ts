import { recordAudit } from '#features/base/audit/commands.ts'
import { openBatches } from '#features/buying/vault/commands.ts'
import {
  endActsAbout,
  inTurn,
  noteWaiting,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { importAct, takeAlone, worthOf } from './alone.ts'
import { closeImport } from './progress.ts'

interface LockedImport {
  readonly id: string
  readonly status: string
  readonly item: string
  readonly itemCode: string
  readonly fileName: string
  readonly fresh: number
  readonly supplier: string | null
  readonly cost: Money | null
  /** What one of its keys is sold for. */
  readonly price: Money
}

async function lockImport(tx: Tx, id: string): Promise<LockedImport> {
  if (!isUuid(id)) throw new AppError('not_found')
  const row = await tx
    .selectFrom('key_import as n')
    .innerJoin('item as i', 'i.id', 'n.item')
    .selectAll('n')
    .select(['i.code', 'i.price_minor', 'i.price_currency'])
    .where('n.id', '=', id)
    .forUpdate('n')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const cost =
    row.cost_minor === null || row.cost_currency === null
      ? null
      : { minor: BigInt(row.cost_minor), currency: row.cost_currency }
  return {
    id: row.id,
    status: row.status,
    item: row.item,
    itemCode: row.code,
    fileName: row.file_name,
    fresh: row.fresh,
    supplier: row.supplier,
    cost,
    price: { minor: BigInt(row.price_minor), currency: row.price_currency },
  }
}

/**
 * Takes the new keys of a file that was looked through, or asks a second person above the shop's limit, which counts what the same operator
 * took within a day. `fresh` is how many new keys whoever takes it was shown. Throws 'not_found', and 'changed_meanwhile' where it is no
 * longer so. @returns the act that waits
 */
export async function takeImport(
  ctx: OperatorCtx,
  { id, fresh }: { readonly id: string; readonly fresh: number },
): Promise<Waits> {
  requirePermission(ctx, 'key.import')
  return inTurn(ctx, async (tx, now) => {
    const file = await lockImport(tx, id)
    const canBe = file.status === 'checked' || file.status === 'waiting'
    if (!canBe || file.fresh !== fresh || fresh === 0)
      throw new AppError('changed_meanwhile', {}, { data: { status: file.status } })
    const worth = await worthOf(tx, file)
    const details = { item: file.itemCode, keys: file.fresh, file: file.fileName }
    const act = importAct(id, worth, details)
    if (await takeAlone(tx, ctx, act)) {
      const { usdMinor } = worth
      await startTaking(tx, ctx, file, { takenBy: ctx.actor, approvedBy: null, usdMinor }, now)
      return null
    }
    await tx
      .updateTable('key_import')
      .set({ status: 'waiting', updated_at: now })
      .where('id', '=', id)
      .execute()
    return noteWaiting(tx, ctx, act)
  })
}

interface Taking {
  readonly takenBy: string
  readonly approvedBy: string | null
  readonly usdMinor: bigint | null
}

async function startTaking(
  tx: Tx,
  ctx: OperatorCtx,
  file: LockedImport,
  { takenBy, approvedBy, usdMinor }: Taking,
  now: Date,
): Promise<void> {
  const batchId = ctx.newId()
  const { item, fileName, supplier, cost } = file
  const batch = { id: batchId, item, fileName, terms: { supplier, cost } }
  await openBatches(tx, { now: ctx.now, actor: takenBy }, [batch])
  await tx
    .updateTable('key_import')
    .set({
      status: 'taking',
      batch_id: batchId,
      taken_by: takenBy,
      taken_at: now,
      approved_by: approvedBy,
      usd_minor: usdMinor,
      updated_at: now,
    })
    .where('id', '=', file.id)
    .execute()
}

/** What approving it does. Throws 'order_closed' where it was cancelled meanwhile. */
export async function takeWaitingImport(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const file = await lockImport(tx, act.subject)
  if (file.status !== 'waiting' || file.fresh !== act.details['keys'])
    throw new AppError('order_closed')
  const taking = { takenBy: act.askedBy, approvedBy: ctx.actor, usdMinor: act.usdMinor }
  await startTaking(tx, ctx, file, taking, ctx.now())
}

/** What refusing it does: it can be asked for again, or cancelled. */
export async function keepWaitingImport(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await tx
    .updateTable('key_import')
    .set({ status: 'checked', updated_at: ctx.now() })
    .where('id', '=', act.subject)
    .where('status', '=', 'waiting')
    .execute()
}

/** Ends an import, whatever it is at; keys that have come into stock stay there. Throws 'not_found'. */
export async function cancelImport(ctx: OperatorCtx, id: string): Promise<void> {
  requirePermission(ctx, 'key.import')
  await transaction(ctx, async (tx, now) => {
    // Before the import is locked, as whoever approves it does.
    await endActsAbout(tx, ctx, 'key_import', id)
    const { status, itemCode } = await lockImport(tx, id)
    await closeImport(tx, id, 'cancelled', now)
    await recordAudit(tx, ctx, now, [
      {
        action: 'cancel',
        subject: 'key_import',
        subjectCode: id,
        before: { status },
        after: { item: itemCode },
      },
    ])
  })
}
