import { recordAudit } from '#features/base/audit/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { endOperatorSessions } from './session.ts'

export interface OpenReset {
  readonly id: string
  readonly publicId: string
  readonly operatorId: string
  readonly state: 'reported' | 'asked' | 'delayed' | 'done' | 'stopped'
  readonly askedBy: string | null
  readonly dueAt: Date | null
}

const COLUMNS = ['id', 'public_id', 'operator_id', 'state', 'asked_by', 'due_at'] as const

/** The reset of an operator that is not over, held until the transaction ends; null for none. */
export async function lockReset(tx: Tx, operatorId: string): Promise<OpenReset | null> {
  const row = await tx
    .selectFrom('operator_factor_reset')
    .select(COLUMNS)
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row
    ? {
        id: row.id,
        publicId: row.public_id,
        operatorId: row.operator_id,
        state: row.state,
        askedBy: row.asked_by,
        dueAt: row.due_at,
      }
    : null
}

/** Somebody said at the sign-in that every factor is lost. @returns false where that is known, or was not long ago */
export async function noteLost(
  tx: Tx,
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name: string },
  quietMs: number,
): Promise<boolean> {
  const now = ctx.now()
  const recent = await tx
    .selectFrom('operator_factor_reset')
    .select('id')
    .where('operator_id', '=', id)
    .where('created_at', '>', new Date(now.getTime() - quietMs))
    .limit(1)
    .executeTakeFirst()
  if (recent || (await lockReset(tx, id))) return false
  const made = await tx
    .insertInto('operator_factor_reset')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      operator_id: id,
      state: 'reported',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return false
  await note(tx, ctx, name, 'factor_lost', null)
  return true
}

/** Somebody else asks for it: it waits for a third person, or is done when its time has come. Throws 'changed_meanwhile' where it is asked for already. */
export async function askForReset(
  tx: Tx,
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name: string },
  /** Null: a third person decides. */
  dueAt: Date | null,
): Promise<string> {
  const open = await lockReset(tx, id)
  if (open && open.state !== 'reported') throw new AppError('changed_meanwhile')
  const asked = {
    state: dueAt === null ? ('asked' as const) : ('delayed' as const),
    asked_by: ctx.actor,
    due_at: dueAt,
  }
  const publicId = open?.publicId ?? newPublicId(ctx)
  if (open)
    await tx.updateTable('operator_factor_reset').set(asked).where('id', '=', open.id).execute()
  else {
    const made = await tx
      .insertInto('operator_factor_reset')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        operator_id: id,
        created_at: ctx.now(),
        ...asked,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n) throw new AppError('changed_meanwhile')
  }
  await note(tx, ctx, name, 'factor_reset_asked', { due: dueAt?.toISOString() ?? null })
  return publicId
}

export async function endReset(
  tx: Tx,
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await tx
    .updateTable('operator_factor_reset')
    .set({ state: 'stopped', ended_at: ctx.now(), ended_by: ctx.actor })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await note(tx, ctx, name, 'factor_reset_stopped', null)
}

/**
 * Takes away passkeys, app and recovery codes, and every session: the next sign-in makes another factor. The account is held first, so that
 * no sign-in that is under way comes after it.
 */
export async function doReset(
  tx: Tx,
  ctx: Ctx,
  reset: OpenReset,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await tx.selectFrom('operator').select('id').where('id', '=', id).forUpdate().execute()
  await tx.deleteFrom('operator_passkey').where('operator_id', '=', id).execute()
  await tx.deleteFrom('operator_totp').where('operator_id', '=', id).execute()
  await tx.deleteFrom('operator_recovery_code').where('operator_id', '=', id).execute()
  await tx.deleteFrom('operator_ticket').where('operator_id', '=', id).execute()
  await endOperatorSessions(tx, id)
  await tx
    .updateTable('operator_factor_reset')
    .set({ state: 'done', ended_at: ctx.now(), ended_by: ctx.actor })
    .where('id', '=', reset.id)
    .execute()
  await note(tx, ctx, name, 'factor_reset', null)
}

function note(
  tx: Tx,
  ctx: Ctx,
  name: string,
  action: string,
  after: Readonly<Record<string, string | null>> | null,
): Promise<void> {
  return recordAudit(tx, ctx, ctx.now(), [
    { action, subject: 'operator', subjectCode: name, before: null, after },
  ])
}
