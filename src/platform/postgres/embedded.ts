import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newClient } from '../client.ts'
import type { Log } from '../log.ts'
import { refusal } from '../refusal.ts'
import { archiveSettings } from './archive.ts'
import { createCluster } from './create-cluster.ts'
import {
  checkClusterVersion,
  databasePassword,
  findPlace,
  hasCluster,
  rememberLocation,
  type Place,
} from './place.ts'
import { runningServer, stopLeftServer } from './postmaster.ts'
import { freePort } from '../free-port.ts'
import { addressesOf, prepareRoles, type DatabaseAddresses } from './roles.ts'

export const DATABASE_USER = 'lukado'
export const DATABASE_NAME = 'lukado'

export type ServerExit = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>

export type EmbeddedPostgres = Readonly<{
  /** Address of the shop's database for the role that may do everything, password included. */
  url: string
  addresses: DatabaseAddresses
  pid: number
  port: number
  /** Folder outside the data directory that holds the server's files, where there had to be one. */
  outside: string | undefined
  /** Fast shutdown: sessions are ended, all committed work is on disk. */
  stop(): Promise<void>
  /** Settles when the server process has ended, for whatever reason. */
  exited: Promise<ServerExit>
}>

export type EmbeddedOptions = Readonly<{
  dataDirectory: string
  log: Log
  /** False for throw-away test servers: no write waits for the disk, and nothing survives a crash. */
  durable?: boolean
  /** BACKUP_DIR: where the log is archived. */
  archiveTo?: string | undefined
  /** Asked for again when a crashed server is restarted under running clients. */
  port?: number
}>

const LOG_LIMIT_BYTES = 10_000_000
const PORT_ATTEMPTS = 5
/** Replaying the log after a crash takes minutes at worst; a server that is still working is waited for. */
const READY_TIMEOUT_MS = 600_000
const STOP_TIMEOUT_MS = 30_000

/**
 * Starts the PostgreSQL that comes with the program, on a free port of 127.0.0.1, with its data under the data directory
 * (made on first use). Throws a refusal with one sentence for what the operator can set right.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, log, durable = true } = options
  mkdirSync(dataDirectory, { recursive: true })
  // A temporary folder is closed to other users, also to the one that must run the server for root.
  if (!durable) chmodSync(dataDirectory, 0o711)
  checkClusterVersion(dataDirectory)
  const place = findPlace(dataDirectory)
  await stopLeftServer(place.cluster, log)
  const password = databasePassword(dataDirectory, place.cluster)
  if (!hasCluster(place.cluster))
    await createCluster(place, { user: DATABASE_USER, password, durable })
  rememberLocation(dataDirectory, place)
  const server = await launch(place, options, password)
  await createDatabase(server.port, password)
  await prepareRoles(server.url)
  return server
}

/** The addresses of the server that runs for this data directory now, if one does. */
export function runningEmbeddedPostgres(dataDirectory: string): DatabaseAddresses | undefined {
  const { cluster } = findPlace(dataDirectory)
  const server = hasCluster(cluster) ? runningServer(cluster) : undefined
  return server && addressesOf(addressOf(server.port, databasePassword(dataDirectory, cluster)))
}

async function launch(
  place: Place,
  options: EmbeddedOptions,
  password: string,
): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort())
    const logFile = join(options.dataDirectory, 'postgres.log')
    const output = openLog(logFile)
    const logStart = statSync(logFile).size
    const child = spawnServer(place, port, options, output)
    closeSync(output)
    const exited = exitOf(child)
    if (await isReady(child, exited, addressOf(port, password)))
      return handleOf(child, exited, port, place, options, password)
    const said = readFileSync(logFile, 'utf8').slice(logStart)
    const worthAnotherTry =
      /could not bind|could not create any TCP|shared memory block .* is still in use/.test(said)
    if (!worthAnotherTry || attempt === PORT_ATTEMPTS)
      throw refusal(`PostgreSQL did not start: ${lastComplaint(said)} See ${logFile}.`)
    await sleep(200 * attempt)
  }
}

