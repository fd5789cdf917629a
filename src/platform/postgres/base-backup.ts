import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { newClient } from '../client.ts'
import { refusal, systemErrorCode } from '../refusal.ts'
import { isSegment } from './archive.ts'

/** What was copied and how it is known again. It stands in `manifest.json`, with its own SHA-256 beside it. */
export interface Manifest {
  readonly format: 1
  readonly madeAt: string
  readonly serverVersion: string
  readonly startSegment: string
  readonly stopSegment: string
  /** The copy is whole from here on: no earlier instant can be restored from it. */
  readonly stoppedAt: string
  readonly files: readonly CopiedFile[]
  /** Empty folders count too: the server does not make them anew. */
  readonly folders: readonly string[]
}

export interface CopiedFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** Contents that belong to the running server or are made anew (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(?:postmaster\.pid|postmaster\.opts|backup_label(?:\.old)?|tablespace_map|current_logfiles|recovery\.signal|standby\.signal|pg_internal\.init.*|pgsql_tmp.*|.*\.part)$/
const CONTROL = 'global/pg_control'
const CHUNK = 256 * 1024
/** Files copied at the same time. */
const AT_ONCE = 16

/**
 * Copies a running server's files into a folder while it goes on writing, with the log that makes the copy whole: it can be
 * restored by itself. @returns the manifest, which is written last, so that an interrupted copy is never taken for a whole one
 */
export async function copyCluster(url: string, folder: string, madeAt: Date): Promise<Manifest> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(join(unfinished, 'data'), { recursive: true, mode: 0o700 })
  const client = newClient({ connectionString: url })
  await client.connect()
  try {
    const cluster = String(
      (await ask(client, `select current_setting('data_directory') as value`)).value,
    )
    // Keeps the log of the copy from being recycled; goes with this connection.
    await ask(
      client,
      `select slot_name as value from pg_create_physical_replication_slot($1, true, true)`,
      [`lukado_backup_${process.pid}`],
    )
    const start = await ask(
      client,
      `select pg_walfile_name(pg_backup_start($1, true)) as segment, current_setting('server_version') as version`,
      [madeAt.toISOString()],
    )
    const copied = await copyFolder(cluster, join(unfinished, 'data'))
    const stop = await ask(
      client,
      `with stopped as materialized (select * from pg_backup_stop(false)) select labelfile as label, pg_walfile_name(lsn) as segment, clock_timestamp()::text as at from stopped`,
    )
    copied.files.push(
      writeNew(join(unfinished, 'data'), 'backup_label', Buffer.from(String(stop.label))),
    )
    for (const segment of segmentsBetween(cluster, String(start.segment), String(stop.segment))) {
      const file = await copyFile(
        join(cluster, 'pg_wal', segment),
        join(unfinished, 'data'),
        `pg_wal/${segment}`,
        'sync',
      )
      if (!file) throw refusal(`The log ${segment} is gone already; try again.`)
      copied.files.push(file)
    }
    const manifest: Manifest = {
      format: 1,
      madeAt: madeAt.toISOString(),
      serverVersion: String(start.version),
      startSegment: String(start.segment),
      stopSegment: String(stop.segment),
      stoppedAt: new Date(String(stop.at)).toISOString(),
      files: copied.files,
      folders: copied.folders,
    }
    writeManifest(unfinished, manifest)
    renameSync(unfinished, folder)
    syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

async function ask(
  client: pg.Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>> {
  return ((await client.query(sql, [...values])).rows[0] ?? {}) as Record<string, unknown>
}

function segmentsBetween(cluster: string, first: string, last: string): string[] {
  return readdirSync(join(cluster, 'pg_wal'))
    .filter((name) => isSegment(name) && name >= first && name <= last)
    .sort()
}

interface Copied {
  readonly files: CopiedFile[]
  readonly folders: string[]
}

/** `global/pg_control` comes last: what it says must not be older than what was copied. */
async function copyFolder(from: string, to: string): Promise<Copied> {
  const folders: string[] = []
  const paths: string[] = []
  const walk = (path: string): void => {
    for (const entry of listIfThere(join(from, path))) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      if (LEFT_OUT.test(entry.name) || inner === CONTROL) continue
      if (entry.isSymbolicLink())
        throw refusal(
          `${join(from, inner)} leads outside the database folder; such a database cannot be backed up by this command.`,
        )
      if (entry.isFile()) paths.push(inner)
      if (!entry.isDirectory()) continue
      folders.push(inner)
      mkdirSync(join(to, inner), { recursive: true, mode: 0o700 })
      if (!EMPTIED.has(inner)) walk(inner)
      if (inner === 'pg_wal') folders.push('pg_wal/archive_status', 'pg_wal/summaries')
    }
  }
  walk('')
  const files = await copyFiles(paths, (path) => copyFile(join(from, path), to, path, 'sync'))
  const control = await copyFile(join(from, CONTROL), to, CONTROL, 'sync')
  if (!control) throw refusal(`${from} is no database folder.`)
  return { files: [...files.filter((file) => file !== null), control], folders }
}

function listIfThere(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Several at a time: most of it is waiting for the disk. In the order of `paths`. */
export async function copyFiles<T>(
  paths: readonly T[],
  copy: (path: T) => Promise<CopiedFile | null>,
): Promise<(CopiedFile | null)[]> {
  const copied: (CopiedFile | null)[] = Array.from({ length: paths.length }, () => null)
  let next = 0
  const work = async () => {
    for (let index = next++; index < paths.length; index = next++)
      copied[index] = await copy(paths[index] as T)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return copied
}

/** What is counted is what was written. Null for a file dropped meanwhile. `sync`: it is on the disk when this resolves. */
export async function copyFile(
  from: string,
  root: string,
  path: string,
  durability: 'sync' | 'no sync',
): Promise<CopiedFile | null> {
  const source = await open(from, 'r').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  })
  if (!source) return null
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(CHUNK)
  let size = 0
  try {
    const target = await open(join(root, path), 'wx', 0o600)
    try {
      for (
        let { bytesRead } = await source.read(buffer, 0, CHUNK);
        bytesRead > 0;
        { bytesRead } = await source.read(buffer, 0, CHUNK)
      ) {
        const chunk = buffer.subarray(0, bytesRead)
        hash.update(chunk)
        await target.writeFile(chunk)
        size += bytesRead
      }
      if (durability === 'sync') await target.datasync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
  return { path, size, sha256: hash.digest('hex') }
}

function writeNew(root: string, path: string, content: Buffer): CopiedFile {
  writeFileSync(join(root, path), content, { mode: 0o600, flush: true })
  return { path, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

function writeManifest(folder: string, manifest: Manifest): void {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  const { sha256 } = writeNew(folder, 'manifest.json', text)
  writeNew(folder, 'manifest.json.sha256', Buffer.from(`${sha256}  manifest.json\n`))
  syncFolder(folder)
}

/** Throws a refusal for what is no backup, an unfinished one, or one whose list of files was changed. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file))
    throw refusal(
      `${folder} is no backup: it has no manifest.json. A folder in BACKUP_DIR/base is one.`,
    )
  const content = readFileSync(file)
  const expected = existsSync(`${file}.sha256`)
    ? readFileSync(`${file}.sha256`, 'utf8').slice(0, 64)
    : ''
  if (createHash('sha256').update(content).digest('hex') !== expected)
    throw refusal(
      `${file} is not as it was written: this backup cannot be trusted. Use another one.`,
    )
  const manifest = JSON.parse(content.toString('utf8')) as Manifest
  if (manifest.format !== 1) throw refusal(`${folder} was made by a newer version of this program.`)
  return manifest
}

function syncFolder(folder: string): void {
  if (!statSync(folder).isDirectory()) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
