import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { passOn } from '#platform/child-output.ts'
import { addressOf, configFromEnvironment, type Config } from '#platform/config.ts'
import {
  claimDataDirectory,
  endLeftProcesses,
  makeDataDirectory,
  type ClaimedDirectory,
  type ProcessName,
} from '#platform/data-directory.ts'
import { readDiskSpace } from '#platform/disk.ts'
import { programKey } from '#platform/keys.ts'
import { createLogger, type Log } from '#platform/log.ts'
import { surviveOutput } from '#platform/output.ts'
import { checkClusterVersion } from '#platform/postgres/place.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/postgres/embedded.ts'
import type { DatabaseAddresses } from '#platform/postgres/roles.ts'
import { signal } from '#platform/processes.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { refusal } from '#platform/refusal.ts'
import { secret } from '#platform/secret.ts'
import type { Run } from './commands.ts'
import { checkDurability, checkServer, ownAddresses } from './database.ts'
import { checkPort } from './start/check-port.ts'
import {
  keepRunning,
  type KeepOptions,
  type SupervisedProcess,
  type RunningProcess,
} from './start/keep-running.ts'
import { ENTRIES, keepingOf, launchOwn, type OwnProcess } from './start/own-processes.ts'
import {
  bringToNewestSchema,
  checkSecretKey,
  checkVaultKeys,
  prepareDemo,
  prepareOwner,
} from './start/prepare-shop.ts'
import { checkSandboxPackages, keepSandboxes, withSandboxSettings } from './start/sandboxes.ts'
import { watchDisk } from './start/watch-disk.ts'
import { listenForStop, sayWaiting } from './start/stop-requests.ts'

/** Who asks goes before who is asked. */
const STOPPED = ['web', 'worker', 'pictures', 'vault', 'postgres'] as const
const READY_TIMEOUT_MS = 180_000
const FORCED_EXIT_CODE = 130
const PUBLIC_DEMO = `
################################################################################
#  DEMO=public: this shop is open to everybody who can reach it.               #
#  Everybody can read its mails, so everybody can take every account.          #
#  Payments are play money. Sell nothing here, and keep nothing of your own.   #
################################################################################
`

/** What is running; stopped in the order of STOPPED. */
type Running = Map<ProcessName, SupervisedProcess>

type Start = Readonly<{
  config: Config
  log: Log
  directory: ClaimedDirectory
  running: Running
  sandboxes: SupervisedProcess[]
  stopping: AbortSignal
}>

/** Runs the shop until it is asked to stop. Everything it started has ended when it returns, whatever went wrong. */
export const start: Run = async () => {
  surviveOutput()
  const config = configFromEnvironment()
  const log = createLogger({ level: config.logLevel, fields: { process: 'start' } })
  const running: Running = new Map()
  const sandboxes: SupervisedProcess[] = []
  makeDataDirectory(config.dataDirectory)
  const directory = claimDataDirectory(config.dataDirectory, config.role)
  const stopping = new AbortController()
  const stop = listenForStop(say, () => forceEnd(running, sandboxes, directory))
  const work = bringUp({ config, log, directory, running, sandboxes, stopping: stopping.signal })
  try {
    await Promise.race([work, stop.asked])
    return 0
  } finally {
    stopping.abort()
    await Promise.race([work.catch(() => {}), sleep(5_000, undefined, { ref: false })])
    await stopAll(running, sandboxes, directory)
    directory.release()
    stop.ignore()
    // What was cut off (a migration, an idle connection) must not keep the program alive.
    setTimeout(() => process.exit(), 50).unref()
  }
}

/** Starts everything and then watches over it; settles only by failing. */
async function bringUp(start: Start): Promise<never> {
  const { config, stopping } = start
  checkSandboxPackages(config)
  if (config.isDemoPublic) say(PUBLIC_DEMO)
  checkClusterVersion(config.dataDirectory)
  await endLeftProcesses(config.dataDirectory, ENTRIES)
  void watchDisk({ read: () => readDiskSpace(config), log: start.log, stopping })
  if (config.role !== 'worker') await checkPort(config.host, config.port)
  const building = config.role === 'worker' ? Promise.resolve() : buildWhatIsStale(stopping)
  // It is waited for below; a start that fails before then has a reason of its own.
  building.catch(() => {})
  const addresses = await openDatabase(start)
  const databaseUrl = addresses.program
  await checkDurability(databaseUrl)
  await bringToNewestSchema(addresses, start.log)
  await checkSecretKey(config, databaseUrl)
  await checkVaultKeys(config, databaseUrl)
  const preparation = { config, databaseUrl, stopping, say }
  await Promise.all([prepareDemo(preparation), prepareOwner(preparation), building])
  stopping.throwIfAborted()
  const forChildren = await withSandboxSettings({
    ...config,
    databaseUrl: secret(databaseUrl),
    secretKey: programKey(config),
  })
  if (config.role !== 'worker' || config.demo) await keepOwn(start, 'vault', forChildren)
  // The others wait until the first page can be had: starting all at once delays it on a small machine.
  if (config.role !== 'worker') {
    await keepOwn(start, 'web', forChildren)
    await unlessGivenUp(start, ready(config, stopping))
    await keepOwn(start, 'pictures', forChildren)
  }
  start.sandboxes.push(...keepSandboxes(forChildren, start.log))
  if (config.role !== 'web') await keepOwn(start, 'worker', forChildren)
  say(config.role === 'worker' ? 'The worker has started.' : `Ready: ${config.publicUrl}`)
  return unlessGivenUp(start, new Promise<never>(() => {}))
}

