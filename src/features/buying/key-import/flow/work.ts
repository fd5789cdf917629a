import {
  fingerprintOf,
  openFileKey,
  openPiece,
  registerVaultKeys,
  sealKeys,
  type SealedKey,
} from '#features/buying/vault/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { layoutOf, readLine, type LineLayout } from '#features/buying/vault/engine/read-line.ts'
import { getFormat, listKnown, type Stockable } from '#features/buying/vault/queries.ts'
import type { KeyLine } from '#features/buying/vault/rules.ts'
import { dayOf } from '#kernel/day.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createTurns } from '#platform/turns.ts'
import {
  endCheck,
  endTaking,
  failImport,
  noteChecked,
  restartCheck,
  storeTaken,
  type FoundFault,
} from '../commands.ts'
import { SeenLines } from '../engine/seen-lines.ts'
import { findPiece, findWork, type Work } from '../queries.ts'

/** Sealed at once: what else the process does never waits long for them. */
const KEYS_AT_ONCE = 250

/** What a process knows of an import that it has begun with. */
interface Opened {
  readonly fileKey: Uint8Array
  readonly stockable: Stockable
  readonly layout: LineLayout
  /** Of a look: which lines were met. Null where another process had begun it. */
  readonly seen: SeenLines | null
  /** The next piece, sealed while the one before is stored. */
  ahead: { readonly no: number; readonly sealed: Promise<SealedPiece | null> } | null
}

interface SealedPiece {
  readonly no: number
  readonly lines: number
  readonly keys: readonly SealedKey[]
}

