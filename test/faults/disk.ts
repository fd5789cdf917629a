import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCrowd, type Outcomes } from './crowd.ts'
import { startShop } from './shop.ts'
import type { Stage } from './stage.ts'
import { findFaultsOnceSettled } from './money.ts'

export type DiskReport =
  | {
      readonly fullSeconds: number
      readonly unreadyAfterSeconds: number
      readonly backAfterSeconds: number
      readonly outcomes: Outcomes
      readonly faults: readonly string[]
    }
  | { readonly skipped: string; readonly faults: readonly [] }

type Parts = Omit<Stage, 'shop'> & { readonly home: string }

const SHOPPERS = 4
const BACK_MS = 60_000
const UNREADY_MS = 60_000
const SERVED_MS = 120_000
const MEGABYTE = 1024 * 1024
/** Left of the disk at the start: less than what doctor calls low. */
const ROOM_MB = 200

/** The disk under database and data is full while people buy; then there is room again, and the shop is back by itself. */
export async function runDisk(parts: Parts, seconds: number): Promise<DiskReport> {
  const disk = mountDisk(parts.home)
  if (typeof disk === 'object') return { skipped: disk.reason, faults: [] }
  try {
    const home = join(disk, 'data')
    spawnSync('cp', ['-a', parts.home, home])
    const shop = await startShop({ home })
    try {
      return await fill({ ...parts, shop }, disk, seconds)
    } finally {
      await shop.stop()
    }
  } finally {
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  }
}

/** A small disk of its own with room for a shop's data. @returns why there is none where this user may mount none */
function mountDisk(home: string): string | { readonly reason: string } {
  const needed = Number(spawnSync('du', ['-sm', home]).stdout.toString().split('\t')[0]) + ROOM_MB
  const at = mkdtempSync(join(tmpdir(), 'lukado-disk-'))
  const { status, stderr, error } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${needed}m,mode=0711`,
    'lukado',
    at,
  ])
  if (status === 0) return at
  rmSync(at, { recursive: true, force: true })
  return {
    reason: `a disk of one's own takes the right to mount: ${error?.message ?? stderr.toString().trim()}`,
  }
}

async function fill(
  { shop, journal, seed, items }: Stage,
  disk: string,
  seconds: number,
): Promise<DiskReport> {
  const faults: string[] = []
  const crowd = await openCrowd({
    shop,
    journal,
    seed,
    items,
    shoppers: SHOPPERS,
    patienceMs: seconds * 1_000 + BACK_MS + SERVED_MS,
  })
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold before')
  const found = await shop.complaints()
  if (!/^wrong {2}disk/m.test(found)) faults.push(`doctor said before: ${found || 'nothing'}`)
  const filler = join(disk, 'filler')
  const began = performance.now()
  let unreadyAfterMs = 0
  const answers: number[] = []
  while (performance.now() - began < Math.max(seconds * 1_000, unreadyAfterMs)) {
    // What one process lets go of, another takes.
    takeWhatIsLeft(filler)
    const status = await shop.readiness()
    if (status === 200 && answers.length === 0) unreadyAfterMs = UNREADY_MS
    else if (answers.length === 0) unreadyAfterMs = performance.now() - began
    if (answers.length > 0 || status !== 200) answers.push(status)
    await sleep(500)
  }
  if (answers.length === 0) faults.push('it says that it is ready while its disk is full')
  if (answers.includes(200)) faults.push(`it answers ${answers.join(' ')} when asked for readiness`)
  rmSync(filler)
  const backAfterMs = await shop.recovered(BACK_MS)
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold afterwards')
  faults.push(...(await crowd.stop()))
  return {
    fullSeconds: seconds,
    unreadyAfterSeconds: Math.round(unreadyAfterMs / 100) / 10,
    backAfterSeconds: Math.round(backAfterMs / 100) / 10,
    outcomes: crowd.outcomes(),
    faults: [...faults, ...(await findFaultsOnceSettled(shop, journal))],
  }
}

function takeWhatIsLeft(file: string): void {
  const fd = openSync(file, 'a')
  try {
    for (const size of [MEGABYTE, 4096]) {
      const piece = Buffer.alloc(size)
      while (hasTaken(fd, piece));
    }
  } finally {
    closeSync(fd)
  }
}

function hasTaken(fd: number, piece: Buffer): boolean {
  try {
    return writeSync(fd, piece) === piece.length
  } catch {
    return false
  }
}
