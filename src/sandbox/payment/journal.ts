import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const syncData = promisify(fdatasync)
const writeSome = promisify<number, Buffer, number>((fd, bytes, done) => write(fd, bytes, done))

/** A disk may take a part and then be full. */
async function writeAll(fd: number, text: string): Promise<void> {
  for (let left = Buffer.from(text); left.length > 0; )
    left = left.subarray(await writeSome(fd, left))
}

/** A file of lines that only grows. What is appended while the disk is busy goes to it together, with one wait. */
export interface Journal {
  /** Every line that can be read; one that a crash or a full disk cut off is left out. */
  readonly read: () => Generator<unknown>
  /** Replaces the file at the start, so that it holds what is so and no more how it came to be. */
  readonly rewrite: (lines: readonly unknown[]) => void
  /** Resolves when the line is on the disk. */
  readonly append: (line: unknown) => Promise<void>
  /** A line that may be lost in a crash: it goes to the disk with the next one that may not. */
  readonly note: (line: unknown) => void
  /** Resolves when everything appended so far is. */
  readonly flushed: () => Promise<void>
  readonly close: () => Promise<void>
}

export function openJournal(file: string): Journal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let fd = openSync(file, 'a', 0o600)
  let lines: string[] = []
  let flushing: Promise<void> | null = null
  let next: Promise<void> | null = null
  /** The file may end within a line: what comes next must not become its end. */
  let isTorn = existsSync(file)

  const flush = async () => {
    const text = lines.join('')
    lines = []
    if (text === '') return
    const start = isTorn ? '\n' : ''
    isTorn = true
    try {
      await writeAll(fd, start + text)
    } catch (error) {
      // Of which whoever reads has heard already: they come before everything else once there is room, some maybe twice.
      lines.unshift(text)
      throw error
    }
    isTorn = false
    await syncData(fd)
  }
  /** One write at a time; whoever comes during one waits for the next, which takes all of them. */
  const flushed = (): Promise<void> => {
    if (!flushing) {
      flushing = flush().finally(() => {
        flushing = null
      })
      return flushing
    }
    next ??= flushing
      .catch(() => {})
      .then(() => {
        next = null
        return flushed()
      })
    return next
  }

  return {
    flushed,
    read: () => readLines(file),
    rewrite(whole) {
      const draft = `${file}.new`
      const to = openSync(draft, 'w', 0o600)
      for (const line of whole) writeSync(to, `${JSON.stringify(line)}\n`)
      fsyncSync(to)
      closeSync(to)
      closeSync(fd)
      renameSync(draft, file)
      fd = openSync(file, 'a', 0o600)
      isTorn = false
    },
    append(line) {
      lines.push(`${JSON.stringify(line)}\n`)
      return flushed()
    },
    note: (line) => void lines.push(`${JSON.stringify(line)}\n`),
    async close() {
      await flushed()
      closeSync(fd)
    },
  }
}

function* readLines(file: string): Generator<unknown> {
  if (!existsSync(file)) return
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const read = parsed(line)
    if (read !== undefined) yield read
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
