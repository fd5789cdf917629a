import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { CatalogueFiles } from '#features/goods/transfer/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { CSV_MARK, csvRow } from '#kernel/csv.ts'
import { toMajor } from '#kernel/money.ts'
import { transaction } from '#platform/ctx.ts'
import { createTurns } from '#platform/turns.ts'
import { beginMaking, endFile, noteStep, storeFilePiece } from '../commands.ts'
import { TABLE_COLUMNS, type TableColumn } from '../engine/table.ts'
import { ZipWriter } from '../engine/zip.ts'
import { countItems, readTableItems, type TableItem } from '../queries.ts'
import { PIECE_BYTES, type GoodsFile } from '../rules.ts'

const ROWS_AT_ONCE = 2_000

/** Writes pieces of about the same length, whatever they are given by. */
class Pieces {
  readonly #ctx: OperatorCtx
  readonly #file: GoodsFile
  #held: Uint8Array[] = []
  #length = 0
  #no = 0

  constructor(ctx: OperatorCtx, file: GoodsFile) {
    this.#ctx = ctx
    this.#file = file
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#held.push(bytes)
    this.#length += bytes.length
    if (this.#length >= PIECE_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const all = Buffer.concat(this.#held)
    this.#held = []
    this.#length = 0
    for (let start = 0; start < all.length; start += 4 * PIECE_BYTES) {
      await storeFilePiece(
        this.#ctx,
        this.#file,
        this.#no,
        all.subarray(start, start + 4 * PIECE_BYTES),
      )
      this.#no += 1
    }
  }
}

/** Every item of the shop as a line; what imports read again changes nothing. What goods cost is for those who may see it. */
export async function makeTable(ctx: OperatorCtx, file: GoodsFile, signal: AbortSignal) {
  const maySeeCost = mayDo(ctx.operator, 'price.read')
  if (!(await beginMaking(ctx, file, maySeeCost))) return
  const digits = new Map((await listCurrencies(ctx.db)).map((one) => [one.code, one.minorUnits]))
  const columns = TABLE_COLUMNS.filter((name) => maySeeCost || name !== 'cost')
  const pieces = new Pieces(ctx, file)
  const steps = Math.ceil((await countItems(ctx.db)) / ROWS_AT_ONCE) + 1
  await pieces.add(Buffer.from(CSV_MARK + csvRow(columns)))
  let [after, lines] = ['', 0]
  for (let step = 1; ; step += 1) {
    if (signal.aborted) return
    const items = await readTableItems(ctx.db, after, ROWS_AT_ONCE)
    const rows = items.map((item) => csvRow(columns.map((name) => cellOf(item, name, digits))))
    if (rows.length > 0) await pieces.add(Buffer.from(rows.join('')))
    lines += items.length
    after = items.at(-1)?.code ?? after
    if (!(await noteStep(ctx, file, { step: Math.min(step, steps), steps }))) return
    if (items.length < ROWS_AT_ONCE) break
  }
  await pieces.flush()
  await end(ctx, file, lines)
}

const MONEY: Readonly<Partial<Record<TableColumn, (item: TableItem) => string | null>>> = {
  price: ({ currency }) => currency,
  market: ({ currency }) => currency,
  cost: (item) => item.cost_currency,
  face: (item) => item.face_currency,
}

function cellOf(item: TableItem, name: TableColumn, digits: ReadonlyMap<string, number>): string {
  const value = item[name as keyof TableItem]
  if (value === null || value === '') return ''
  const currency = MONEY[name]?.(item)
  if (!currency) return String(value)
  const text = toMajor(BigInt(value), digits.get(currency) ?? 0)
  return name === 'cost' && currency !== item.currency ? `${currency} ${text}` : text
}

/** The whole catalogue as a folder in an archive, of one moment. */
export async function makeFolder(
  ctx: OperatorCtx,
  file: GoodsFile,
  readCatalogue: (ctx: OperatorCtx) => Promise<CatalogueFiles>,
  signal: AbortSignal,
) {
  if (!(await beginMaking(ctx, file, true))) return
  const { files, count, items } = await readCatalogue(ctx)
  const pieces = new Pieces(ctx, file)
  const zip = new ZipWriter()
  const giveWay = createTurns()
  let step = 0
  for (const { path, text } of files) {
    if (signal.aborted) return
    await pieces.add(zip.add({ path, bytes: Buffer.from(text) }))
    step += 1
    await giveWay()
    if (step % 100 !== 0) continue
    if (!(await noteStep(ctx, file, { step, steps: count }))) return
  }
  await pieces.add(zip.end())
  await pieces.flush()
  await end(ctx, file, items)
}

const end = (ctx: OperatorCtx, file: GoodsFile, lines: number) =>
  transaction(ctx, (tx, now) => endFile(tx, now, file, { state: 'done', report: { lines } }))
