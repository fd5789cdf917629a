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

/** @param onFault told of failures that cost speed only: the picture is drawn again */
export async function openDiskStore(options: {
  directory: string
  maxBytes: number
  now: () => Date
  onFault: (error: unknown) => void
}): Promise<DiskStore> {
  const { directory, maxBytes, now, onFault } = options
  const temporary = join(directory, 'tmp')
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true })

  /** Least recently used first. */
  const index = new Map<string, Entry>()
  let total = 0
  let written = 0
  const pathOf = (key: string) => join(directory, key.slice(0, 2), key)

  for (const [key, entry] of await scan(directory)) {
    index.set(key, entry)
    total += entry.size
  }

  async function remove(key: string, entry: Entry): Promise<void> {
    if (index.get(key) !== entry) return
    index.delete(key)
    try {
      await rm(pathOf(key), { force: true })
      total -= entry.size
    } catch (error) {
      // It may still occupy its space: it stays in the sum.
      onFault(error)
    }
  }

  async function makeRoom(size: number): Promise<boolean> {
    while (total + size > maxBytes) {
      const [oldest] = index
      if (!oldest) return false
      await remove(...oldest)
    }
    return true
  }

  function markUsed(key: string, entry: Entry): void {
    index.delete(key)
    index.set(key, entry)
    const at = now()
    if (at.getTime() - entry.touchedAt < TOUCH_INTERVAL_MS) return
    entry.touchedAt = at.getTime()
    // Evicted meanwhile: nothing to mark.
    utimes(pathOf(key), at, at).catch(() => undefined)
  }

  async function write(key: string, body: Uint8Array): Promise<void> {
    const size = occupied(body.byteLength)
    const known = index.get(key)
    if (known) await remove(key, known)
    if (size > maxBytes || !(await makeRoom(size))) return
    total += size
    const draft = join(temporary, `${process.pid}-${(written += 1)}`)
    try {
      await writeFile(draft, Buffer.concat([MARK, sha256(body), body]))
      const at = now()
      await utimes(draft, at, at)
      await mkdir(join(directory, key.slice(0, 2)), { recursive: true })
      await rename(draft, pathOf(key))
      index.set(key, { size, touchedAt: at.getTime() })
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      total -= size
      onFault(error)
    }
  }

  await makeRoom(0)
  /** One write at a time, so that what one has made room for no other takes. */
  let lastWrite = Promise.resolve()

  return {
    async get(key) {
      const entry = index.get(key)
      if (!entry) return null
      const body = await readChecked(pathOf(key))
      if (body) {
        if (index.get(key) === entry) markUsed(key, entry)
        return body
      }
      await remove(key, entry)
      return null
    },

    set(key, body) {
      lastWrite = lastWrite.then(() => write(key, body))
      return lastWrite
    },

    touch(key) {
      const entry = index.get(key)
      if (entry) markUsed(key, entry)
    },

    bytes: () => total,
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
