import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { requireNoPriceLimit } from '#features/goods/price-limit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import {
  nextRunAt,
  RUN_DEAD_MS,
  RUNS_KEPT_DAYS,
  type RunOutcome,
  type SyncReport,
} from '../rules.ts'

const ERROR_MAX = 500
/** What was asked for and could not begin for so long is asked for anew. */
const WISH_MS = 3_600_000
const DAY_MS = 86_400_000

/** Begins a run. One that has told nothing for long was lost with its process. Throws 'still_running' while another is under way. */
export async function beginRun(ctx: Ctx, supplier: string, isDry = false): Promise<string> {
  const id = ctx.newId()
  await transaction(ctx, async (tx, now) => {
    await tx
      .updateTable('supply_sync_run')
      .set({ ended_at: now, outcome: 'lost' })
      .where('supplier', '=', supplier)
      .where('ended_at', 'is', null)
      .where('seen_at', '<', new Date(now.getTime() - RUN_DEAD_MS))
      .execute()
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('supply_sync_run')
      .values({ id, supplier, started_by: ctx.actor, began_at: now, seen_at: now, is_dry: isDry })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) throw new AppError('still_running')
  })
  return id
}

/** Says that a run goes on. Throws 'still_running' where it was given up meanwhile. @param read denominations so far */
export async function noteRunAlive(ctx: Ctx, run: string, read: number): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('supply_sync_run')
    .set({ seen_at: ctx.now(), read_count: read })
    .where('id', '=', run)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('still_running')
}

/** Keeps a run for this transaction. Throws 'still_running' where it was given up meanwhile: what it has read is old. */
export async function lockRun(tx: Tx, run: string): Promise<void> {
  const live = await tx
    .selectFrom('supply_sync_run')
    .select('id')
    .where('id', '=', run)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!live) throw new AppError('still_running')
}

/** Ends a run in the transaction that wrote what it read, and says when the next one of the schedule is due. */
export async function endRunDone(
  tx: Tx,
  now: Date,
  {
    run,
    supplier,
    report,
    isDry = false,
  }: {
    readonly run: string
    readonly supplier: string
    readonly report: SyncReport
    readonly isDry?: boolean
  },
): Promise<void> {
  await tx
    .updateTable('supply_sync_run')
    .set({ ended_at: now, outcome: 'done', report: JSON.stringify(report) })
    .where('id', '=', run)
    .execute()
  if (!isDry) await putOff(tx, now, supplier, 'done')
}

/** Ends a run that changed nothing. */
export async function endRun(
  ctx: Ctx,
  {
    run,
    supplier,
    outcome,
    error,
    isDry = false,
  }: {
    readonly run: string
    readonly supplier: string
    readonly outcome: Exclude<RunOutcome, 'done'>
    readonly error: string
    readonly isDry?: boolean
  },
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('supply_sync_run')
      .set({ ended_at: now, outcome, error: error.slice(0, ERROR_MAX) || null })
      .where('id', '=', run)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n && outcome !== 'lost' && !isDry)
      await putOff(tx, now, supplier, outcome)
  })
}

async function putOff(tx: Tx, now: Date, supplier: string, outcome: RunOutcome): Promise<void> {
  const schedule = await tx
    .selectFrom('supply_schedule')
    .select(['every_seconds', 'failures'])
    .where('supplier', '=', supplier)
    .forUpdate()
    .executeTakeFirst()
  if (!schedule) return
  const failures = outcome === 'done' ? 0 : schedule.failures + 1
  await tx
    .updateTable('supply_schedule')
    .set({ failures, next_at: nextRunAt(now, schedule.every_seconds, outcome, failures) })
    .where('supplier', '=', supplier)
    .execute()
}

