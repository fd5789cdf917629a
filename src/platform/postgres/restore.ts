import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { refusal } from '../refusal.ts'
import { archiveSettings, isSegment, walFolder } from './archive.ts'
import { copyFile, copyFiles, readManifest, type Manifest } from './base-backup.ts'
import { shippedBinaries } from './binaries.ts'
import { DATABASE_USER } from './embedded.ts'
import { databasePassword, findPlace, hasCluster, rememberLocation, type Place } from './place.ts'

export interface Restore {
  /** The folder of one base backup. */
  readonly backup: string
  /** Where the log is archived: what was written after the base backup comes from there. Null: the backup alone. */
  readonly backupDirectory: string | null
  readonly dataDirectory: string
  /** BACKUP_DIR of the restored shop: its new time line is noted there, so that no other restore takes the same one. */
  readonly archiveTo: string | undefined
  /** Null: everything the archive has. */
  readonly at: Date | null
}

const RECOVERY_TIMEOUT_MS = 3_600_000
const STOP_TIMEOUT_MS = 60_000

/**
 * Makes the database of an empty data directory what it was at an instant. The backup is checked file by file while it is
 * copied; nothing is left behind where it is not as it was written. When this returns the database is stopped, whole and has a
 * password of its own.
 */
export async function restoreCluster({
  backup,
  backupDirectory,
  dataDirectory,
  archiveTo,
  at,
}: Restore): Promise<Manifest> {
  const manifest = readManifest(backup)
  const { major } = shippedBinaries()
  if (manifest.serverVersion.split('.')[0] !== major)
    throw refusal(
      `This backup was made by PostgreSQL ${manifest.serverVersion}, and this program comes with PostgreSQL ${major}.`,
    )
  if (at && at < new Date(manifest.stoppedAt))
    throw refusal(
      `This backup reaches back to ${manifest.stoppedAt}, not to ${at.toISOString()}. Use an older one.`,
    )
  const place = findPlace(dataDirectory)
  if (hasCluster(place.cluster))
    throw refusal(`${dataDirectory} holds a database already. Restore into an empty DATA_DIR.`)
  const unfinished = `${place.cluster}.new`
  const log = `${place.cluster}-log`
  rmSync(unfinished, { recursive: true, force: true })
  rmSync(log, { recursive: true, force: true })
  try {
    await copyBackup(manifest, backup, unfinished)
    copyLog(manifest, backupDirectory, log)
    for (const folder of [unfinished, log]) hand(folder, place)
    await recover(
      { ...place, cluster: unfinished },
      { log, at, archiveTo, logFile: join(dataDirectory, 'postgres.log') },
    )
    rmSync(join(dataDirectory, 'postgres-password'), { force: true })
    await setPassword(
      { ...place, cluster: unfinished },
      databasePassword(dataDirectory, place.cluster),
    )
    renameSync(unfinished, place.cluster)
    rememberLocation(dataDirectory, place)
    return manifest
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(log, { recursive: true, force: true })
  }
}

/** What is copied here the server itself brings to the disk, before it replays the log. */
async function copyBackup(manifest: Manifest, backup: string, cluster: string): Promise<void> {
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  for (const folder of manifest.folders)
    mkdirSync(join(cluster, folder), { recursive: true, mode: 0o700 })
  await copyFiles(manifest.files, async (file) => {
    const from = join(backup, 'data', file.path)
    const copied = await copyFile(from, cluster, file.path, 'no sync')
    if (!copied) throw refusal(`${from} is missing: this backup is not whole. Use another one.`)
    if (copied.size !== file.size || copied.sha256 !== file.sha256)
      throw refusal(`${from} is not as it was written: this backup is damaged. Use another one.`)
    return copied
  })
}

/** The archived log since the backup, where the user who runs the server can read it. */
function copyLog(manifest: Manifest, backupDirectory: string | null, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  if (backupDirectory === null || !existsSync(walFolder(backupDirectory))) return
  for (const name of readdirSync(walFolder(backupDirectory))) {
    const segment = name.replace(/\.gz$/, '')
    const isNeeded =
      name.endsWith('.gz') &&
      (isSegment(segment)
        ? segment.slice(8) >= manifest.startSegment.slice(8)
        : segment.endsWith('.history'))
    if (isNeeded) copyFileSync(join(walFolder(backupDirectory), name), join(to, name))
  }
}

