import { z } from 'zod'
import { decimalMark } from '#features/goods/editing/engine/cells.ts'
import { beginFile, cancelFile, takeAway, takeFile } from '#features/goods/files/commands.ts'
import { receiveGoodsFile } from '#features/goods/files/flows.ts'
import {
  getGoodsFile,
  listFileFaults,
  listGoodsFiles,
  readFilePiece,
} from '#features/goods/files/queries.ts'
import {
  FILE_FAILURES,
  FILE_KINDS,
  FILE_STATES,
  type GoodsFile,
} from '#features/goods/files/rules.ts'
import { fieldError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { HASH, madeShape } from './goods-shapes.ts'
import { moment, nothing, publicId } from './shapes.ts'

const LISTED = 50
const ID = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const count = z.number()
const fileShape = z.object({
  id: publicId,
  kind: z.enum(FILE_KINDS),
  state: z.enum(FILE_STATES),
  file: z.string(),
  step: count,
  steps: count,
  report: z
    .object({
      lines: count,
      brands: count,
      products: count,
      items: count,
      changed: count,
      suspended: count,
      faults: count,
      left: count,
      is_moved: z.boolean(),
      done: z
        .object({ made: count, changed: count, waits: count, left: count })
        .nullable()
        .meta({ description: 'What came of it, once it is done' }),
    })
    .meta({ description: 'What the look has found: what would be made and changed' }),
  hash: z.string().nullable(),
  failure: z.enum(FILE_FAILURES).nullable(),
  asked: moment,
  finished: moment.nullable(),
})

const fileView = ({ report, ...file }: GoodsFile): z.input<typeof fileShape> => ({
  id: file.publicId,
  kind: file.kind,
  state: file.state,
  file: file.fileName,
  step: file.step,
  steps: file.steps,
  report: {
    lines: report.lines ?? 0,
    brands: report.brands ?? 0,
    products: report.products ?? 0,
    items: report.items ?? 0,
    changed: report.changed ?? 0,
    suspended: report.suspended ?? 0,
    faults: report.faults ?? 0,
    left: report.left ?? 0,
    is_moved: report.isMoved ?? false,
    done: report.done ?? null,
  },
  hash: file.hash,
  failure: file.failure,
  asked: file.askedAt.toISOString(),
  finished: file.finishedAt?.toISOString() ?? null,
})

const goodsFiles = operatorCall({
  path: 'console/goods/files',
  summary: 'Files of goods that were sent or asked for, newest first; each is kept a week',
  body: z.object({}),
  data: z.array(fileShape),
  example: {},
  answer: async ({ ctx }) => (await listGoodsFiles(ctx.db, LISTED)).map(fileView),
})

const goodsFile = operatorCall({
  path: 'console/goods/file',
  summary: 'How far a file of goods has come, and what is wrong with which of its lines',
  description: 'The first thousand faults, by line and column of a table or by place of a folder.',
  body: z.object({ id: publicId }),
  data: fileShape.extend({
    faults: z.array(
      z.object({
        line: z.number().nullable(),
        place: z.string(),
        shown: z.string(),
        reason: z.string().nullable(),
        msg: z.string(),
        why: z.string().nullable(),
      }),
    ),
  }),
  example: { id: ID },
  async answer({ ctx, t }, { id }) {
    const file = await getGoodsFile(ctx.db, id)
    const faults = await listFileFaults(ctx.db, file.id)
    return {
      ...fileView(file),
      faults: faults.map((fault) => ({
        ...fault,
        msg: fault.reason === null ? (fault.why ?? '') : t(`error.field.${fault.reason}`),
      })),
    }
  },
})

const fileName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

const goodsFileSend = operatorCall({
  path: 'console/goods/file/send',
  summary:
    'Send a table of items or a catalogue folder; it is looked through, and nothing changes yet',
  description:
    'A table (`csv_in`) names its columns in the first line; UTF-8 or UTF-16, cells parted by commas, semicolons or tabs. A folder (`folder_in`) comes as a ZIP. Up to 64 MiB. The body is the file, whatever its type.',
  takesFile: true,
  body: z.object({
    kind: z.enum(['csv_in', 'folder_in']),
    file: fileName,
    mark: z.enum(['.', ',']).optional().meta({
      description: 'What stands before a fraction; else as the operator’s language has it',
    }),
    on_sale: z.literal('1').optional().meta({
      description: 'New goods of a table are on sale at once; else they are drafts',
    }),
  }),
  data: z.object({ id: publicId }),
  example: { kind: 'csv_in', file: 'prices.csv' },
  async answer({ ctx, language, file }, given) {
    if (!file) throw fieldError('file', 'required')
    const id = await receiveGoodsFile(ctx, {
      kind: given.kind,
      fileName: given.file,
      mark: given.mark ?? (decimalMark(language) === ',' ? ',' : '.'),
      isOnSale: given.on_sale !== undefined,
      ...file,
    })
    return { id }
  },
})

const goodsFileTake = operatorCall({
  path: 'console/goods/file/take',
  summary: 'Do what the look of a file has told',
  description:
    'The worker does it. Where something has moved since, nothing is done, and the file is looked through anew.',
  body: z.strictObject({ id: publicId, hash: madeShape.hash }),
  data: nothing,
  example: { id: ID, hash: HASH },
  async answer({ ctx }, { id, hash }) {
    await takeFile(ctx, { publicId: id, hash })
    return {}
  },
})

const goodsFileCancel = operatorCall({
  path: 'console/goods/file/cancel',
  summary: 'End a file of goods; what is done of it stays done',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: ID },
  async answer({ ctx }, { id }) {
    await cancelFile(ctx, id)
    return {}
  },
})

const goodsFileMake = operatorCall({
  path: 'console/goods/file/make',
  summary: 'Ask for all goods as a table of items or as a catalogue folder',
  description: 'The worker makes it. Costs are in the table of those who may see them.',
  body: z.strictObject({ kind: z.enum(['csv_out', 'folder_out']) }),
  data: z.object({ id: publicId }),
  example: { kind: 'csv_out' },
  async answer({ ctx }, { kind }) {
    const day = ctx.now().toISOString().slice(0, 10)
    const name = kind === 'csv_out' ? `items-${day}.csv` : `catalogue-${day}.zip`
    const { publicId: id } = await beginFile(ctx, {
      kind,
      fileName: name,
      mark: null,
      isOnSale: false,
    })
    return { id }
  },
})

const goodsFileOut = operatorCall({
  path: 'console/goods/file/out',
  summary: 'A file of goods that is done, as CSV or ZIP',
  description: 'A file that is sent again as it is changes nothing.',
  body: z.object({ id: publicId }),
  data: z.object({}),
  file: 'text/csv; charset=utf-8',
  example: { id: ID },
  async answer({ ctx }, given) {
    const file = await takeAway(ctx, given.id)
    return new StreamedFile(
      file.fileName,
      file.kind === 'csv_out' ? 'text/csv; charset=utf-8' : 'application/zip',
      piecesOf(ctx.db, file),
    )
  },
})

async function* piecesOf(db: Db, { id, pieces }: GoodsFile): AsyncGenerator<Uint8Array> {
  for (let no = 0; no < pieces; no += 1) yield readFilePiece(db, id, no)
}

export const GOODS_FILES_CALLS = [
  goodsFiles,
  goodsFile,
  goodsFileSend,
  goodsFileTake,
  goodsFileCancel,
  goodsFileMake,
  goodsFileOut,
] as const
