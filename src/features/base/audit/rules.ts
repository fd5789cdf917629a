/** The newest seal of the trail: who keeps it elsewhere can prove that nothing before it was changed. */
export interface SealHead {
  readonly number: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly sealedAt: Date
}

export interface AuditFault {
  /** Number of the batch. */
  readonly batch: number
  readonly fault: 'seal_missing' | 'seal_changed' | 'rows_missing' | 'rows_added' | 'rows_changed'
  /** By how many rows, or seals, it is not as it was sealed. */
  readonly rows: number
}

/** What is wrong with a batch, for whoever reads a terminal. */
export function faultSentence({ batch, fault, rows }: AuditFault): string {
  switch (fault) {
    case 'seal_missing':
      return `${rows === 1 ? 'a batch is' : `${rows} batches are`} missing before batch ${batch}`
    case 'seal_changed':
      return `the seal of batch ${batch} is not as it was made, or does not follow the one before`
    case 'rows_missing':
      return `${rowsOf(rows)} of batch ${batch} ${rows === 1 ? 'is' : 'are'} gone`
    case 'rows_added':
      return `${rowsOf(rows)} ${rows === 1 ? 'was' : 'were'} put into batch ${batch} after it was sealed`
    case 'rows_changed':
      return `a row of batch ${batch} is not as it was sealed`
  }
}

const rowsOf = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

/** One line a head, as the worker writes them down: number, hash, moment. */
export const headLine = ({ number, hash, sealedAt }: SealHead): string =>
  `${number} ${hash} ${sealedAt.toISOString()}`

const HEAD_LINE = /^(\d{1,15}) ([0-9a-f]{64}) (\S+)$/

/** Reads what `headLine` wrote; lines of another form are left out. */
export function readHeadLines(text: string): readonly SealHead[] {
  return text.split('\n').flatMap((line) => {
    const [, number, hash, at] = HEAD_LINE.exec(line) ?? []
    if (number === undefined || hash === undefined || at === undefined) return []
    return [{ number: Number(number), hash, sealedAt: new Date(at) }]
  })
}

/** Heads that were written down and that the database now tells otherwise, or not at all. */
export function brokenHeads(
  written: readonly SealHead[],
  known: ReadonlyMap<number, string>,
): readonly SealHead[] {
  return written.filter(({ number, hash }) => known.get(number) !== hash)
}

/** File in the data directory that heads are written into, a line a day. */
export const HEADS_FILE = 'audit-heads'
