import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { VaultKeys } from '#platform/vault-keys.ts'
import { closeBatch, fingerprintOf, openBatches, registerVaultKeys, stockKeys } from './commands.ts'
import { cellsOf, linesOf, separatorOf } from './engine/lines.ts'
import { countKnown, findStockable, type Stockable } from './queries.ts'
import { columnsOf, lastCharacters, readKeyLine, type KeyLine, type LineFault } from './rules.ts'

export interface ImportedKeys {
  readonly imported: number
  readonly duplicates: number
  readonly refused: number
  /** The first refused lines, counted from 1, with what is wrong; never what stands in them. */
  readonly faults: readonly {
    readonly line: number
    readonly fault: LineFault
    readonly part?: string
  }[]
  /** Last characters of the first few keys, for a look whether the right file was taken. */
  readonly samples: readonly string[]
}

export interface KeyFile {
  readonly itemCode: string
  readonly fileName: string
  readonly chunks: AsyncIterable<string>
  /** Reads and counts, and changes nothing. */
  readonly isDryRun: boolean
}

const KEYS_AT_ONCE = 500
const FAULTS_SHOWN = 50
const SAMPLES_SHOWN = 3

/**
 * Reads keys from a file as it streams in, encrypts each and puts it into stock, some hundred in a transaction. Run again after
 * an interruption it goes on: what is there already counts as a duplicate. Throws 'not_found' for an item that is not sold as a key.
 */
export async function importKeys(ctx: Ctx, keys: VaultKeys, file: KeyFile): Promise<ImportedKeys> {
  const stockable = await findStockable(ctx.db, file.itemCode)
  if (!stockable) throw new AppError('not_found')
  if (!file.isDryRun) await registerVaultKeys(ctx, keys)
  const batchId = ctx.newId()
  const counts = { imported: 0, duplicates: 0, refused: 0 }
  const faults: { line: number; fault: LineFault; part?: string }[] = []
  const samples: string[] = []
  const seen = new Set<string>()
  const store = file.isDryRun
    ? dryRun(ctx, stockable, seen)
    : stockingInto(ctx, keys, stockable, batchId, file.fileName)
  let waiting: KeyLine[] = []
  const flush = async () => {
    const imported = await store(waiting)
    counts.imported += imported
    counts.duplicates += waiting.length - imported
    waiting = []
  }
  for await (const { line, read } of readLines(ctx, stockable, file.chunks)) {
    if ('fault' in read) {
      counts.refused += 1
      if (faults.length < FAULTS_SHOWN) faults.push({ line, ...read })
      continue
    }
    if (samples.length < SAMPLES_SHOWN)
      samples.push(lastCharacters(stockable.format, read.key.parts))
    waiting.push(read.key)
    if (waiting.length >= KEYS_AT_ONCE) await flush()
  }
  await flush()
  if (!file.isDryRun) await closeBatch(ctx, batchId, counts)
  return { ...counts, faults, samples }
}

async function* readLines(ctx: Ctx, { format }: Stockable, chunks: AsyncIterable<string>) {
  const today = dayOf(ctx.now())
  let line = 0
  let layout: { separator: string; columns: readonly string[] } | null = null
  for await (const text of linesOf(chunks)) {
    line += 1
    if (text.trim() === '') continue
    if (!layout) {
      const separator = separatorOf(text)
      const { columns, isHeader } = columnsOf(cellsOf(text, separator), format)
      layout = { separator, columns }
      if (isHeader) continue
    }
    yield {
      line,
      read: readKeyLine(cellsOf(text, layout.separator), layout.columns, format, today),
    }
  }
}

/** Counts what would be new, within the file as well. */
function dryRun(
  ctx: Ctx,
  stockable: Stockable,
  seen: Set<string>,
): (lines: readonly KeyLine[]) => Promise<number> {
  return async (lines) => {
    const fresh = lines
      .map(({ parts }) => fingerprintOf(ctx, stockable, parts))
      .filter((fingerprint) => {
        const text = fingerprint.toString('base64')
        return seen.has(text) ? false : Boolean(seen.add(text))
      })
    return fresh.length - (await countKnown(ctx.db, fresh))
  }
}

function stockingInto(
  ctx: Ctx,
  keys: VaultKeys,
  stockable: Stockable,
  batchId: string,
  fileName: string,
): (lines: readonly KeyLine[]) => Promise<number> {
  return (lines) =>
    transaction(ctx, async (tx) => {
      await openBatches(tx, ctx, [{ id: batchId, item: stockable.item, fileName }])
      return stockKeys(tx, ctx, keys, { ...stockable, batchId }, lines)
    })
}
