import { setTimeout as sleep } from 'node:timers/promises'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import {
  activateKey,
  announceReader,
  closeBatch,
  fingerprintOf,
  forgetReader,
  openBatches,
  registerVaultKeys,
  sealKeys,
  storeKeys,
  type NewKey,
  type Reader,
  type SealedKey,
} from './commands.ts'
import type { Vault } from './engine/vault.ts'
import { cellsOf, linesOf, separatorOf } from './engine/lines.ts'
import { hasOlder, rewrapAll } from './write/keyring.ts'
import { countKnown, findStockable, getFormat, type Stockable } from './queries.ts'
import { columnsOf, lastCharacters, readKeyLine, type KeyLine, type LineFault } from './rules.ts'

export { findByCode } from './flow/find.ts'

export interface ImportedKeys {
  /** Names what came in together: the audit trail does, and withdrawing it. */
  readonly batchId: string
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
  /** So many new keys are taken, and no more: the file was counted before. */
  readonly most?: number
}

const KEYS_AT_ONCE = 500
const FAULTS_SHOWN = 50
const SAMPLES_SHOWN = 3

/**
 * Reads keys from a file as it streams in, encrypts each and puts it into stock, some hundred in a transaction. Run again after
 * an interruption it goes on: what is there already counts as a duplicate. Throws 'not_found' for an item that is not sold as a key.
 */
