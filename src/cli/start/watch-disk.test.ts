import { expect, test } from 'vitest'
import {
  CRITICAL_BYTES,
  levelOf,
  LOW_BYTES,
  readDiskSpace,
  type DiskSpace,
} from '#platform/disk.ts'
import { createLogger } from '#platform/log.ts'
import { watchDisk } from './watch-disk.ts'

const space = (freeBytes: number): DiskSpace => ({
  path: '/data',
  freeBytes,
  level: levelOf(freeBytes),
})

test('a disk that fills up is told of when it begins, when it gets worse, and when there is room again; never twice', async () => {
  const readings = [
    2 * LOW_BYTES,
    LOW_BYTES - 1,
    LOW_BYTES - 2,
    CRITICAL_BYTES - 1,
    0,
    2 * LOW_BYTES,
  ]
  const lines: string[] = []
  const stopping = new AbortController()
  await watchDisk({
    read: () => {
      const [next] = readings.splice(0, 1)
      if (readings.length === 0) stopping.abort()
      return Promise.resolve([space(next ?? 0)])
    },
    log: createLogger({ level: 'info', write: (line) => void lines.push(line) }),
    stopping: stopping.signal,
    everyMs: 1,
  })
  const told = lines.map(
    (line) => /disk is filling up|almost full|room on the disk again/.exec(line)?.[0],
  )
  expect(told).toEqual(['disk is filling up', 'almost full', 'room on the disk again'])
})

test('a disk that stays full is told of again after a while', async () => {
  let count = 0
  const lines: string[] = []
  const stopping = new AbortController()
  await watchDisk({
    read: () => {
      count += 1
      if (count === 10) stopping.abort()
      return Promise.resolve([space(0)])
    },
    log: createLogger({ level: 'info', write: (line) => void lines.push(line) }),
    stopping: stopping.signal,
    everyMs: 1,
    remindMs: 0,
  })
  expect(lines).toHaveLength(10)
})

test('what is free is what this machine says', async () => {
  const [here] = await readDiskSpace({
    dataDirectory: import.meta.dirname,
    backupDirectory: undefined,
  })
  expect(here?.freeBytes).toBeGreaterThan(0)
})
