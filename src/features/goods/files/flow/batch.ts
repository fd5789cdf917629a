import { makeGoods, tryGoods } from '#features/goods/making/commands.ts'
import type { MadeEffect } from '#features/goods/making/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { isAppError } from '#kernel/error.ts'
import {
  brandOf,
  documentOf,
  type RowsDocument,
  type RowTerms,
  type Standing,
} from '../engine/rows.ts'
import { faultAt, type TableRow } from '../engine/table.ts'
import { readStanding } from '../queries.ts'
import { TRIES_OF_PART, type FileFault, type GoodsFile } from '../rules.ts'

/** New items of so many lines are made in one transaction. */
const ROWS_A_BATCH = 500

export interface Batch {
  readonly documents: readonly RowsDocument[]
  readonly effect: MadeEffect
}

/** Lines of new items, brand by brand, a batch at a time; what one brand has too many of goes into the next. */
export function batchesOf(rows: readonly TableRow[], standing: Standing): TableRow[][] {
  const batches: TableRow[][] = []
  let open: TableRow[] = []
  for (const own of Map.groupBy(rows, (row) => brandOf(row, standing)).values())
    for (let start = 0; start < own.length; start += ROWS_A_BATCH) {
      const some = own.slice(start, start + ROWS_A_BATCH)
      if (open.length + some.length > ROWS_A_BATCH && open.length > 0) {
        batches.push(open)
        open = []
      }
      open.push(...some)
    }
  if (open.length > 0) batches.push(open)
  return batches
}

export const standingFor = (ctx: OperatorCtx, rows: readonly TableRow[]): Promise<Standing> =>
  readStanding(
    ctx.db,
    rows.flatMap(({ cells }) => cells.product ?? []),
    rows.flatMap(({ cells, code }) => cells.brand ?? code.split(':')[1] ?? []),
  )

type Tried = Batch & { readonly wrong: ReadonlySet<TableRow> }

/** @returns null where no line can be read */
async function tryRows(
  ctx: OperatorCtx,
  rows: readonly TableRow[],
  terms: RowTerms,
  isOnSale: boolean,
  faults: FileFault[],
): Promise<Tried | null> {
  const standing = await standingFor(ctx, rows)
  const documents = [...Map.groupBy(rows, (row) => brandOf(row, standing))].flatMap(
    ([brand, own]) => documentOf(brand, own, standing, terms, faults) ?? [],
  )
  if (documents.length === 0) return null
  const additions = documents.map(({ document }) => document)
  const effect = await tryGoods(ctx, { additions, isOnSale })
  const wrong = new Set<TableRow>()
  for (const { at, path, reason, why } of effect.faults) {
    const found = documents[at]?.lineAt(path)
    // What cannot be told by its line takes its whole brand along.
    if (!found) for (const row of documents[at]?.rows ?? []) wrong.add(row)
    else {
      const { row, column } = found
      const shown = row.cells[column as keyof TableRow['cells']] ?? ''
      faults.push(faultAt(row.line, column, shown, reason, why))
      // Where brand or product are at fault, so is all that is new in them.
      const isItem = /^products\[\d+\]\.items/.test(path)
      for (const one of isItem ? [row] : (documents[at]?.rows ?? [])) wrong.add(one)
    }
  }
  return { documents, effect, wrong }
}

/**
 * What new items of a batch come to. Lines at fault are told and left out until nothing is wrong with the rest; a brand is tried again by
 * itself until then, so that one with many faults costs the others nothing.
 * @returns null where nothing is left
 */
export async function planBatch(
  ctx: OperatorCtx,
  given: readonly TableRow[],
  terms: RowTerms,
  isOnSale: boolean,
  faults: FileFault[],
): Promise<Batch | null> {
  let rows = given
  while (rows.length > 0) {
    const tried = await tryRows(ctx, rows, terms, isOnSale, faults)
    if (!tried || tried.effect.faults.length === 0) return tried
    const { documents, wrong } = tried
    if (wrong.size === 0) return null
    const isHurt = (one: RowsDocument) => one.rows.some((row) => wrong.has(row))
    const sound = rowsOf(documents.filter((one) => !isHurt(one)))
    const hurt = rowsOf(documents.filter(isHurt)).filter((row) => !wrong.has(row))
    const mended = await planBatch(ctx, hurt, terms, isOnSale, faults)
    if (sound.length === 0) return mended
    rows = [...sound, ...rowsOf(mended?.documents ?? [])]
  }
  return null
}

const rowsOf = (documents: readonly RowsDocument[]) => documents.flatMap(({ rows }) => rows)

type GivenBatch = Pick<GoodsFile, 'publicId' | 'fileName' | 'isOnSale'>

/**
 * Makes new items of a batch. Where somebody else has changed meanwhile what they come to, it is worked out anew, and then in halves; a line
 * that always loses its turn is left out.
 */
export async function takeBatch(
  ctx: OperatorCtx,
  rows: readonly TableRow[],
  terms: RowTerms,
  given: GivenBatch,
  tries = TRIES_OF_PART,
): Promise<void> {
  const batch = await planBatch(ctx, rows, terms, given.isOnSale, [])
  if (!batch) return
  try {
    await makeBatch(ctx, batch, given)
  } catch (error) {
    if (!isOvertaken(error)) throw error
    if (tries > 1) return takeBatch(ctx, rows, terms, given, tries - 1)
    const left = rowsOf(batch.documents)
    if (left.length === 1) return
    const middle = Math.ceil(left.length / 2)
    await takeBatch(ctx, left.slice(0, middle), terms, given)
    await takeBatch(ctx, left.slice(middle), terms, given)
  }
}

/** What was right a moment ago has another effect by now, or is refused: its code is taken. */
const isOvertaken = (error: unknown) =>
  isAppError(error) && (error.code === 'changed_meanwhile' || error.code === 'check_fields')

/** Makes a batch as it has just been worked out, once. */
async function makeBatch(
  ctx: OperatorCtx,
  { documents, effect }: Batch,
  given: GivenBatch,
): Promise<void> {
  await makeGoods(ctx, {
    additions: documents.map(({ document }) => document),
    isOnSale: given.isOnSale,
    hash: effect.hash,
    kind: 'import',
    note: given.fileName,
    key: `${given.publicId}-${effect.hash.slice(0, 22)}`,
  })
}
