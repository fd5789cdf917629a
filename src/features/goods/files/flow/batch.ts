import { makeGoods, tryGoods } from '#features/goods/making/commands.ts'
import type { MadeEffect } from '#features/goods/making/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import {
  brandOf,
  documentOf,
  type RowsDocument,
  type RowTerms,
  type Standing,
} from '../engine/rows.ts'
import { faultAt, type TableRow } from '../engine/table.ts'
import { readStanding } from '../queries.ts'
import type { FileFault } from '../rules.ts'

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

/**
 * What new items of a batch come to. Lines at fault are told and left out until nothing is wrong with the rest.
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
  for (;;) {
    const standing = await standingFor(ctx, rows)
    const documents = [...Map.groupBy(rows, (row) => brandOf(row, standing))].flatMap(
      ([brand, own]) => documentOf(brand, own, standing, terms, faults) ?? [],
    )
    if (documents.length === 0) return null
    const additions = documents.map(({ document }) => document)
    const effect = await tryGoods(ctx, { additions, isOnSale })
    if (effect.faults.length === 0) return { documents, effect }
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
    rows = documents.flatMap((one) => one.rows).filter((row) => !wrong.has(row))
    if (rows.length === 0) return null
  }
}

/** Makes a batch as it has just been worked out, once. */
export async function makeBatch(
  ctx: OperatorCtx,
  { documents, effect }: Batch,
  given: { readonly publicId: string; readonly fileName: string; readonly isOnSale: boolean },
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