/** Closed to all but the user who runs the server. */
function hand(folder: string, { account }: Place): void {
  chmodSync(folder, 0o700)
  if (!account) return
  chownSync(folder, account.uid, account.gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
}

interface Recovery {
  /** The archived log. */
  readonly log: string
  readonly at: Date | null
  readonly archiveTo: string | undefined
  readonly logFile: string
}

/** Replays the log up to the instant, opens the database as a new timeline and stops it. Nobody can connect meanwhile. */
async function recover(place: Place, recovery: Recovery): Promise<void> {
  const signalFile = join(place.cluster, 'recovery.signal')
  writeFileSync(signalFile, '', { mode: 0o600 })
  if (place.account) chownSync(signalFile, place.account.uid, place.account.gid)
  const isDone = await replay(place, await recoverySettings(place, recovery), recovery.logFile)
  if (!isDone) throw complaintOf(recovery)
}

async function recoverySettings(
  place: Place,
  { log, at, archiveTo }: Recovery,
): Promise<Readonly<Record<string, string | number>>> {
  return {
    port: await freePort(),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    hot_standby: 'off',
    max_connections: 60,
    restore_command: `test -f "${log}/%f.gz" && gzip -dc "${log}/%f.gz" > "%p"`,
    recovery_target_action: 'promote',
    recovery_target_timeline: 'latest',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...archiveSettings(archiveTo, place.account),
    ...(at ? { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00') } : {}),
  }
}

/** Runs the server until it is ready, or has ended, and stops it. @returns whether it was ready */
async function replay(
  place: Place,
  settings: Readonly<Record<string, string | number>>,
  logFile: string,
): Promise<boolean> {
  const output = openSync(logFile, 'a', 0o600)
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    join(place.binaries.folder, 'bin', 'postgres'),
    ['-D', place.cluster, ...given],
    { ...asUser(place), stdio: ['ignore', output, output], detached: true },
  )
  closeSync(output)
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS
  while (!hasEnded && !isReady(place.cluster) && performance.now() < deadline) await sleep(50)
  const isDone = !hasEnded && isReady(place.cluster)
  if (!hasEnded) child.kill('SIGINT')
  const isLate = sleep(STOP_TIMEOUT_MS, true, { ref: false })
  if (await Promise.race([ended.then(() => false), isLate])) child.kill('SIGQUIT')
  await ended
  return isDone
}

/** The server's own last words, as something that can be acted upon. */
function complaintOf({ at, logFile }: Recovery): Error {
  const complaint = readFileSync(logFile, 'utf8')
    .split('\n')
    .findLast((line) => /(?:FATAL|PANIC):/.test(line))
    ?.replace(/^.*?(?:FATAL|PANIC):\s*/, '')
  if (complaint?.includes('before configured recovery target'))
    return refusal(
      `The archive does not reach to ${at?.toISOString()}. Choose an earlier instant, or leave --at out for everything there is.`,
    )
  return refusal(
    `The database could not be recovered: ${complaint ?? 'it ended without saying why'}. See ${logFile}.`,
  )
}

/** Line 8 of postmaster.pid (PostgreSQL's miscadmin.h). */
function isReady(cluster: string): boolean {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

/** Without the network: a server of one user that reads a statement and ends. */
async function setPassword(place: Place, password: string): Promise<void> {
  const child = spawn(
    join(place.binaries.folder, 'bin', 'postgres'),
    ['--single', '-D', place.cluster, '-c', 'log_min_messages=fatal', 'postgres'],
    { ...asUser(place), stdio: ['pipe', 'ignore', 'ignore'] },
  )
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve)
    child.once('error', reject)
  })
  child.stdin.end(`alter role ${DATABASE_USER} password '${password}'\n`)
  if ((await ended) !== 0) throw refusal('The restored database could not be given a password.')
}

function asUser({ account }: Place) {
  return {
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  }
}

/** `DIR/base/<moment>` lies in a folder with an archive, or is a copy of its own. */
export function archiveOf(backup: string): string | null {
  const directory = dirname(dirname(backup))
  return existsSync(walFolder(directory)) ? directory : null
}
