import { z } from 'zod'
import { cancelAccount, undoCancellation } from '#features/leaving/closure/commands.ts'
import { exportEverything } from '#features/leaving/closure/queries.ts'
import { csvOf } from '#features/leaving/closure/rules.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { personalCall, type AnswerFile, type SignedInCaller } from '../personal/call.ts'

export const userCancel = personalCall({
  path: 'user/cancel',
  method: 'POST',
  summary: 'Cancel the account',
  description:
    'Freezes it at once and ends every session. A mail holds a link that undoes it for 30 days; after that everything of the person is erased and linked services are ' +
    'unlinked, and store credit is forfeited: who has some says `give_up_credit`. Code 2411 while orders are unfinished or a payment is disputed.',
  access: 'fresh',
  limit: 'costly',
  body: z.strictObject({
    give_up_credit: z
      .boolean()
      .default(false)
      .meta({ description: 'Needed by who has store credit, which goes with the account' }),
  }),
  data: z
    .object({
      erase_date_text: z.string().meta({
        description: 'Day of the erasure, in the language of the call',
        examples: ['21 December 2026'],
      }),
    })
    .meta({ id: 'CancelledAccount' }),
  example: {},
  async answer({ ctx, person, cookies, language, services }, { give_up_credit: givesUpCredit }) {
    const { eraseAt } = await cancelAccount(ctx, person, { givesUpCredit })
    cookies.endSession()
    return { erase_date_text: formatDate(language.code, eraseAt, services.timeZone) }
  },
})

export const userUndoCancel = personalCall({
  path: 'user/undo_cancel',
  method: 'POST',
  summary: 'Take a cancelled account back',
  description:
    'With the `key` of the link in the mail, once. Nobody is signed in by it. Code 2410 for a link that has expired.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({
    key: z
      .string()
      .max(200)
      .meta({ examples: ['j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8'] }),
  }),
  data: z.literal(true),
  example: { key: 'j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8' },
  async answer({ ctx }, { key }) {
    await undoCancellation(ctx, { key })
    return true as const
  },
})

const EXPORT_FORMATS = z.enum(['json', 'csv']).meta({
  description:
    'json: as `data` of the envelope; csv: a table to download (section, number, field, value)',
})

const exportData = z
  .object({
    exported_at: z
      .string()
      .meta({ description: 'ISO 8601', examples: ['2026-11-21T10:00:00.000Z'] }),
    sections: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({
      description:
        'Lists of plain objects by part of the shop: account, addresses, favourites, notices …',
      examples: [{ favourites: [{ product: 'steam-us', created_at: '2026-11-20T09:30:00.000Z' }] }],
    }),
  })
  .meta({ id: 'PersonExport' })
type ExportData = z.infer<typeof exportData>

export const userExport = personalCall({
  path: 'user/export',
  method: 'GET',
  summary: 'Everything the shop keeps about the person',
  access: 'fresh',
  limit: 'costly',
  body: z.object({ format: EXPORT_FORMATS.default('json').catch('json') }),
  data: exportData,
  example: { format: 'json' },
  answer: exported,
  file: { type: 'text/csv; charset=utf-8' },
  asFile: exportFile,
})

/** For clients without cookies, whose proof must come with the call. */
export const userExportWithProof = personalCall({
  path: 'user/export',
  method: 'POST',
  summary: 'The same, with the proof of identity in the call',
  access: 'fresh',
  limit: 'costly',
  body: z.strictObject({ format: EXPORT_FORMATS.default('json') }),
  data: exportData,
  example: { format: 'json', password: '…' },
  isSecretAnswer: true,
  answer: exported,
  file: { type: 'text/csv; charset=utf-8' },
  asFile: exportFile,
})

async function exported({ ctx, person }: SignedInCaller): Promise<ExportData> {
  const { exported_at, sections } = await exportEverything(ctx, person)
  return {
    exported_at,
    sections: Object.fromEntries(
      Object.entries(sections).map(([name, list]) => [name, list.map((object) => ({ ...object }))]),
    ),
  }
}

function exportFile(
  data: ExportData,
  { format }: { readonly format: 'json' | 'csv' },
): AnswerFile | null {
  return format === 'csv' ? { name: 'my-data.csv', body: csvOf(data) } : null
}
