import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { isAlive } from '../processes.ts'
import { canReach, runsAsRoot, serverAccount } from './access.ts'
import {
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './embedded.ts'
import { removeDataFolder } from '../../../test/support/data-folder.ts'

const lines: string[] = []
const log = createLogger({ level: 'debug', write: (line) => lines.push(line) })

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('a durable server', () => {
  let folder = ''
  let server: EmbeddedPostgres | undefined
  const start = async () => (server = await startEmbeddedPostgres({ dataDirectory: folder, log }))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lukado-postgres-'))
    // Open to the user that runs the server for root, as a data directory made by the program is.
    chmodSync(folder, 0o711)
  })
  afterAll(async () => {
    await server?.stop()
    removeDataFolder(folder)
  })

  test('is made on first start: PostgreSQL 18, UTF-8, checksums, durable commits, password asked for', async () => {
    const { url, pid } = await start()
    expect(isAlive(pid)).toBe(true)
    const [row] = await ask(
      url,
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding,
      current_setting('data_checksums') as checksums, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('max_connections') as connections, upper('école') as upper, current_database() as database, current_setting('listen_addresses') as listens`,
    )
    expect(row).toEqual({
      major: 18,
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      connections: '180',
      upper: 'ÉCOLE',
      database: 'lukado',
      listens: '127.0.0.1',
    })
    expect(statSync(join(folder, 'postgres-password')).mode & 0o777).toBe(0o600)
    await expect(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    )
    expect(lines.join('')).not.toContain(
      readFileSync(join(folder, 'postgres-password'), 'utf8').trim(),
    )
  })

  test('ships the extensions the shop uses', async () => {
    expect(
      await ask(
        server?.url ?? '',
        `select count(*)::int as n from pg_available_extensions where name in ('pg_trgm', 'btree_gist', 'unaccent')`,
      ),
    ).toEqual([{ n: 3 }])
  })

  test('refuses a second server on the same data', async () => {
    await expect(startEmbeddedPostgres({ dataDirectory: folder, log })).rejects.toThrow(
      /in use by a running instance/,
    )
    expect(runningEmbeddedPostgres(folder)?.server).toBe(server?.url)
  })

  test("keeps its data over a stop and a start, and the files belong to the server's user alone", async () => {
    await ask(server?.url ?? '', 'create table kept (n int)')
    await ask(server?.url ?? '', 'insert into kept values (1)')
    await server?.stop()
    expect(isAlive(server?.pid ?? 0)).toBe(false)
    expect(runningEmbeddedPostgres(folder)).toBeUndefined()
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
    if (runsAsRoot()) expect(statSync(join(folder, 'postgres')).uid).toBe(serverAccount().uid)
    const { url } = await start()
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 1 }])
  })

  test('recovers what was committed when it was killed without warning', async () => {
    await ask(server?.url ?? '', 'insert into kept values (2)')
    process.kill(server?.pid ?? 0, 'SIGKILL')
    expect(await server?.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(true)
    const { url } = await start()
    expect(await ask(url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('is not stopped by a postmaster.pid whose process id another program has by now', async () => {
    await server?.stop()
    const file = join(folder, 'postgres', 'postmaster.pid')
    const owner = statSync(join(folder, 'postgres'))
    writeFileSync(file, `${process.pid}\n${join(folder, 'postgres')}\n1\n5432\n\n127.0.0.1\n`)
    chownSync(file, owner.uid, owner.gid)
    const { url } = await start()
    expect(await ask(url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }])
  })

  test('starts again on the port it had, for clients that know it', async () => {
    const port = server?.port ?? 0
    await server?.stop()
    server = await startEmbeddedPostgres({ dataDirectory: folder, log, port })
    expect(server.port).toBe(port)
  })

  test('says which file is missing when the password is lost, and starts nothing', async () => {
    await server?.stop()
    const file = join(folder, 'postgres-password')
    const password = readFileSync(file)
    rmSync(file)
    await expect(start()).rejects.toThrow(/postgres-password is missing/)
    writeFileSync(file, 'another one', { mode: 0o600 })
    await expect(start()).rejects.toThrow(
      /PostgreSQL did not start: password authentication failed/,
    )
    writeFileSync(file, password)
  })

  test('refuses data of another PostgreSQL in one sentence', async () => {
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(
      /was made by PostgreSQL 17, and this program comes with PostgreSQL 18\./,
    )
    server = undefined
  })
})

test('a throw-away server does not wait for the disk and starts in a closed temporary folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-postgres-'))
  const server = await startEmbeddedPostgres({ dataDirectory: folder, log, durable: false })
  expect(await ask(server.url, 'show fsync')).toEqual([{ fsync: 'off' }])
  expect(server.outside).toBeUndefined()
  await server.stop()
  removeDataFolder(folder)
})

test.runIf(runsAsRoot())(
  'the user who runs the server for root cannot pass into a closed folder',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'lukado-closed-'))
    expect(canReach(folder, serverAccount())).toBe(false)
    chmodSync(folder, 0o711)
    expect(canReach(folder, serverAccount())).toBe(true)
    removeDataFolder(folder)
  },
)
