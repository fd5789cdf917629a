import { sql } from 'kysely'
import { recordAct } from '#features/base/audit/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { CSV_MARK, csvRow, inertText } from '#kernel/csv.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { writePiece, XLSX_ROWS_MAX, type SheetSoFar } from './engine/xlsx.ts'
import {
  findOpenExport,
  getExport,
  OPEN,
  readExportPage,
  readSpan,
  type ExportPage,
  type ExportRun,
} from './queries.ts'
import {
  EXPORT_DAYS_MAX,
  EXPORT_HEADS,
  EXPORT_KEPT_DAYS,
  EXPORT_SWEEP,
  EXPORT_NUMBERS,
  EXPORTS_AT_ONCE,
  type ExportFormat,
  type ExportKind,
} from './rules.ts'

const DAY_MS = 86_400_000
const ROWS_A_PART = 2_000
const FAILURE_MAX = 500

export interface ExportWish {
  readonly kind: ExportKind
  readonly format?: ExportFormat
  readonly fromDay: string
  readonly untilDay: string
}

/** Asks for a file, which the worker makes. Throws 'check_fields' for a span that is none, 'still_running' where too many are made. */
export async function askForExport(
  ctx: OperatorCtx,
  { kind, format = 'csv', fromDay, untilDay }: ExportWish,
): Promise<string> {
  requirePermission(ctx, 'export.make')
  const days = (Date.parse(untilDay) - Date.parse(fromDay)) / DAY_MS
  if (!(days >= 0 && days <= EXPORT_DAYS_MAX)) throw fieldError('until', 'not_allowed')
  const publicId = await transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('export_run', 0))`.execute(tx)
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from export_run where ${OPEN} and asked_by = ${ctx.actor}`.execute(
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
        format,
        from_day: fromDay,
        until_day: untilDay,
        asked_by: ctx.actor,
        asked_at: now,
        finished_at: beganAs({ format, askedAt: now }),
      })
      .execute()
    await recordAct(tx, ctx, {
      action: 'export',
      subject: 'export',
      subjectCode: made,
      after: { kind, format, from: fromDay, until: untilDay },
    })
    return made
  })
  await wantSweep(ctx, EXPORT_SWEEP)
  return publicId
}

/** What `finished_at` says of a file that is not made yet: a time of a workbook, which workers of releases before leave alone for it. */
const beganAs = ({ format, askedAt }: Pick<ExportRun, 'format' | 'askedAt'>) =>
  format === 'xlsx' ? askedAt : null

/** Ends one that is not done; what was written of it goes. Throws 'not_found', and 'changed_meanwhile' for one that has ended. */
export async function cancelExport(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'export.make')
  const { id } = await getExport(ctx.db, publicId)
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('export_run')
      .set({ state: 'cancelled', finished_at: now })
      .where('id', '=', id)
      .where(OPEN)
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
export async function makeExports(
  ctx: Ctx,
  timeZone: string,
  signal: AbortSignal,
  sheetRowsMax = XLSX_ROWS_MAX,
): Promise<void> {
  for (;;) {
    const run = signal.aborted ? null : await findOpenExport(ctx.db)
    if (!run) return
    try {
      await makeExport(ctx, run, { timeZone, signal, sheetRowsMax })
    } catch (error) {
      await endExport(ctx, run.id, 'failed', error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}

interface Making {
  readonly timeZone: string
  readonly signal: AbortSignal
  readonly sheetRowsMax: number
}

async function makeExport(
  ctx: Ctx,
  run: ExportRun,
  { timeZone, signal, sheetRowsMax }: Making,
): Promise<void> {
  const span = await readSpan(ctx.db, run, timeZone)
  const digits = new Map(
    (await listCurrencies(ctx.db)).map(({ code, minorUnits }) => [code as string, minorUnits]),
  )
  let at: Place = { part: run.parts, rows: run.rows, reached: run.reached, sheet: run.sheet }
  while (!signal.aborted) {
    const page = await readExportPage(ctx.db, span, at.reached, ROWS_A_PART, digits)
    if (run.format === 'xlsx' && at.rows + page.rows.length > sheetRowsMax)
      // It begins anew, as what has room for any number of rows.
      return startAsCsv(ctx, run.id)
    const next = await writePart(ctx, run, at, page)
    if (next === null) return
    at = next
  }
}

/** How far a file is. */
interface Place {
  readonly part: number
  readonly rows: number
  readonly reached: string | null
  readonly sheet: SheetSoFar
}

/** @returns null once there is nothing more to write, or somebody has cancelled it */
async function writePart(
  ctx: Ctx,
  run: ExportRun,
  { part, rows, reached, sheet }: Place,
  page: ExportPage,
): Promise<Place | null> {
  const isLast = page.rows.length < ROWS_A_PART
  const made = await contentOf(run, page, { isFirst: part === 0, isLast, sheet })
  const next = {
    part: part + 1,
    rows: rows + page.rows.length,
    reached: page.last ?? reached,
    sheet: made.sheet,
  }
  return transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('export_run')
      .set({
        state: isLast ? 'done' : 'running',
        finished_at: isLast ? now : beganAs(run),
        parts: next.part,
        rows: next.rows,
        reached: next.reached,
        sheet_crc: String(next.sheet.crc),
        sheet_bytes: String(next.sheet.bytes),
        packed_bytes: String(next.sheet.packed),
      })
      .where('id', '=', run.id)
      .where(OPEN)
      .where('parts', '=', part)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    await tx
      .insertInto('export_part')
      .values({ export_id: run.id, part, content: made.text, bytes: made.bytes })
      .execute()
    return isLast ? null : next
  })
}

interface Made {
  readonly text: string | null
  readonly bytes: Buffer | null
  readonly sheet: SheetSoFar
}

/** A part of the file, in its format. */
async function contentOf(
  { kind, format }: ExportRun,
  page: ExportPage,
  { isFirst, isLast, sheet }: { isFirst: boolean; isLast: boolean; sheet: SheetSoFar },
): Promise<Made> {
  const head = EXPORT_HEADS[kind]
  if (format === 'csv') {
    const text = (isFirst ? CSV_MARK + csvRow(head) : '') + page.rows.map(csvRow).join('')
    return { text, bytes: null, sheet }
  }
  const rows = page.rows.map((row) =>
    row.map((value, column) =>
      EXPORT_NUMBERS.has(head[column] ?? '') ? { number: value } : { text: inertText(value) },
    ),
  )
  const piece = await writePiece({ name: kind, head: isFirst ? head : null, rows, isLast }, sheet)
  return { text: null, bytes: piece.bytes, sheet: piece.sheet }
}

/** What was written of a workbook goes, and it is made as a table of text. */
async function startAsCsv(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('export_run')
      .set({
        format: 'csv',
        is_too_long: true,
        parts: 0,
        rows: 0,
        reached: null,
        finished_at: null,
      })
      .where('id', '=', id)
      .where(OPEN)
      .executeTakeFirst()
    if (numUpdatedRows > 0n)
      await tx.deleteFrom('export_part').where('export_id', '=', id).execute()
  })
}

async function endExport(ctx: Ctx, id: string, state: 'failed', failure: string): Promise<void> {
  await ctx.db
    .updateTable('export_run')
    .set({ state, failure: failure.slice(0, FAILURE_MAX), finished_at: ctx.now() })
    .where('id', '=', id)
    .where(OPEN)
    .execute()
}

/** Takes away files, a week after they were asked for. */
export async function forgetExports({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('export_run')
    .where('asked_at', '<', new Date(now().getTime() - EXPORT_KEPT_DAYS * DAY_MS))
    .execute()
}
