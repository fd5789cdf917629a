import { z } from 'zod'
import { askForExport, cancelExport, takeExport } from '#features/office/export/commands.ts'
import { listExports, readPart } from '#features/office/export/queries.ts'
import { EXPORT_FORMATS, EXPORT_KINDS } from '#features/office/export/rules.ts'
import type { Db } from '#platform/db.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { moment, nothing, publicId } from './shapes.ts'

const LISTED = 100
const CSV = 'text/csv; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const kind = z.enum(EXPORT_KINDS)
const format = z.enum(EXPORT_FORMATS)
const day = z.iso.date()

const exportsList = operatorCall({
  path: 'console/exports/list',
  summary: 'Files that were asked for, newest first; each is kept a week',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      kind,
      format,
      is_too_long: z
        .boolean()
        .meta({ description: 'Asked for as XLSX, with more rows than that may have: made as CSV' }),
      from: z.string(),
      until: z.string(),
      state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
      rows: z.number(),
      failure: z.string().nullable(),
      asked_by: z.string(),
      asked: moment,
      finished: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const runs = await listExports(ctx.db, LISTED)
    return runs.map((run) => ({
      id: run.publicId,
      kind: run.kind,
      format: run.format,
      is_too_long: run.isTooLong,
      from: run.fromDay,
      until: run.untilDay,
      state: run.state,
      rows: run.rows,
      failure: run.failure,
      asked_by: run.askedBy,
      asked: run.askedAt.toISOString(),
      finished: run.finishedAt?.toISOString() ?? null,
    }))
  },
})

const exportsMake = operatorCall({
  path: 'console/exports/make',
  summary: 'Ask for a file of orders, units, movements or taxes; the worker makes it',
  description: 'Days are the shop’s. Nothing in the files tells of a person by name.',
  body: z.strictObject({ kind, format: format.optional(), from: day, until: day }),
  data: z.object({ id: publicId }),
  example: { kind: 'orders', format: 'xlsx', from: '2026-11-01', until: '2026-11-30' },
  answer: async ({ ctx }, given) => ({
    id: await askForExport(ctx, {
      kind: given.kind,
      format: given.format ?? 'csv',
      fromDay: given.from,
      untilDay: given.until,
    }),
  }),
})

const exportsCancel = operatorCall({
  path: 'console/exports/cancel',
  summary: 'End a file that is not done',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await cancelExport(ctx, id)
    return {}
  },
})

const exportsFile = operatorCall({
  path: 'console/exports/file',
  summary: 'A file that is done, as CSV or XLSX',
  description:
    'What a spreadsheet would run begins with an apostrophe, and so does what began with one: taking one away gives back what was there.',
  body: z.object({ id: publicId }),
  data: z.object({}),
  file: CSV,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, given) {
    const run = await takeExport(ctx, given.id)
    return new StreamedFile(
      `${run.kind}-${run.fromDay}-${run.untilDay}.${run.format}`,
      run.format === 'xlsx' ? XLSX : CSV,
      partsOf(ctx.db, run.id, run.parts),
    )
  },
})

async function* partsOf(db: Db, id: string, parts: number): AsyncGenerator<string | Uint8Array> {
  for (let part = 0; part < parts; part += 1) yield readPart(db, id, part)
}

export const EXPORTS_CALLS = [exportsList, exportsMake, exportsCancel, exportsFile] as const