/** Has a supplier's catalogue synchronised every so many seconds, the first time at once; null: no more. Throws 'not_found' for a supplier that is none. */
export async function scheduleSync(
  ctx: OperatorCtx,
  supplier: string,
  everySeconds: number | null,
): Promise<void> {
  requirePermission(ctx, 'product.change')
  requirePermission(ctx, 'price.change')
  await transaction(ctx, async (tx, now) => {
    const known = await tx
      .selectFrom('supplier as s')
      .leftJoin('supply_schedule as e', 'e.supplier', 's.code')
      .select(['s.code', 'e.every_seconds'])
      .where('s.code', '=', supplier)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found')
    if (everySeconds === null)
      await tx.deleteFrom('supply_schedule').where('supplier', '=', supplier).execute()
    else {
      const row = {
        every_seconds: everySeconds,
        next_at: now,
        failures: 0,
        set_by: ctx.operator.name,
        set_at: now,
      }
      await tx
        .insertInto('supply_schedule')
        .values({ supplier, ...row })
        .onConflict((conflict) => conflict.column('supplier').doUpdateSet(row))
        .execute()
    }
    await recordAudit(tx, ctx, now, [
      {
        action: 'sync_scheduled',
        subject: 'supplier',
        subjectCode: supplier,
        before: { every_seconds: known.every_seconds },
        after: { every_seconds: everySeconds },
      },
    ])
  })
}

/**
 * Has the worker synchronise a supplier's catalogue within seconds, in the name of who asks. Asked again before it has begun, the last word
 * holds. Throws 'not_found' for a supplier that is none, 'forbidden' where costs that jump are to be taken unseen by somebody whose prices have a limit.
 */
export async function wishSync(
  ctx: OperatorCtx,
  supplier: string,
  { isDry, appliesJumps }: { readonly isDry: boolean; readonly appliesJumps: boolean },
): Promise<void> {
  requirePermission(ctx, 'product.change')
  requirePermission(ctx, 'price.change')
  if (appliesJumps && !isDry) requireNoPriceLimit(ctx)
  await transaction(ctx, async (tx, now) => {
    const known = await tx
      .selectFrom('supplier')
      .select('code')
      .where('code', '=', supplier)
      .executeTakeFirst()
    if (!known) throw new AppError('not_found')
    const row = {
      asked_by: ctx.actor,
      asked_at: now,
      is_dry: isDry,
      applies_jumps: appliesJumps,
    }
    await tx
      .insertInto('supply_sync_wish')
      .values({ supplier, ...row })
      .onConflict((conflict) => conflict.column('supplier').doUpdateSet(row))
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'sync_asked',
        subject: 'supplier',
        subjectCode: supplier,
        before: null,
        after: { dry: isDry, applies_jumps: appliesJumps },
      },
    ])
  })
}

export interface SyncWish {
  readonly askedBy: string
  readonly isDry: boolean
  readonly appliesJumps: boolean
}

/** Takes up a sync that somebody asked for; null where nobody did, or another one is under way and it waits for that. */
export async function takeWish(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  supplier: string,
): Promise<SyncWish | null> {
  const at = now().getTime()
  const dead = new Date(at - RUN_DEAD_MS)
  const row = await db
    .deleteFrom('supply_sync_wish')
    .where('supplier', '=', supplier)
    .where('asked_at', '>', new Date(at - WISH_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('supply_sync_run')
            .select('id')
            .where('supplier', '=', supplier)
            .where('ended_at', 'is', null)
            .where('seen_at', '>=', dead),
        ),
      ),
    )
    .returning(['asked_by as askedBy', 'is_dry as isDry', 'applies_jumps as appliesJumps'])
    .executeTakeFirst()
  return row ?? null
}

/** The last run of each supplier is kept, however old. */
export async function forgetRuns(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - RUNS_KEPT_DAYS * DAY_MS)
  await sql`
    delete from supply_sync_run r where r.ended_at < ${before}
      and exists (select from supply_sync_run later where later.supplier = r.supplier and later.began_at > r.began_at)`.execute(
    ctx.db,
  )
}
