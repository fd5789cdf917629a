import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDiskStore } from './disk-store.ts'

const keyOf = (name: string | number) => createHash('sha1').update(String(name)).digest('hex')
const body = (length: number, fill = 7) => Buffer.alloc(length, fill)

let directory: string
let clock: number
const faults: unknown[] = []
const open = (maxBytes: number) =>
  openDiskStore({
    directory,
    maxBytes,
    now: () => new Date((clock += 1000)),
    onFault: (error) => faults.push(error),
  })
const pathOf = (key: string) => join(directory, key.slice(0, 2), key)

async function occupied(): Promise<number> {
  let sum = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      sum += Math.ceil((await stat(join(entry.parentPath, entry.name))).size / 4096) * 4096
  return sum
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pictures-'))
  clock = Date.parse('2026-11-20T12:00:00Z')
  faults.length = 0
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('the disk store', () => {
  it('gives back what it was given, after a restart too', async () => {
    const store = await open(1e6)
    await store.set(keyOf('a'), body(5000))
    expect(await store.get(keyOf('a'))).toEqual(body(5000))
    const again = await open(1e6)
    expect(again.bytes()).toBe(store.bytes())
    expect(await again.get(keyOf('a'))).toEqual(body(5000))
    expect(await again.get(keyOf('b'))).toBeNull()
  })

  it('never holds more than its bound, with writes at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 0, max: 30_000 })), { maxLength: 40 }),
        async (writes) => {
          const store = await open(64 * 1024)
          await Promise.all(
            writes.map(async ([name, length]) => {
              await store.set(keyOf(name), body(length))
              expect(store.bytes()).toBeLessThanOrEqual(64 * 1024)
            }),
          )
          expect(await occupied()).toBe(store.bytes())
        },
      ),
      { numRuns: 25 },
    )
    expect(faults).toEqual([])
  })

  it('lets go of the least recently used first, across a restart', async () => {
    const first = await open(3 * 4096)
    for (const name of ['a', 'b', 'c']) await first.set(keyOf(name), body(100))
    clock += 2 * 3_600_000
    first.touch(keyOf('a'))
    await expect
      .poll(async () => (await stat(pathOf(keyOf('a')))).mtimeMs)
      .toBeGreaterThan(Date.parse('2026-11-20T13:00:00Z'))
    const second = await open(3 * 4096)
    await second.set(keyOf('d'), body(100))
    expect(await second.get(keyOf('b'))).toBeNull()
    expect(await second.get(keyOf('a'))).not.toBeNull()
  })

  it('shrinks to a smaller bound when it opens', async () => {
    const large = await open(1e6)
    for (let i = 0; i < 20; i++) await large.set(keyOf(i), body(100))
    const small = await open(5 * 4096)
    expect(small.bytes()).toBe(5 * 4096)
    expect(await occupied()).toBe(5 * 4096)
    expect(await small.get(keyOf(19))).not.toBeNull()
  })

  it('takes a damaged or cut file for absent and removes it', async () => {
    const store = await open(1e6)
    for (const [name, damage] of [
      ['cut', (path: string) => truncate(path, 3000)],
      ['empty', (path: string) => truncate(path, 0)],
      [
        'changed',
        async (path: string) => writeFile(path, (await readFile(path)).fill(0, 200, 210)),
      ],
      ['gone', (path: string) => rm(path)],
    ] as const) {
      await store.set(keyOf(name), body(5000))
      await damage(pathOf(keyOf(name)))
      expect(await store.get(keyOf(name)), name).toBeNull()
      await expect(stat(pathOf(keyOf(name)))).rejects.toThrow()
    }
    expect(store.bytes()).toBe(0)
  })

  it('clears what a crash left half written', async () => {
    await mkdir(join(directory, 'tmp'), { recursive: true })
    await writeFile(join(directory, 'tmp', '1-1'), body(9000))
    await open(1e6)
    expect(await readdir(join(directory, 'tmp'))).toEqual([])
  })

  it('keeps nothing larger than itself and reports a failed write', async () => {
    const store = await open(8192)
    await store.set(keyOf('large'), body(9000))
    expect(store.bytes()).toBe(0)
    await rm(join(directory, 'tmp'), { recursive: true })
    await store.set(keyOf('small'), body(10))
    expect(faults).toHaveLength(1)
    expect(store.bytes()).toBe(0)
    expect(await store.get(keyOf('small'))).toBeNull()
  })
})
