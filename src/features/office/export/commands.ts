import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { CSV_MARK, csvRow } from '#kernel/csv.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import {
  findOpenExport,
  getExport,
  readExportPage,
  readSpan,
  type ExportRun,
  type ExportSpan,
} from './queries.ts'
import {
  EXPORT_DAYS_MAX,
  EXPORT_HEADS,
  EXPORT_KEPT_DAYS,
  EXPORT_SWEEP,
  EXPORTS_AT_ONCE,
  type ExportKind,
} from './rules.ts'

const DAY_MS = 86_400_000
const ROWS_A_PART = 2_000
const FAILURE_MAX = 500

/** Asks for a file, which the worker makes. Throws 'check_fields' for a span that is none, 'still_running' where too many are made. */
export async function askForExport(
  ctx: OperatorCtx,
  { kind, fromDay, untilDay }: { kind: ExportKind; fromDay: string; untilDay: string },
): Promise<string> {
  requirePermission(ctx, 'export.make')
  const days = (Date.parse(untilDay) - Date.parse(fromDay)) / DAY_MS
  if (!(days >= 0 && days <= EXPORT_DAYS_MAX)) throw fieldError('until', 'not_allowed')
  const publicId = await transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('export_run', 0))`.execute(tx)
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from export_run where finished_at is null and asked_by = ${ctx.actor}`.execute(
      tx,
    )
    if ((rows[0]?.open ?? 0) >= EXPORTS_AT_ONCE) throw new AppError('still_running')
    const made = newPublicId(ctx)
    await tx
      .insertInto('export_run')
      .values({
        id: ctx.newId(),
        public_id: made,
        kind,
        from_day: fromDay,
        until_day: untilDay,
        asked_by: ctx.actor,
        asked_at: now,
      })
      .execute()
    await recordAct(tx, ctx, {
      action: 'export',
      subject: 'export',
      subjectCode: made,
      after: { kind, from: fromDay, until: untilDay },
    })
    return made
  })
  await wantSweep(ctx, EXPORT_SWEEP)
  return publicId
}

/** Ends one that is not done; what was written of it goes. Throws 'not_found', and 'changed_meanwhile' for one that has ended. */
export async function cancelExport(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'export.make')
  const { id } = await getExport(ctx.db, publicId)
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('export_run')
      .set({ state: 'cancelled', finished_at: now })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('changed_meanwhile')
    await tx.deleteFrom('export_part').where('export_id', '=', id).execute()
    await recordAct(tx, ctx, {
      action: 'cancel',
      subject: 'export',
      subjectCode: publicId,
      after: {},
    })
  })
}

/** Writes down that somebody takes a file away. Throws 'not_found', and 'changed_meanwhile' for one that is not whole. */
export async function takeExport(ctx: OperatorCtx, publicId: string): Promise<ExportRun> {
  requirePermission(ctx, 'export.make')
  const run = await getExport(ctx.db, publicId)
  if (run.state !== 'done') throw new AppError('changed_meanwhile')
  await transaction(ctx, (tx) =>
    recordAct(tx, ctx, { action: 'take', subject: 'export', subjectCode: publicId, after: {} }),
  )
  return run
}

/** Makes what was asked for, one file after the other; one that a process left goes on where it stood. */
export async function makeExports(ctx: Ctx, timeZone: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const run = signal.aborted ? null : await findOpenExport(ctx.db)
    if (!run) return
    try {
      await makeExport(ctx, run, timeZone, signal)
    } catch (error) {
      await endExport(ctx, run.id, 'failed', error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}

async function makeExport(
  ctx: Ctx,
  run: ExportRun,
  timeZone: string,
  signal: AbortSignal,
): Promise<void> {
  const span = await readSpan(ctx.db, run, timeZone)
  const digits = new Map(
    (await listCurrencies(ctx.db)).map(({ code, minorUnits }) => [code as string, minorUnits]),
  )
  let at = { part: run.parts, reached: run.reached }
  while (!signal.aborted) {
    const next = await writePart(ctx, run, span, at, digits)
    if (next === null) return
    at = next
  }
}

/** @returns null once there is nothing more to write, or somebody has cancelled it */
async function writePart(
  ctx: Ctx,
  { id, kind }: ExportRun,
  span: ExportSpan,
  { part, reached }: { readonly part: number; readonly reached: string | null },
  digits: ReadonlyMap<string, number>,
): Promise<{ readonly part: number; readonly reached: string | null } | null> {
  const page = await readExportPage(ctx.db, span, reached, ROWS_A_PART, digits)
  const head = part === 0 ? CSV_MARK + csvRow(EXPORT_HEADS[kind]) : ''
  const content = head + page.rows.map(csvRow).join('')
  const isLast = page.rows.length < ROWS_A_PART
  return transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('export_run')
      .set((row) => ({
        state: isLast ? 'done' : 'running',
        finished_at: isLast ? now : null,
        parts: part + 1,
        rows: sql<number>`${row.ref('rows')} + ${page.rows.length}`,
        reached: page.last ?? reached,
      }))
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .where('parts', '=', part)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    await tx.insertInto('export_part').values({ export_id: id, part, content }).execute()
    return isLast ? null : { part: part + 1, reached: page.last }
  })
}

async function endExport(ctx: Ctx, id: string, state: 'failed', failure: string): Promise<void> {
  await ctx.db
    .updateTable('export_run')
    .set({ state, failure: failure.slice(0, FAILURE_MAX), finished_at: ctx.now() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}

/** Takes away files, a week after they were asked for. */
export async function forgetExports({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('export_run')
    .where('asked_at', '<', new Date(now().getTime() - EXPORT_KEPT_DAYS * DAY_MS))
    .execute()
}
