import { statfs } from 'node:fs/promises'
import type { Config } from './config.ts'

export interface DiskSpace {
  readonly path: string
  readonly freeBytes: number
  readonly level: 'enough' | 'low' | 'critical'
}

const MEGABYTE = 1024 * 1024
/** A day's log and pictures of a busy shop: time to do something about it. */
export const LOW_BYTES = 1024 * MEGABYTE
/** PostgreSQL stops at once when it cannot make the next 16 MB of its log. */
export const CRITICAL_BYTES = 256 * MEGABYTE
const SENTENCE_MAX = 500

/** What is free where the shop keeps its data and its backups; for whoever may not write as root, as the shop. */
export async function readDiskSpace({
  dataDirectory,
  backupDirectory,
}: Pick<Config, 'dataDirectory' | 'backupDirectory'>): Promise<DiskSpace[]> {
  const paths = [dataDirectory, ...(backupDirectory ? [backupDirectory] : [])]
  return Promise.all(
    paths.map(async (path) => {
      const { bavail, bsize } = await statfs(path)
      const freeBytes = bavail * bsize
      return { path, freeBytes, level: levelOf(freeBytes) }
    }),
  )
}

export function levelOf(freeBytes: number): DiskSpace['level'] {
  return freeBytes < CRITICAL_BYTES ? 'critical' : freeBytes < LOW_BYTES ? 'low' : 'enough'
}

/** "812 MB are free in /srv/shop/data" */
export function freeSpaceSentence({ path, freeBytes }: DiskSpace): string {
  return `${Math.floor(freeBytes / MEGABYTE)} MB are free in ${path}`
}

/** What runs out where the shop keeps its data and its backups; null while there is room, or nobody can tell. */
export async function lowDiskSentence(
  config: Pick<Config, 'dataDirectory' | 'backupDirectory'>,
): Promise<string | null> {
  const spaces = await readDiskSpace(config).catch(() => [])
  const low = spaces.filter(({ level }) => level !== 'enough').map(freeSpaceSentence)
  return low.length === 0 ? null : low.join('; ').slice(0, SENTENCE_MAX)
}