export async function importKeys(ctx: Ctx, vault: Vault, file: KeyFile): Promise<ImportedKeys> {
  const stockable = await findStockable(ctx.db, file.itemCode)
  if (!stockable) throw new AppError('not_found')
  const kekId = file.isDryRun ? 0 : await registerVaultKeys(ctx, vault)
  const batchId = ctx.newId()
  const counts = { imported: 0, duplicates: 0, refused: 0 }
  const faults: { line: number; fault: LineFault; part?: string }[] = []
  const samples: string[] = []
  const seen = new Set<string>()
  const store = file.isDryRun
    ? dryRun(ctx, stockable, seen)
    : stockingInto(ctx, { vault, kekId }, stockable, batchId, file.fileName)
  let waiting: KeyLine[] = []
  const { most = Infinity } = file
  const countNew = dryRun(ctx, stockable, seen)
  const flush = async () => {
    const imported = await store(waiting.slice(0, most - counts.imported))
    const left = waiting.slice(most - counts.imported)
    // What has come into the file since is not taken.
    const refused = left.length > 0 ? await countNew(left) : 0
    counts.imported += imported
    counts.refused += refused
    counts.duplicates += waiting.length - imported - refused
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
  return { batchId, ...counts, faults, samples }
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
  wrapping: { readonly vault: Vault; readonly kekId: number },
  stockable: Stockable,
  batchId: string,
  fileName: string,
): (lines: readonly KeyLine[]) => Promise<number> {
  const stocking = { ...stockable, batchId }
  return async (lines) => {
    const fresh = lines.map((line) => ({ stocking, line }))
    const rows = await sealKeys(ctx, wrapping, fresh)
    return transaction(ctx, async (tx) => {
      await openBatches(tx, ctx, [{ id: batchId, item: stockable.item, fileName }])
      return storeKeys(tx, rows)
    })
  }
}

/** Encrypts keys of an item from a file, to be stored with what they were bought for; null where a line is none. */
export async function sealLines(
  ctx: Ctx,
  vault: Vault,
  {
    batchId,
    item,
    chunks,
  }: { readonly batchId: string; readonly item: string; readonly chunks: AsyncIterable<string> },
): Promise<SealedKey[] | null> {
  const stockable = await getFormat(ctx.db, item)
  const fresh: NewKey[] = []
  for await (const { read } of readLines(ctx, stockable, chunks)) {
    if ('fault' in read) return null
    fresh.push({ stocking: { ...stockable, batchId }, line: read.key })
  }
  const kekId = await registerVaultKeys(ctx, vault)
  return sealKeys(ctx, { vault, kekId }, fresh)
}

export interface Rotation {
  /** The key that all card keys are under now. */
  readonly keyId: number
  /** Card keys that were under another. */
  readonly count: number
}

export interface RotateOptions {
  /** Adds a newer key to the vault, where all rows are under its newest. */
  readonly addKey: () => void
  readonly waitMs?: number
}

/** Longer than a process takes to notice a new key and to say so. */
const TAKEN_UP_MS = 60_000
const LOOK_MS = 500

/**
 * Puts the vault's newest key into use and wraps every row's key under it, while the shop sells and shows codes. Nothing is wrapped before
 * every process that shows codes can reach the key; a rotation that was interrupted goes on. Throws a refusal when a process does not take
 * the key up in time.
 */
export async function rotateVault(
  ctx: Ctx,
  vault: Vault,
  { addKey, waitMs = TAKEN_UP_MS }: RotateOptions,
): Promise<Rotation> {
  const newest = async () => Math.max(...(await vault.keys()).map(({ id }) => id))
  const before = await registerVaultKeys(ctx, vault)
  if ((await newest()) === before && !(await hasOlder(ctx, before))) {
    addKey()
    await registerVaultKeys(ctx, vault)
  }
  const keyId = await newest()
  for (const until = performance.now() + waitMs; ; await sleep(LOOK_MS)) {
    const lacking = await activateKey(ctx, keyId)
    if (lacking.length === 0) break
    if (performance.now() >= until)
      throw refusal(
        `Nothing was changed: key ${keyId} is not known to ${lacking.join(', ')}. Give it the same VAULT_KEYS (or the same vault.key in its DATA_DIR), start it again, and then rotate.`,
      )
  }
  return { keyId, count: await rewrapAll(ctx, vault, keyId) }
}

/** How often a process looks whether there are new keys, and says which it knows. */
const ANNOUNCED_EVERY_MS = 10_000

/** Says, for as long as a process runs, which keys it can show codes with: `rotateVault` waits for all of them. */
export function keepAnnouncing(
  ctx: Ctx,
  vault: Vault,
  reader: Reader,
  everyMs = ANNOUNCED_EVERY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const work = announce()
  return {
    async stop() {
      stopping.abort()
      await work
    },
  }

  async function announce(): Promise<void> {
    while (!stopping.signal.aborted) {
      await once().catch((error: unknown) =>
        ctx.log.warn('the vault keys here are not told', { error }),
      )
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
    await forgetReader(ctx, reader.id).catch(() => {})
  }

  async function once(): Promise<void> {
    const known = (await vault.keys()).map(({ id }) => id)
    const lacking = await announceReader(ctx, reader, known)
    if (lacking.length > 0)
      ctx.log.error('codes under these keys cannot be shown here: VAULT_KEYS lacks them', {
        lacking,
      })
  }
}

export interface FileOfKeys extends Omit<KeyFile, 'chunks' | 'most'> {
  /** Reads it from its beginning: it is counted before it is taken. */
  readonly open: () => Promise<AsyncIterable<string>>
  /** Counts what is new in it against what the operator may take alone. Throws where that is more. */
  readonly askLeave: (
    ctx: OperatorCtx,
    file: { readonly itemCode: string; readonly fileName: string; readonly fresh: number },
  ) => Promise<void>
}

/**
 * Puts a file of keys into stock, as `importKeys` does; a dry run leaves no trace. Its new keys count as those that the console takes do:
 * throws with nothing taken where they are more than the operator may take alone, and 'not_found' as `importKeys` does.
 */
export async function importKeysByOperator(
  ctx: OperatorCtx,
  vault: Vault,
  { open, askLeave, ...file }: FileOfKeys,
): Promise<ImportedKeys> {
  requirePermission(ctx, 'key.import')
  const counted = await importKeys(ctx, vault, { ...file, chunks: await open(), isDryRun: true })
  if (file.isDryRun) return counted
  const { itemCode, fileName } = file
  const { imported: fresh } = counted
  if (fresh > 0) await askLeave(ctx, { itemCode, fileName, fresh })
  const report = await importKeys(ctx, vault, { ...file, chunks: await open(), most: fresh })
  const { imported, duplicates, refused, batchId } = report
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'import',
        subject: 'key_batch',
        subjectCode: batchId,
        before: null,
        after: { item: itemCode, file: fileName, imported, duplicates, refused },
      },
    ]),
  )
  return report
}

/** Wraps all card keys under the newest key-encryption key, as `rotateVault` does. */
export async function rotateVaultByOperator(
  ctx: OperatorCtx,
  vault: Vault,
  options: RotateOptions,
): Promise<Rotation> {
  requirePermission(ctx, 'system.manage')
  const rotation = await rotateVault(ctx, vault, options)
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'rotate',
        subject: 'key_encryption_key',
        subjectCode: String(rotation.keyId),
        before: null,
        after: { keys: rotation.count },
      },
    ]),
  )
  return rotation
}
