import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import { createLogger, type Log } from '#platform/log.ts'
import { baseFolder, pruneLog } from '#platform/postgres/archive.ts'
import { copyCluster, readManifest, type Manifest } from '#platform/postgres/base-backup.ts'
import { isRefusal, refusal } from '#platform/refusal.ts'
import { optionOf, type Run } from './commands.ts'
import { withDatabase } from './database.ts'

export interface MadeBackup {
  readonly folder: string
  readonly manifest: Manifest
  /** Older ones that were removed. */
  readonly pruned: readonly string[]
}

export const backupCommand: Run = async (args) => {
  const config = configFromEnvironment()
  const keep = optionOf(args, '--keep')
  if (keep !== null && !/^[1-9]\d{0,3}$/.test(keep))
    throw refusal('--keep takes how many backups are kept, 1 or more.')
  const to = optionOf(args, '--to')
  const began = performance.now()
  const made = await makeBackup(config, createLogger({ level: config.logLevel }), {
    to: to === null ? null : resolve(to),
    keep: keep === null ? null : Number(keep),
    now: new Date(),
  })
  const megabytes = Math.ceil(made.manifest.files.reduce((sum, { size }) => sum + size, 0) / 1e6)
  process.stdout.write(
    [
      `Backup ${made.folder}: ${made.manifest.files.length} files, ${megabytes} MB, ${((performance.now() - began) / 1_000).toFixed(1)} s.`,
      ...(made.pruned.length > 0 ? [`Removed: ${made.pruned.join(', ')}.`] : []),
      'It does not hold vault.key, secret.key or the settings: without vault.key no card key in it can ever be read. Keep copies of them elsewhere.',
      '',
    ].join('\n'),
  )
  return 0
}

/** A base backup of the running or stopped database in a folder named by its moment. */
export async function makeBackup(
  config: Config,
  log: Log,
  {
    to,
    keep,
    now,
  }: { readonly to: string | null; readonly keep: number | null; readonly now: Date },
): Promise<MadeBackup> {
  if (config.databaseUrl)
    throw refusal(
      'The database is on a server of your own (DATABASE_URL): back it up with the tools of that server, such as pg_basebackup.',
    )
  const directory = to ?? config.backupDirectory
  if (directory === undefined)
    throw refusal(
      'Say where to: with --to <folder>, or with BACKUP_DIR, which also archives everything written between backups.',
    )
  try {
    mkdirSync(baseFolder(directory), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw refusal(
      `${directory} cannot be written to: ${error instanceof Error ? error.message : String(error)}.`,
      error,
    )
  }
  const folder = join(baseFolder(directory), now.toISOString().replaceAll(/[-:]|\.\d+/g, ''))
  const manifest = await withDatabase(config, log, ({ server }) => copyCluster(server, folder, now))
  return { folder, manifest, pruned: keep === null ? [] : prune(directory, keep) }
}

const MOMENT = /^\d{8}T\d{6}Z$/

/** Removes all but the newest, and the log that none of those needs. */
function prune(directory: string, keep: number): string[] {
  const base = baseFolder(directory)
  const all = readdirSync(base)
    .filter((name) => MOMENT.test(name))
    .sort()
  const kept = all.slice(-keep)
  const old = all.slice(0, -keep)
  for (const name of old) rmSync(join(base, name), { recursive: true, force: true })
  const first = kept.map((name) => startOf(join(base, name))).find((segment) => segment !== null)
  if (first !== undefined && first !== null && readdirSync(directory).includes('wal'))
    pruneLog(directory, first)
  return old.map((name) => basename(name))
}

/** A kept backup that cannot be read keeps the log of the others. */
function startOf(folder: string): string | null {
  try {
    return readManifest(folder).startSegment
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}
