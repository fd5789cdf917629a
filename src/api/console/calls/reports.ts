import { z } from 'zod'
import { EXPORT_FORMATS } from '#features/office/export/rules.ts'
import {
  changeReport,
  mailReport,
  removeReport,
  saveReport,
} from '#features/office/report/commands.ts'
import { makeReportFile } from '#features/office/report/flows.ts'
import {
  COMPARED,
  readChoice,
  REPORT_PERIODS,
  REPORTS,
  RHYTHMS,
  SPLITS,
  type ReportChoice,
} from '#features/office/report/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { nothing, publicId } from './shapes.ts'

const CSV = 'text/csv; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const AGO_DIGITS = /^\d{1,3}$/

/** What is chosen of a report, as the address of its page says it: all but the report may be left out. */
const choice = {
  report: z.enum(REPORTS),
  period: z.enum(REPORT_PERIODS).optional(),
  ago: z
    .string()
    .regex(AGO_DIGITS)
    .optional()
    .meta({ description: 'How many periods ago: 0 is the one that is not over', examples: ['1'] }),
  from: z.iso
    .date()
    .optional()
    .meta({ description: 'First day of a span', examples: ['2026-01-01'] }),
  until: z.iso
    .date()
    .optional()
    .meta({ description: 'Last day of a span', examples: ['2026-03-31'] }),
  compare: z.enum(COMPARED).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ examples: ['EUR'] }),
  by: z.enum(SPLITS).optional(),
}
const chosen = z.strictObject(choice)
const EXAMPLE = { report: 'sales', period: 'month', ago: '1', compare: 'before' } as const

/** Throws 'check_fields' for days that are no span. */
function choiceOf(given: z.infer<typeof chosen>): ReportChoice {
  const said = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const read = readChoice(new URLSearchParams(said), given.report)
  for (const [field, reason] of Object.entries(read.faults)) throw fieldError(field, reason)
  return read.choice
}

const name = z.string().trim().min(1).max(80)

const reportsFile = operatorCall({
  path: 'console/reports/file',
  summary: 'The table of a report, as CSV or XLSX',
  description:
    'Needs what the report needs beside: `ledger.read` of sales, refunds, store credit and tax, and `price.read` beside it of the margin; `case.read` of disputes, `supplier.read` of suppliers, `key.read` and `price.read` of keys, `order.read` of times to deliver, `product.read` of searches. What a spreadsheet would run begins with an apostrophe.',
  body: z.strictObject({ ...choice, format: z.enum(EXPORT_FORMATS).optional() }),
  data: z.object({}),
  file: CSV,
  example: { ...EXAMPLE, format: 'xlsx' },
  async answer({ ctx, services }, { format = 'csv', ...given }) {
    const made = await makeReportFile(ctx, choiceOf(given), format, services.timeZone)
    return new StreamedFile(made.name, format === 'xlsx' ? XLSX : CSV, oneByOne(made.chunks))
  },
})

async function* oneByOne(
  chunks: readonly (string | Uint8Array)[],
): AsyncGenerator<string | Uint8Array> {
  yield* chunks
}

const reportsSave = operatorCall({
  path: 'console/reports/save',
  summary: 'Keep a report under a name of your own',
  body: z.strictObject({ name, choice: chosen, shared: z.boolean() }),
  data: z.object({ id: publicId }),
  example: { name: 'Sales of last month', choice: EXAMPLE, shared: false },
  answer: async ({ ctx }, given) => ({
    id: await saveReport(ctx, {
      name: given.name,
      choice: choiceOf(given.choice),
      isShared: given.shared,
    }),
  }),
})

const reportsChange = operatorCall({
  path: 'console/reports/change',
  summary: 'Change a report that you keep, against the version that was read',
  body: z.strictObject({
    id: publicId,
    version: z.int().min(1),
    name,
    choice: chosen,
    shared: z.boolean(),
  }),
  data: nothing,
  example: {
    id: 'Zt3qN0f5Qy2mB7sJ1kVx9A',
    version: 1,
    name: 'Sales of last month',
    choice: EXAMPLE,
    shared: true,
  },
  async answer({ ctx }, given) {
    await changeReport(ctx, given.id, given.version, {
      name: given.name,
      choice: choiceOf(given.choice),
      isShared: given.shared,
    })
    return {}
  },
})

const reportsRemove = operatorCall({
  path: 'console/reports/remove',
  summary: 'Forget a report that you keep, and its mails',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await removeReport(ctx, id)
    return {}
  },
})

const reportsMail = operatorCall({
  path: 'console/reports/mail',
  summary: 'Have a saved report mailed to yourself each day, week or month, or no more',
  body: z.strictObject({ id: publicId, rhythm: z.enum(RHYTHMS).nullable() }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', rhythm: 'monthly' },
  async answer({ ctx, services }, { id, rhythm }) {
    await mailReport(ctx, id, rhythm, services.timeZone)
    return {}
  },
})

export const REPORT_CALLS = [
  reportsFile,
  reportsSave,
  reportsChange,
  reportsRemove,
  reportsMail,
] as const
