import { sql } from 'kysely'
import { holdToDay, recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { readVersions, type BulkWork } from './queries.ts'
import {
  BULK_A_DAY,
  BULK_ASKED,
  BULK_AT_ONCE,
  BULK_KEPT_DAYS,
  BULK_NEEDS,
  BULK_SWEEP,
  type BulkAct,
  type BulkFailure,
} from './rules.ts'

const DAY_MS = 86_400_000

/**
 * Asks for an act on several orders, as each of them is now; the worker does it, one after the other. Throws 'not_found' for an order that is
 * not there, 'still_running' where the same operator has too many under way, 'too_many_requests' once the day's are used up. @returns its public id
 */
export async function askForBulk(
  ctx: OperatorCtx,
  { act, orders }: { readonly act: BulkAct; readonly orders: readonly string[] },
): Promise<string> {
  requirePermission(ctx, BULK_NEEDS[act])
  const publicId = await transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`bulk_run ${ctx.actor}`}, 0))`.execute(
      tx,
    )
    const open = await tx
      .selectFrom('bulk_run')
      .select('id')
      .where('operator_id', '=', ctx.operator.id)
      .where('finished_at', 'is', null)
      .execute()
    if (open.length >= BULK_AT_ONCE) throw new AppError('still_running')
    await holdToDay(tx, ctx, BULK_ASKED, BULK_A_DAY)
    const found = await readVersions(tx, orders)
    const rows = [...new Set(orders)].map((number, no) => {
      const one = found.get(number)
      if (!one) throw new AppError('not_found')
      return { no, order_id: one.id, version: one.version }
    })
    const run = { id: ctx.newId(), public_id: newPublicId(ctx) }
    await tx
      .insertInto('bulk_run')
      .values({ ...run, act, operator_id: ctx.operator.id, asked_at: now })
      .execute()
    await tx
      .insertInto('bulk_run_order')
      .values(rows.map((row) => ({ ...row, run_id: run.id })))
      .execute()
    await recordAct(tx, ctx, {
      action: BULK_ASKED,
      subject: 'bulk_run',
      subjectCode: run.public_id,
      after: { act, orders: String(rows.length) },
    })
    return run.public_id
  })
  await wantSweep(ctx, BULK_SWEEP)
  return publicId
}

/** Ends one's own run; what is done stays done. Throws 'not_found', and 'changed_meanwhile' for one that is over. */
export async function cancelBulk(ctx: OperatorCtx, publicId: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const run = await tx
      .selectFrom('bulk_run')
      .select(['id', 'finished_at'])
      .where('public_id', '=', publicId)
      .where('operator_id', '=', ctx.operator.id)
      .forUpdate()
      .executeTakeFirst()
    if (!run) throw new AppError('not_found')
    if (run.finished_at !== null) throw new AppError('changed_meanwhile')
    await tx
      .updateTable('bulk_run')
      .set({ state: 'cancelled', finished_at: now })
      .where('id', '=', run.id)
      .execute()
    await recordAct(tx, ctx, {
      action: 'cancel',
      subject: 'bulk_run',
      subjectCode: publicId,
      after: {},
    })
  })
}

/** Puts away what came of one's own run; of somebody else's, and of one that goes on, nothing is said. */
export async function dismissBulk(ctx: OperatorCtx, publicId: string): Promise<void> {
  await ctx.db
    .deleteFrom('bulk_run')
    .where('public_id', '=', publicId)
    .where('operator_id', '=', ctx.operator.id)
    .where('finished_at', 'is not', null)
    .execute()
}

/** Notes what came of one order of a run. */
export async function noteBulk(
  ctx: Ctx,
  { runId, no }: BulkWork,
  why: BulkFailure | null,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await tx
      .updateTable('bulk_run')
      .set({ state: 'running' })
      .where('id', '=', runId)
      .where('state', '=', 'waiting')
      .execute()
    await tx
      .updateTable('bulk_run_order')
      .set(why === null ? { state: 'done' } : { state: 'failed', why })
      .where('run_id', '=', runId)
      .where('no', '=', no ?? -1)
      .execute()
  })
}

/** Nothing of it is left to do, or whoever asked for it is shut out. */
export async function endBulk(ctx: Ctx, runId: string, state: 'done' | 'cancelled'): Promise<void> {
  await ctx.db
    .updateTable('bulk_run')
    .set({ state, finished_at: ctx.now() })
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .execute()
}

/** Takes away what came of runs, a week after they were asked for. */
export async function forgetBulk({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('bulk_run')
    .where('finished_at', 'is not', null)
    .where('asked_at', '<', new Date(now().getTime() - BULK_KEPT_DAYS * DAY_MS))
    .execute()
}