/** Waits, but fails with its sentence when a process cannot be kept running, and at once when asked to stop. */
async function unlessGivenUp<T>({ running, stopping }: Start, waiting: Promise<T>): Promise<T> {
  const failures = [...running.values()].map(async (kept): Promise<never> => {
    throw refusal(await kept.givenUp)
  })
  return Promise.race([waiting, aborted(stopping), ...failures])
}

function aborted(stopping: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (stopping.aborted) reject(stopping.reason)
    else stopping.addEventListener('abort', () => reject(stopping.reason), { once: true })
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Beside the database's start, as neither needs the other. In its own process: its memory is gone when it is done. */
async function buildWhatIsStale(stopping: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'scripts', 'build.ts'), '--if-stale'], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: inheritedEnvironment(),
    signal: stopping,
    killSignal: 'SIGTERM',
  })
  passOn(child)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  stopping.throwIfAborted()
  if (code !== 0) throw refusal('The shop could not be built; the lines above say why.')
}

async function openDatabase(start: Start): Promise<DatabaseAddresses> {
  const { config, log } = start
  const own = ownAddresses(config)
  if (own) {
    await checkServer(own.program)
    return own
  }
  let server: EmbeddedPostgres | undefined
  await keep(start, 'postgres', async () => {
    server = await startEmbeddedPostgres({
      dataDirectory: config.dataDirectory,
      log,
      archiveTo: config.backupDirectory,
      ...(server ? { port: server.port } : {}),
    })
    return asRunning(server)
  })
  if (!server) throw new Error('The embedded PostgreSQL has no address')
  if (server.outside)
    say(
      `PostgreSQL runs as another user, who cannot get into ${config.dataDirectory}: the database is in ${server.outside}.`,
    )
  return server.addresses
}

function asRunning(server: EmbeddedPostgres): RunningProcess {
  return {
    pid: server.pid,
    exited: server.exited,
    stop: () => server.stop(),
    kill: () => signal(server.pid, 'SIGQUIT'),
  }
}

async function keep(
  start: Start,
  name: ProcessName,
  launch: () => Promise<RunningProcess>,
  how: Partial<KeepOptions> = {},
): Promise<void> {
  const { log, running, stopping } = start
  stopping.throwIfAborted()
  const first = await launch()
  running.set(
    name,
    keepRunning({
      name,
      first,
      launch,
      log,
      ...how,
      onStart: (pid) => notePid(start, name, pid),
    }),
  )
  stopping.throwIfAborted()
}

/** For people and programs that look for it; a disk that is full keeps no process from running. */
function notePid({ directory, log }: Start, name: ProcessName, pid: number): void {
  try {
    directory.notePid(name, pid)
  } catch (error) {
    log.warn(`the id of the ${name} process could not be noted`, { pid, error })
  }
}

async function keepOwn(start: Start, name: OwnProcess, config: Config): Promise<void> {
  await keep(start, name, async () => launchOwn(name, config), keepingOf(name, config))
}

async function ready(config: Config, stopping: AbortSignal): Promise<void> {
  const url = `${addressOf(config.host, config.port)}/readyz`
  for (
    const deadline = performance.now() + READY_TIMEOUT_MS;
    performance.now() < deadline;
    await sleep(40, undefined, { signal: stopping })
  ) {
    const status = await fetch(url, {
      signal: AbortSignal.any([stopping, AbortSignal.timeout(5_000)]),
    }).then(
      (answer) => answer.status,
      () => 0,
    )
    stopping.throwIfAborted()
    if (status === 200) return
  }
  throw refusal(
    `The shop did not become ready within ${READY_TIMEOUT_MS / 1000} seconds; ${url} says what is missing.`,
  )
}

async function stopAll(
  running: Running,
  sandboxes: readonly SupervisedProcess[],
  directory: ClaimedDirectory,
): Promise<void> {
  const ended = Promise.all(sandboxes.map((kept) => kept.stop()))
  for (const name of STOPPED) {
    const kept = running.get(name)
    if (!kept) continue
    await sayWaiting(kept.stop(), { what: `the ${name} process`, say })
    directory.forgetPid(name)
  }
  await ended
}

/** The operator asked a second time: nothing is waited for; the database recovers at its next start. */
function forceEnd(
  running: Running,
  sandboxes: readonly SupervisedProcess[],
  directory: ClaimedDirectory,
): never {
  for (const kept of sandboxes) kept.kill()
  for (const [name, kept] of running) {
    kept.kill()
    directory.forgetPid(name)
  }
  directory.release()
  process.exit(FORCED_EXIT_CODE)
}
