import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { isAlive, parentOf, signal } from '#platform/processes.ts'
import { longRunTest } from '../../test/support/long.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

/** Nothing is synced in it: no place for orders. */
const throwAway = useDatabase()
let server: EmbeddedPostgres
let databaseUrl = ''
const started: ChildProcess[] = []
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-start-'))
  server = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'durable'),
    log: createLogger({ level: 'error' }),
  })
  databaseUrl = server.url
})
// Whatever a test left running would hold the folder against the next.
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})
afterAll(async () => {
  await server.stop()
  removeDataFolder(folder)
})

/** The program as an operator starts it on a machine for jobs only: no build, no port. */
function start(url = databaseUrl, key = 1) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'cli.ts'), 'start'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: folder,
      DATABASE_URL: url,
      ROLE: 'worker',
      DEMO: '0',
      SECRET_KEY: Buffer.alloc(32, key).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const said = { out: '', complaint: '' }
  child.stdout.on('data', (chunk) => {
    said.out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    said.complaint += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, said, ended }
}

/** A PostgreSQL server and the processes of its connections. */
function childrenOf(postmaster: number): number[] {
  return [
    postmaster,
    ...readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && parentOf(pid) === postmaster),
  ]
}

async function until<T>(look: () => T | undefined | false, timeoutMs = 120_000): Promise<T> {
  for (
    const deadline = performance.now() + timeoutMs;
    performance.now() < deadline;
    await sleep(20)
  ) {
    const found = look()
    if (found !== undefined && found !== false) return found
  }
  throw new Error('waited too long')
}

function workerPid(): number | undefined {
  const file = join(folder, 'run', 'worker.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

test('a killed process comes back, a second start is refused, and SIGTERM ends all', async () => {
  const { child, said, ended } = start()
  await until(() => said.out.includes('The worker has started.'))
  const first = await until(workerPid)
  expect(isAlive(first)).toBe(true)

  const second = start()
  expect(await second.ended).toBe(1)
  expect(second.said.complaint).toBe(
    `DATA_DIR ${folder} is already used by a running instance (process ${child.pid}). Stop that one first, or choose another DATA_DIR.\n`,
  )

  process.kill(first, 'SIGKILL')
  const next = await until(() => {
    const pid = workerPid()
    return pid !== first && pid
  })
  expect(isAlive(next)).toBe(true)

  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect([isAlive(first), isAlive(next)]).toEqual([false, false])
  expect(readdirSync(join(folder, 'run'))).toEqual([])
})

test('a key other than the one that second factors are sealed with is refused in one sentence', async () => {
  await migrate(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const account = randomUUID()
  await client.query(
    `insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, language, registered_at)
     values ($1, 'abcdefghijklmnopqrstuv', 100000001, 'ownerof', 'O', 'o@shop.example', now(), 'en', now())`,
    [account],
  )
  await client.query(
    `insert into second_factor (account_id, sealed_seed, confirmed_at) values ($1, $2, now())`,
    [account, createKeys(Buffer.alloc(32, 1)).seal('second-factor', Buffer.alloc(20, 5))],
  )
  await client.end()
  const { said, ended } = start(databaseUrl, 2)
  expect(await ended).toBe(1)
  expect(said.complaint).toMatch(
    /^SECRET_KEY, or secret\.key in DATA_DIR, is another one than this shop was made with: [^\n]+\n$/,
  )
})

longRunTest(
  'a worker that hangs is started again, and a frozen database restarts nothing',
  async () => {
    const { child, said, ended } = start()
    await until(() => said.complaint.includes('ready for jobs'))
    const worker = await until(workerPid)
    const database = childrenOf(server.pid)
    // Some of them are only passing: autovacuum's workers, say.
    for (const pid of database) signal(pid, 'SIGSTOP')
    await sleep(40_000)
    for (const pid of database) signal(pid, 'SIGCONT')
    expect(workerPid()).toBe(worker)

    process.kill(worker, 'SIGSTOP')
    const next = await until(() => {
      const pid = workerPid()
      return pid !== worker && pid
    })
    expect(said.complaint).toContain(
      'the worker process has given no sign of life for 30 seconds and is ended',
    )
    expect([isAlive(worker), isAlive(next)]).toEqual([false, true])
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)

test('a program killed without warning takes its processes along, and the next start works', async () => {
  const { child, said, ended } = start()
  await until(() => said.complaint.includes('ready for jobs'))
  const worker = await until(workerPid)
  child.kill('SIGKILL')
  await ended
  await until(() => !isAlive(worker))
  const again = start()
  await until(() => again.said.out.includes('The worker has started.'))
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
})

test('a database of a newer version is refused in one sentence', async () => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`insert into migration (name, hash) values ('9999_later.sql', 'x')`)
  await client.end()
  const { said, ended } = start()
  expect(await ended).toBe(1)
  expect(said.complaint).toBe(
    'The database has been used by a newer version of Lukado (it knows migration 9999_later.sql). Start that version instead.\n',
  )
})

test('a database that may forget what it confirmed is refused in one sentence', async () => {
  const { said, ended } = start(throwAway.url)
  expect(await ended).toBe(1)
  expect(said.complaint).toBe(
    'The database runs with fsync = off and synchronous_commit = off, so that a crash could lose orders that were paid: switch it on.\n',
  )
})
