import { createHash } from 'node:crypto'
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Renditions under one directory, which belongs to one process. Never holds more than `maxBytes` (files that are being
 * written included), lets go of the least recently used first, and survives a restart: the order is kept as the files'
 * modification times. What is damaged reads as absent.
 */
export type DiskStore = {
  get(key: string): Promise<Buffer | null>
  set(key: string, body: Uint8Array): Promise<void>
  /** Marks as used now, for readers that were served from memory. */
  touch(key: string): void
  bytes(): number
}

type Entry = { size: number; touchedAt: number }

/** A file is this mark, the SHA-256 of the body, the body. */
const MARK = Buffer.from('LKP1')
const HEADER_LENGTH = MARK.length + 32
/** What a file occupies, not what it contains: most renditions are smaller than a few blocks. */
const BLOCK = 4096
/** A file's time is written back at most this often. */
const TOUCH_INTERVAL_MS = 3_600_000
const KEY = /^[0-9a-f]{40}$/

const occupied = (length: number) => Math.ceil((length + HEADER_LENGTH) / BLOCK) * BLOCK
const sha256 = (body: Uint8Array) => createHash('sha256').update(body).digest()

type DiskStoreOptions = {
  directory: string
  maxBytes: number
  now: () => Date
  /** Told of failures that cost speed only: the picture is drawn again. */
  onFault: (error: unknown) => void
}

export async function openDiskStore(options: DiskStoreOptions): Promise<DiskStore> {
  const temporary = join(options.directory, 'tmp')
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true })
  const files = new RecentFiles(options, await scan(options.directory))
  await files.makeRoom(0)
  let written = 0
  /** One write at a time, so that what one has made room for no other takes. */
  let lastWrite = Promise.resolve()
  return {
    get: (key) => files.read(key),
    set(key, body) {
      const draft = join(temporary, `${process.pid}-${(written += 1)}`)
      lastWrite = lastWrite.then(() => files.write(key, body, draft))
      return lastWrite
    },
    touch: (key) => files.touch(key),
    bytes: () => files.total,
  }
}

/** The files and their sum, least recently used first. */
class RecentFiles {
  readonly #options: DiskStoreOptions
  readonly #index: Map<string, Entry>
  total = 0

  constructor(options: DiskStoreOptions, found: readonly (readonly [string, Entry])[]) {
    this.#options = options
    this.#index = new Map(found)
    for (const [, { size }] of found) this.total += size
  }

  async read(key: string): Promise<Buffer | null> {
    const entry = this.#index.get(key)
    if (!entry) return null
    const body = await readChecked(this.#pathOf(key))
    if (body) {
      if (this.#index.get(key) === entry) this.#markUsed(key, entry)
      return body
    }
    await this.#remove(key, entry)
    return null
  }

  async write(key: string, body: Uint8Array, draft: string): Promise<void> {
    const { directory, maxBytes, now, onFault } = this.#options
    const size = occupied(body.byteLength)
    const known = this.#index.get(key)
    if (known) await this.#remove(key, known)
    if (size > maxBytes || !(await this.makeRoom(size))) return
    this.total += size
    try {
      await writeFile(draft, Buffer.concat([MARK, sha256(body), body]))
      const at = now()
      await utimes(draft, at, at)
      await mkdir(join(directory, key.slice(0, 2)), { recursive: true })
      await rename(draft, this.#pathOf(key))
      this.#index.set(key, { size, touchedAt: at.getTime() })
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      this.total -= size
      onFault(error)
    }
  }

  touch(key: string): void {
    const entry = this.#index.get(key)
    if (entry) this.#markUsed(key, entry)
  }

  async makeRoom(size: number): Promise<boolean> {
    while (this.total + size > this.#options.maxBytes) {
      const [oldest] = this.#index
      if (!oldest) return false
      await this.#remove(...oldest)
    }
    return true
  }

  async #remove(key: string, entry: Entry): Promise<void> {
    if (this.#index.get(key) !== entry) return
    this.#index.delete(key)
    try {
      await rm(this.#pathOf(key), { force: true })
      this.total -= entry.size
    } catch (error) {
      // It may still occupy its space: it stays in the sum.
      this.#options.onFault(error)
    }
  }

  #markUsed(key: string, entry: Entry): void {
    this.#index.delete(key)
    this.#index.set(key, entry)
    const at = this.#options.now()
    if (at.getTime() - entry.touchedAt < TOUCH_INTERVAL_MS) return
    entry.touchedAt = at.getTime()
    // Evicted meanwhile: nothing to mark.
    utimes(this.#pathOf(key), at, at).catch(() => undefined)
  }

  #pathOf(key: string): string {
    return join(this.#options.directory, key.slice(0, 2), key)
  }
}

async function readChecked(path: string): Promise<Buffer | null> {
  const file = await readFile(path).catch(() => null)
  if (!file || file.length < HEADER_LENGTH || !file.subarray(0, MARK.length).equals(MARK))
    return null
  const body = file.subarray(HEADER_LENGTH)
  return sha256(body).equals(file.subarray(MARK.length, HEADER_LENGTH)) ? body : null
}

/** What an earlier process left, least recently used first. */
async function scan(directory: string): Promise<[string, Entry][]> {
  const found: [string, Entry][] = []
  for (const shard of await readdir(directory)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue
    const names = (await readdir(join(directory, shard))).filter(
      (name) => KEY.test(name) && name.startsWith(shard),
    )
    found.push(
      ...(await Promise.all(
        names.map(async (key): Promise<[string, Entry]> => {
          const { size, mtimeMs } = await stat(join(directory, shard, key))
          return [key, { size: Math.ceil(size / BLOCK) * BLOCK, touchedAt: mtimeMs }]
        }),
      )),
    )
  }
  return found.sort((one, other) => one[1].touchedAt - other[1].touchedAt)
}
