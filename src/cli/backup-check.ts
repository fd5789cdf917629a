import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { baseFolder } from '#platform/postgres/archive.ts'
import { moment } from './table.ts'

/** How a server's archiving of its log stands, as it says itself. */
export interface ArchiverFacts {
  readonly isOn: boolean
  readonly lastArchivedAt: Date | null
  readonly lastFailedAt: Date | null
  readonly failedCount: number
  /** Pieces of the log that are full and not archived yet; null where the server does not tell. */
  readonly waiting: { readonly count: number; readonly since: Date | null } | null
}

export interface BackupFacts {
  /** BACKUP_DIR; null where it is not set. */
  readonly directory: string | null
  /** The database is on a server of one's own. */
  readonly isOwnServer: boolean
  /** Null where the database does not run. */
  readonly archiver: ArchiverFacts | null
  readonly newestCopy: Date | null
  /** When a copy of this folder was restored last, and whether every promise held; null where none was. */
  readonly lastRestore?: Restore | null
}

export interface Restore {
  readonly at: Date
  readonly isRight: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A piece of the log is archived within seconds; one that waits so long is stuck. */
const BEHIND_MS = 5 * MINUTE_MS
/** A copy is made each night. */
const OLD_COPY_MS = 48 * HOUR_MS

/** What is wrong with the backups, each in a sentence that says what to do. */
export function backupProblems(facts: BackupFacts, now: Date): string[] {
  const { directory, isOwnServer, archiver } = facts
  if (isOwnServer)
    return archiver?.isOn
      ? archiverProblems(archiver, now, 'its archive_command, and the log of that server says why.')
      : []
  if (directory === null) return []
  return [
    ...(archiver
      ? archiverProblems(
          archiver,
          now,
          `${directory} must be there and have free space; postgres.log in DATA_DIR says why. What waits is archived by itself then.`,
        )
      : []),
    ...copyProblems(facts, now),
  ]
}

function archiverProblems(
  { isOn, lastArchivedAt, lastFailedAt, failedCount, waiting }: ArchiverFacts,
  now: Date,
  remedy: string,
): string[] {
  if (!isOn)
    return ['BACKUP_DIR is set, but the database that runs archives nothing: restart the shop.']
  if (lastFailedAt && (!lastArchivedAt || lastFailedAt > lastArchivedAt)) {
    const since = lastArchivedAt
      ? `the last that went well was at ${moment(lastArchivedAt)} UTC`
      : 'none has gone well'
    return [
      `archiving the database's log fails (${failedCount} times, last at ${moment(lastFailedAt)} UTC; ${since}): look at ${remedy}`,
    ]
  }
  if (waiting?.since && now.getTime() - waiting.since.getTime() > BEHIND_MS) {
    return [
      `archiving is behind: ${waiting.count} ${waiting.count === 1 ? 'piece' : 'pieces'} of the log ${waiting.count === 1 ? 'waits' : 'wait'} since ${moment(waiting.since)} UTC: look at ${remedy}`,
    ]
  }
  return []
}

/** Whether a restore would not have to replay days. */
export const isBackupFresh = (newestCopy: Date | null, now: Date): boolean =>
  newestCopy !== null && now.getTime() - newestCopy.getTime() <= OLD_COPY_MS

function copyProblems({ newestCopy }: BackupFacts, now: Date): string[] {
  const remedy = 'run npm run cli -- backup --keep 7, best each night.'
  if (!newestCopy)
    return [
      `there is no base backup in BACKUP_DIR, and without one the archived log restores nothing: ${remedy}`,
    ]
  const age = now.getTime() - newestCopy.getTime()
  return !isBackupFresh(newestCopy, now)
    ? [
        `the newest base backup is ${Math.floor(age / (24 * HOUR_MS))} days old, so that a restore would replay all that was written since: ${remedy}`,
      ]
    : []
}

/** What is to be said where nothing is wrong. */
export function backupNote(facts: BackupFacts): string {
  const { directory, isOwnServer, archiver, newestCopy } = facts
  if (isOwnServer)
    return archiver?.isOn
      ? `the server of DATABASE_URL archives its log, last at ${moment(archiver.lastArchivedAt) || 'no time yet'}; base backups are made with its own tools`
      : 'made with the tools of the server of DATABASE_URL, which archives no log by itself'
  if (directory === null) return 'none are made, as BACKUP_DIR is not set'
  const copy = `newest base backup of ${moment(newestCopy)} UTC${restoreNote(facts.lastRestore)}`
  if (!archiver)
    return `${copy}; the database does not run, so that its archiving was not looked at`
  return `${archiver.lastArchivedAt ? `log archived last at ${moment(archiver.lastArchivedAt)} UTC` : 'nothing was written to be archived yet'}; ${copy}`
}

function restoreNote(restore: Restore | null | undefined): string {
  if (restore === undefined) return ''
  return restore === null
    ? '; no restore has been rehearsed from it: docs/operating/backup-and-restore.md'
    : `; restored last at ${moment(restore.at)} UTC, ${restore.isRight ? 'and every promise held' : 'and promises were broken'}`
}

const RESTORED_FILE = 'last-restore.json'

/** Written beside the copies, so that the shop they are of knows. A folder that may only be read keeps no note. */
export function noteRestore(directory: string, { at, isRight }: Restore): void {
  try {
    writeFileSync(join(directory, RESTORED_FILE), JSON.stringify({ at: at.toISOString(), isRight }))
  } catch {
    // What was restored is right all the same.
  }
}

/** Null where none was, or where the note cannot be read. */
export function lastRestoreIn(directory: string): Restore | null {
  try {
    const { at, isRight } = JSON.parse(readFileSync(join(directory, RESTORED_FILE), 'utf8')) as {
      readonly at: string
      readonly isRight: boolean
    }
    const told = new Date(at)
    return Number.isNaN(told.getTime()) ? null : { at: told, isRight: isRight === true }
  } catch {
    return null
  }
}

export async function readArchiver(db: Db): Promise<ArchiverFacts> {
  const { rows } = await sql<{
    mode: string
    archived: Date | null
    failed: Date | null
    failures: number
  }>`
    select current_setting('archive_mode') as mode, last_archived_time as archived, last_failed_time as failed, failed_count::integer as failures from pg_stat_archiver`.execute(
    db,
  )
  const [row] = rows
  return {
    isOn: row !== undefined && row.mode !== 'off',
    lastArchivedAt: row?.archived ?? null,
    lastFailedAt: row?.failed ?? null,
    failedCount: row?.failures ?? 0,
    waiting: await readWaiting(db),
  }
}

/** Not every user of a server may ask for it. */
async function readWaiting(db: Db): Promise<ArchiverFacts['waiting']> {
  try {
    const { rows } = await sql<{ count: number; since: Date | null }>`
      select count(*)::integer as count, min(modification) as since from pg_ls_archive_statusdir() where name like '%.ready'`.execute(
      db,
    )
    return rows[0] ?? null
  } catch {
    return null
  }
}

const MOMENT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** When the newest base backup was made that was finished; folders are named by their moment. */
export function newestCopyIn(directory: string): Date | null {
  const base = baseFolder(directory)
  const names = existsSync(base)
    ? readdirSync(base).filter(
        (name) => MOMENT.test(name) && existsSync(join(base, name, 'manifest.json')),
      )
    : []
  const [newest] = names.toSorted().toReversed()
  return newest === undefined ? null : new Date(newest.replace(MOMENT, '$1-$2-$3T$4:$5:$6Z'))
}
