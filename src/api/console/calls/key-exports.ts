import { z } from 'zod'
import { askForKeyExport } from '#features/office/key-export/commands.ts'
import { giveOutKeys } from '#features/office/key-export/flows.ts'
import { listKeyExports } from '#features/office/key-export/queries.ts'
import { KEY_EXPORT_STATES } from '#features/office/key-export/rules.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { rowId } from './key-shapes.ts'
import { moment, publicId } from './shapes.ts'

const CSV = 'text/csv; charset=utf-8'
const BATCH = '019abc00-0000-7000-8000-000000000001'

const keysExports = operatorCall({
  path: 'console/keys/exports',
  summary: 'Files of keys that were asked for of a batch, newest first',
  body: z.object({ batch: rowId }),
  data: z.array(
    z.object({
      id: publicId,
      state: z.enum(KEY_EXPORT_STATES),
      asked: z.number(),
      keys: z.number(),
      reason: z.string(),
      asked_by: z.string(),
      asked_at: moment,
      approved_by: z.string().nullable(),
      taken_until: moment.nullable(),
    }),
  ),
  example: { batch: BATCH },
  answer: async ({ ctx }, { batch }) =>
    (await listKeyExports(ctx.db, batch)).map((one) => ({
      id: one.id,
      state: one.state,
      asked: one.asked,
      keys: one.keys,
      reason: one.reason,
      asked_by: one.askedBy,
      asked_at: one.askedAt.toISOString(),
      approved_by: one.approvedBy,
      taken_until: one.takenUntil?.toISOString() ?? null,
    })),
})

const keysExportAsk = operatorCall({
  path: 'console/keys/export/ask',
  summary: 'Ask for a file of the keys of a batch that are kept back',
  description:
    'Somebody else approves it, and owners are told. Up to 50,000 keys; what is free is kept back first.',
  body: z.strictObject({ batch: rowId, reason: z.string().trim().min(3).max(300) }),
  data: z.object({ id: publicId, waits: publicId.nullable() }),
  example: { batch: BATCH, reason: 'Back to the supplier, case C-2291.' },
  answer: async ({ ctx }, given) => askForKeyExport(ctx, given),
})

const keysExportTake = operatorCall({
  path: 'console/keys/export/take',
  summary: 'Take a file of keys: once, within the hour, as whoever asked for it',
  body: z.strictObject({ id: publicId }),
  data: z.object({}),
  file: CSV,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx, services }, { id }) {
    const { name, chunks } = await giveOutKeys(ctx, services.vault, id)
    return new StreamedFile(name, CSV, chunks)
  },
})

export const KEY_EXPORT_CALLS = [keysExports, keysExportAsk, keysExportTake] as const
