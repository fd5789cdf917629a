import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#platform/db.ts'
import { findHead, listFaults, readSealHashes } from './queries.ts'
import { brokenHeads, HEADS_FILE, readHeadLines, type AuditFault, type SealHead } from './rules.ts'

export interface Verified {
  /** Batches that were looked at, the newest ones first. */
  readonly batches: number
  /** Null where nothing is sealed yet. */
  readonly head: SealHead | null
  readonly faults: readonly AuditFault[]
  /** Heads of the file that the database does not know any more. */
  readonly lost: readonly SealHead[]
  readonly isWhole: boolean
}

const BATCHES_AT_ONCE = 20

/**
 * Compares the trail with its seals, from the newest batch back, and the seals with what was written down outside of the database.
 * @param isOver asked before each step back: true ends it
 */
export async function verifyAudit(
  db: Db,
  dataDirectory: string,
  isOver: () => boolean = () => false,
): Promise<Verified> {
  const head = await findHead(db)
  const written = await readHeads(dataDirectory)
  const lost = brokenHeads(
    written,
    await readSealHashes(
      db,
      written.map(({ number }) => number),
    ),
  )
  const faults: AuditFault[] = []
  let next = head?.number ?? 0
  while (next > 0 && !isOver()) {
    const from = Math.max(1, next - BATCHES_AT_ONCE + 1)
    faults.unshift(...(await listFaults(db, from, next)))
    next = from - 1
  }
  return { batches: (head?.number ?? 0) - next, head, faults, lost, isWhole: next === 0 }
}

async function readHeads(dataDirectory: string): Promise<readonly SealHead[]> {
  try {
    return readHeadLines(await readFile(join(dataDirectory, HEADS_FILE), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