function spawnServer(
  place: Place,
  port: number,
  { durable = true, archiveTo }: EmbeddedOptions,
  output: number,
): ChildProcess {
  const settings = {
    ...SETTINGS,
    ...(durable ? DURABLE : THROW_AWAY),
    ...archiveSettings(archiveTo, place.account),
    port,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(join(place.binaries.folder, 'bin', 'postgres'), ['-D', place.cluster, ...args], {
    ...(place.account ? { uid: place.account.uid, gid: place.account.gid } : {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', output, output],
    // Its own process group, so that Ctrl-C reaches the program alone, which then stops its processes in order.
    detached: true,
  })
}

/** Of one machine shared with the shop itself; memory is for 128 MB of pages, the system caches the rest. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A web process takes up to 20, a worker up to 45; those of killed ones stay for a while beside those of their successors.
  max_connections: 180,
  shared_buffers: '128MB',
  maintenance_work_mem: '64MB',
  jit: 'off',
  random_page_cost: 1.1,
  autovacuum_naptime: '20s',
  autovacuum_vacuum_scale_factor: 0.1,
  autovacuum_analyze_scale_factor: 0.05,
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  // Without the details of an error, which show the row or the key that broke a constraint.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
} as const

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
} as const

function handleOf(
  child: ChildProcess,
  exited: Promise<ServerExit>,
  port: number,
  place: Place,
  options: EmbeddedOptions,
  password: string,
): EmbeddedPostgres {
  const pid = child.pid ?? 0
  const dismissGuard = guard(pid, place)
  void exited.then(dismissGuard)
  return {
    url: addressOf(port, password),
    addresses: addressesOf(addressOf(port, password)),
    pid,
    port,
    exited,
    outside: place.outside,
    async stop() {
      // SIGINT: fast shutdown, SIGQUIT: immediate, recovered from at the next start (PostgreSQL manual, "Shutting Down the Server").
      for (const name of options.durable === false
        ? (['SIGQUIT', 'SIGKILL'] as const)
        : (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)) {
        child.kill(name)
        if (
          await Promise.race([
            exited.then(() => true),
            sleep(STOP_TIMEOUT_MS, false, { ref: false }),
          ])
        )
          return
        options.log.warn('PostgreSQL does not stop', { pid, signal: name })
      }
      await exited
    },
  }
}

/**
 * If this process dies without a chance to stop the server (kill -9), a waiting shell does: it reads from a pipe that the
 * system closes with us. Returns what sends the shell away.
 */
function guard(pid: number, place: Place): () => void {
  const shell = spawn('/bin/sh', ['-c', 'read -r _ || kill -INT "$0"', String(pid)], {
    ...(place.account ? { uid: place.account.uid, gid: place.account.gid } : {}),
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return () => shell.stdin.end('done\n')
}

function exitOf(child: ChildProcess): Promise<ServerExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  })
}

async function isReady(
  child: ChildProcess,
  exited: Promise<ServerExit>,
  url: string,
): Promise<boolean> {
  let ended = false
  void exited.then(() => {
    ended = true
  })
  for (
    const deadline = performance.now() + READY_TIMEOUT_MS;
    !ended && performance.now() < deadline;
    await sleep(15)
  ) {
    const answer = await tryConnect(maintenanceAddress(url))
    if (answer === 'connected') return true
    if (answer === 'refused for good') break
  }
  if (!ended) child.kill('SIGQUIT')
  await exited
  return false
}

/** 28P01 is a wrong password, 28000 a rule of pg_hba.conf: neither gets better by waiting. */
async function tryConnect(url: string): Promise<'connected' | 'not yet' | 'refused for good'> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return 'connected'
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code?.startsWith('28')
      ? 'refused for good'
      : 'not yet'
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(port: number, password: string): Promise<void> {
  const client = newClient({ connectionString: maintenanceAddress(addressOf(port, password)) })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      DATABASE_NAME,
    ])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(DATABASE_NAME)}`)
  } finally {
    await client.end()
  }
}

function addressOf(port: number, password: string): string {
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`
}

function maintenanceAddress(url: string): string {
  return `${url.slice(0, url.lastIndexOf('/'))}/postgres`
}

/** The log is bounded: at a start it is put aside when it has grown, over the one put aside before. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function lastComplaint(said: string): string {
  const complaint = said.split('\n').findLast((line) => /(?:FATAL|PANIC|ERROR):/.test(line))
  return complaint
    ? `${complaint.replace(/^.*?(?:FATAL|PANIC|ERROR):\s*/, '')}.`
    : 'it ended without saying why.'
}
