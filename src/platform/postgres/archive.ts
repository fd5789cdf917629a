import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { refusal } from '../refusal.ts'
import { canReach, type Account } from './access.ts'

/** What a backup folder holds: `base/<moment>/` with a manifest each, and in `wal/` the log since, compressed. */
export const walFolder = (backupDirectory: string) => join(backupDirectory, 'wal')
export const baseFolder = (backupDirectory: string) => join(backupDirectory, 'base')

/** Seconds after which what has been committed is in the archive at the latest. */
const ARCHIVE_TIMEOUT_SECONDS = 60
/** A path that may stand between double quotes in a shell and in PostgreSQL's settings. */
const PLAIN_PATH = /^[^"'`$\\%\n]+$/

/**
 * Settings of a server that archives its log. A segment is compressed, brought to the disk and then named; one that is there
 * already is never written over: it counts as archived when it is the same, as after a crash, and is an error when it is not.
 * (PostgreSQL manual, "Setting Up WAL Archiving".)
 */
export function archiveSettings(
  backupDirectory: string | undefined,
  account: Account | undefined,
): Readonly<Record<string, string | number>> {
  if (backupDirectory === undefined) return {}
  if (!PLAIN_PATH.test(backupDirectory))
    throw refusal('BACKUP_DIR may hold no quotes, $, %, backslash or backquote.')
  const folder = walFolder(backupDirectory)
  makeFolders(backupDirectory, account)
  const file = `${folder}/%f.gz`
  const part = `${folder}/.%f.part`
  return {
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT_SECONDS,
    archive_command: `if test -f "${file}"; then gzip -dc "${file}" | cmp -s - "%p"; else gzip -1 -c "%p" > "${part}" && sync "${part}" && mv "${part}" "${file}" && sync "${folder}"; fi`,
  }
}

function makeFolders(backupDirectory: string, account: Account | undefined): void {
  try {
    // Closed to others, but passable where another user must write the log for root.
    if (!existsSync(backupDirectory)) makeFolder(backupDirectory, account ? 0o711 : 0o700)
    for (const folder of [walFolder(backupDirectory), baseFolder(backupDirectory)])
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (account) chownSync(walFolder(backupDirectory), account.uid, account.gid)
  } catch (error) {
    throw refusal(
      `BACKUP_DIR ${backupDirectory} cannot be written to: ${error instanceof Error ? error.message : String(error)}.`,
      error,
    )
  }
  if (account && !canReach(walFolder(backupDirectory), account)) {
    throw refusal(
      `The user ${account.name}, who runs PostgreSQL for root, cannot get into BACKUP_DIR ${backupDirectory}. Let it pass with chmod o+x on that folder and those above it.`,
    )
  }
}

const SEGMENT = /^[0-9A-F]{24}$/

export const isSegment = (name: string) => SEGMENT.test(name)

/** Removes the log before a segment: no backup that is kept needs it. Timelines' histories stay. @returns how many files */
export function pruneLog(backupDirectory: string, firstNeeded: string): number {
  const old = readdirSync(walFolder(backupDirectory)).filter((name) => {
    const segment = name.slice(0, 24)
    // The first 8 digits are the timeline: what counts is the place in the log.
    return isSegment(segment) && segment.slice(8) < firstNeeded.slice(8)
  })
  for (const name of old) rmSync(join(walFolder(backupDirectory), name))
  return old.length
}