export interface ImportWorker {
  /** Goes on with every import that waits for the program, until there is none or it is told to stop. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** Looks through imports and takes them, a piece at a time. Each piece is one transaction: a process that dies loses no more than that. */
export function createImportWorker(ctx: Ctx, vault: Vault): ImportWorker {
  const opened = new Map<string, Opened>()
  return {
    async run(signal) {
      while (!signal.aborted) {
        const work = await findWork(ctx.db)
        if (!work) break
        await tried(ctx, vault, work, opened)
      }
      opened.clear()
    },
  }
}

/** What cannot be opened any more, as its key is another one now, ends; it keeps no other import waiting. */
async function tried(
  ctx: Ctx,
  vault: Vault,
  work: Work,
  opened: Map<string, Opened>,
): Promise<void> {
  try {
    await step(ctx, vault, work, opened)
  } catch (error) {
    opened.delete(`${work.status} ${work.id}`)
    if (!(error instanceof UnreadableFile)) throw error
    ctx.log.error('an import cannot be opened', { import: work.id, error })
    await failImport(ctx, work.id)
  }
}

class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

async function step(
  ctx: Ctx,
  vault: Vault,
  work: Work,
  opened: Map<string, Opened>,
): Promise<void> {
  const name = `${work.status} ${work.id}`
  if (work.next >= work.chunks) {
    opened.delete(name)
    await (work.status === 'checking' ? endCheck(ctx, work.id) : endTaking(ctx, work.id))
    return
  }
  const known = opened.get(name) ?? (await open(ctx, vault, work))
  if (!known) return
  opened.set(name, known)
  if (work.status === 'taking') return take(ctx, vault, work, known)
  if (known.seen) return check(ctx, work, known, known.seen)
  opened.delete(name)
  await restartCheck(ctx, work.id)
}

/** Null where it was cancelled at this moment. */
async function open(ctx: Ctx, vault: Vault, work: Work): Promise<Opened | null> {
  const fileKey = await openFileKey(vault, work, work)
  const stockable = await getFormat(ctx.db, work.item)
  const first = await textOf(ctx, work, fileKey, 0)
  if (first === null) return null
  const firstLine = linesOf(first.text).find((line) => line.trim() !== '') ?? ''
  return {
    fileKey,
    stockable,
    layout: layoutOf(firstLine, stockable.format),
    seen: work.next === 0 ? new SeenLines() : null,
    ahead: null,
  }
}

async function textOf(ctx: Ctx, work: Work, fileKey: Uint8Array, no: number) {
  const piece = await findPiece(ctx.db, work.id, no)
  if (!piece) return null
  try {
    return { ...piece, text: openPiece(fileKey, work, no, piece) }
  } catch (error) {
    throw new UnreadableFile('', { cause: error })
  }
}

const linesOf = (text: string) => text.split(/\r?\n/)

type Read =
  | { readonly line: number; readonly key: KeyLine }
  | (FoundFault & { readonly key?: undefined })

/** The keys of a piece, and lines that are none, each by its number. */
async function readPiece(ctx: Ctx, work: Work, { fileKey, stockable, layout }: Opened, no: number) {
  const piece = await textOf(ctx, work, fileKey, no)
  if (!piece) return null
  const today = dayOf(ctx.now())
  const giveWay = createTurns()
  const read: Read[] = []
  let isHeaderLeft = no === 0 && layout.isHeader
  for (const [index, text] of linesOf(piece.text).entries()) {
    if (text.trim() === '') continue
    if (isHeaderLeft) {
      isHeaderLeft = false
      continue
    }
    const line = piece.firstLine + index
    const found = readLine(text, layout, stockable.format, today)
    if ('fault' in found) read.push({ line, ...found })
    else
      read.push({
        line,
        key: { ...found.key, expiresOn: found.key.expiresOn ?? work.expiresOn },
      })
    await giveWay()
  }
  return { lines: piece.lines, read }
}

async function check(ctx: Ctx, work: Work, opened: Opened, seen: SeenLines): Promise<void> {
  const piece = await readPiece(ctx, work, opened, work.next)
  if (!piece) return
  const giveWay = createTurns()
  const faults: FoundFault[] = []
  const candidates: { readonly line: number; readonly fingerprint: Buffer }[] = []
  for (const one of piece.read) {
    if (one.key === undefined) {
      faults.push(one)
      continue
    }
    const { line } = one
    const fingerprint = fingerprintOf(ctx, opened.stockable, one.key.parts)
    const sameAs = seen.meet(fingerprint, line)
    if (sameAs > 0) faults.push({ line, fault: 'doubled', sameAs })
    else candidates.push({ line, fingerprint })
    await giveWay()
  }
  const prints = candidates.map(({ fingerprint }) => fingerprint)
  const known = new Set((await listKnown(ctx.db, prints)).map((print) => print.toString('base64')))
  for (const { line, fingerprint } of candidates)
    if (known.has(fingerprint.toString('base64'))) faults.push({ line, fault: 'known' })
  await noteChecked(ctx, work.id, {
    no: work.next,
    lines: piece.lines,
    fresh: candidates.length - known.size,
    faults: faults.toSorted((one, other) => one.line - other.line),
  })
}

async function take(ctx: Ctx, vault: Vault, work: Work, opened: Opened): Promise<void> {
  const no = work.next
  const { ahead } = opened
  const sealed = await (ahead?.no === no ? ahead.sealed : sealPiece(ctx, vault, work, opened, no))
  if (!sealed) return
  opened.ahead =
    no + 1 < work.chunks
      ? { no: no + 1, sealed: sealPiece(ctx, vault, work, opened, no + 1) }
      : null
  // Whoever comes to it hears of what went wrong.
  opened.ahead?.sealed.catch(() => {})
  await storeTaken(ctx, work.id, sealed)
}

/** Its keys as rows of the shelf; the vault wraps the key of each. */
async function sealPiece(
  ctx: Ctx,
  vault: Vault,
  work: Work,
  opened: Opened,
  no: number,
): Promise<SealedPiece | null> {
  const piece = await readPiece(ctx, work, opened, no)
  if (!piece) return null
  const stocking = { ...opened.stockable, batchId: work.batch ?? '' }
  const fresh = piece.read.flatMap(({ key }) => (key ? [{ stocking, line: key }] : []))
  const kekId = await registerVaultKeys(ctx, vault)
  const keys: SealedKey[] = []
  for (let from = 0; from < fresh.length; from += KEYS_AT_ONCE)
    keys.push(...(await sealKeys(ctx, { vault, kekId }, fresh.slice(from, from + KEYS_AT_ONCE))))
  return { no, lines: piece.lines, keys }
}
