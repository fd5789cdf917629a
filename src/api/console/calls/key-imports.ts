import { z } from 'zod'
import { cancelImport, takeImport } from '#features/buying/key-import/commands.ts'
import { receiveImport } from '#features/buying/key-import/flows.ts'
import { getImport, listFaults, listImports } from '#features/buying/key-import/queries.ts'
import {
  IMPORT_FAULTS,
  IMPORT_STATUSES,
  type KeyImport,
} from '#features/buying/key-import/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { amountShape, itemCode, rowId, supplierName } from './key-shapes.ts'
import { moment, nothing, publicId } from './shapes.ts'

const LISTED = 50
const FAULTS_A_PAGE = 1_000
const count = z.int()

const importShape = z.object({
  id: rowId,
  item: itemCode,
  status: z.enum(IMPORT_STATUSES),
  file: z.string(),
  supplier: z.string().nullable(),
  cost: amountShape.nullable(),
  expires_on: z.string().nullable(),
  lines: count,
  checked_lines: count,
  fresh: count,
  known: count,
  doubled: count,
  malformed: count,
  expired: count,
  taken_lines: count,
  taken: count,
  skipped: count,
  batch: rowId.nullable(),
  at: moment,
  by: z.string(),
  changed: moment,
})

const importView = (one: KeyImport): z.input<typeof importShape> => ({
  id: one.id,
  item: one.itemCode,
  status: one.status,
  file: one.fileName,
  supplier: one.supplier,
  cost: one.cost && { currency: one.cost.currency, minor: one.cost.minor.toString() },
  expires_on: one.expiresOn,
  lines: one.lines,
  checked_lines: one.checkedLines,
  fresh: one.fresh,
  known: one.known,
  doubled: one.doubled,
  malformed: one.malformed,
  expired: one.expired,
  taken_lines: one.takenLines,
  taken: one.taken,
  skipped: one.skipped,
  batch: one.batch,
  at: one.createdAt.toISOString(),
  by: one.createdBy,
  changed: one.updatedAt.toISOString(),
})

const keysImports = operatorCall({
  path: 'console/keys/imports',
  summary: 'Imports of card keys, newest first, with how far each has come',
  body: z.object({ item: itemCode.optional() }),
  data: z.array(importShape),
  example: {},
  answer: async ({ ctx }, { item }) =>
    (await listImports(ctx.db, { itemCode: item, limit: LISTED })).map(importView),
})

const keysImport = operatorCall({
  path: 'console/keys/import',
  summary: 'How far an import has come, and what it found',
  body: z.object({ id: rowId }),
  data: importShape,
  example: { id: '019abc00-0000-7000-8000-000000000003' },
  answer: async ({ ctx }, { id }) => importView(await getImport(ctx.db, id)),
})

const keysImportFaults = operatorCall({
  path: 'console/keys/import/faults',
  summary: 'What is wrong with which lines, by their numbers alone',
  description: 'The first 10,000 of an import, a thousand at a time: those after the line `after`.',
  body: z.object({ id: rowId, after: z.coerce.number().int().min(0).optional() }),
  data: z.array(
    z.object({
      line: count,
      fault: z.enum(IMPORT_FAULTS),
      part: z.string().nullable(),
      same_as: count.nullable(),
    }),
  ),
  example: { id: '019abc00-0000-7000-8000-000000000003' },
  async answer({ ctx }, { id, after }) {
    const faults = await listFaults(ctx.db, id, after ?? 0, FAULTS_A_PAGE)
    return faults.map(({ line, fault, part, sameAs }) => ({ line, fault, part, same_as: sameAs }))
  },
})

const keysImportUpload = operatorCall({
  path: 'console/keys/import/upload',
  summary: 'Send a file of card keys; it is looked through, and nothing is in stock yet',
  description:
    'One key a line, in the columns of its brand, with the day of expiry at the end where there is one; UTF-8, or UTF-16 by its mark; up to 256 MiB. Of a brand whose keys are pictures, a ZIP of them as well. The body is the file, whatever its type.',
  takesFile: true,
  body: z.object({
    item: itemCode,
    file: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    supplier: supplierName.optional(),
    cost_minor: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
    cost_currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    expires_on: z.string().max(10).optional(),
  }),
  data: z.object({ id: rowId }),
  example: { item: 'card:steam:us:20', file: 'steam-us-20-nov.csv' },
  async answer({ ctx, services, file }, given) {
    const { cost_minor: minor, cost_currency: currency } = given
    if ((minor === undefined) !== (currency === undefined))
      throw fieldError(minor === undefined ? 'cost_minor' : 'cost_currency', 'required')
    if (!file) throw fieldError('file', 'required')
    const id = await receiveImport(ctx, services.vault, {
      itemCode: given.item,
      fileName: given.file,
      supplier: given.supplier ?? null,
      cost:
        minor === undefined || currency === undefined ? null : { minor: BigInt(minor), currency },
      expiresOn: given.expires_on ?? null,
      ...file,
    })
    return { id }
  },
})

const keysImportTake = operatorCall({
  path: 'console/keys/import/take',
  summary: 'Put the new keys of an import into stock',
  description:
    '`fresh` is how many new keys the look has found. Above the shop’s limit it waits for a second person: `waits` names what they approve.',
  body: z.strictObject({ id: rowId, fresh: z.int().min(1) }),
  data: z.object({ waits: publicId.nullable() }),
  example: { id: '019abc00-0000-7000-8000-000000000003', fresh: 2_000 },
  answer: async ({ ctx }, given) => ({ waits: await takeImport(ctx, given) }),
})

const keysImportCancel = operatorCall({
  path: 'console/keys/import/cancel',
  summary: 'End an import; keys that have come into stock stay there',
  body: z.strictObject({ id: rowId }),
  data: nothing,
  example: { id: '019abc00-0000-7000-8000-000000000003' },
  async answer({ ctx }, { id }) {
    await cancelImport(ctx, id)
    return {}
  },
})

export const IMPORT_CALLS = [
  keysImports,
  keysImport,
  keysImportFaults,
  keysImportUpload,
  keysImportTake,
  keysImportCancel,
] as const
