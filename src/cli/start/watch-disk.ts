import { setTimeout as sleep } from 'node:timers/promises'
import { freeSpaceSentence, type DiskSpace } from '#platform/disk.ts'
import type { Log } from '#platform/log.ts'

export interface DiskWatch {
  readonly read: () => Promise<readonly DiskSpace[]>
  readonly log: Log
  readonly stopping: AbortSignal
  readonly everyMs?: number
  readonly remindMs?: number
}

const EVERY_MS = 30_000
const REMIND_MS = 3_600_000

/** Says in the log that a disk is filling up: at once when it comes to that or gets worse, then every hour; and when there is room again. */
export async function watchDisk({
  read,
  log,
  stopping,
  everyMs = EVERY_MS,
  remindMs = REMIND_MS,
}: DiskWatch): Promise<void> {
  const told = new Map<string, { level: DiskSpace['level']; at: number }>()
  while (!stopping.aborted) {
    const spaces = await read().catch((error: unknown) => {
      log.warn('free disk space cannot be read', { error })
      return []
    })
    for (const space of spaces) {
      const last = told.get(space.path) ?? { level: 'enough', at: performance.now() }
      const isDue = space.level !== 'enough' && performance.now() - last.at >= remindMs
      if (space.level === last.level && !isDue) continue
      told.set(space.path, { level: space.level, at: performance.now() })
      tell(log, space)
    }
    await sleep(everyMs, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}

function tell(log: Log, space: DiskSpace): void {
  const sentence = freeSpaceSentence(space)
  if (space.level === 'enough') log.info(`there is room on the disk again: ${sentence}`)
  else if (space.level === 'low') log.warn(`the disk is filling up: ${sentence}`)
  else log.error(`the disk is almost full, and then the database stops: ${sentence}`)
}
