import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { TOLD_SEQUENCES } from '#platform/schema/number-sequences.ts'
import { addCurrencies, addItem, buy, type TestItem } from '../../test/support/buying.ts'
import { signedIn, somebody } from '../../test/support/people.ts'
import { makeBackup } from './backup.ts'
import { restoreShop } from './restore.ts'
import { removeDataFolder } from '../../test/support/data-folder.ts'

const log = createLogger({ level: 'error' })
/** More than a process draws ahead, and than the log of the database lets a sequence skip by itself. */
const LOST = 100
const AFTERWARDS = 220
let root = ''
let server: EmbeddedPostgres
let item: TestItem

const configIn = (name: string) => readConfig({ DATA_DIR: join(root, name), DEMO: '0' })

/** As a process of the shop works: in the program's role, with numbers drawn by itself. */
async function inShop<T>(of: EmbeddedPostgres, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: of.addresses.program, poolSize: 4, statementTimeoutMs: 30_000 })
  try {
    return await work(createCtx({ db, keys: createKeys(Buffer.alloc(32, 7)), log, actor: 'test' }))
  } finally {
    await db.destroy()
  }
}

/** What people are told: the numbers of orders made, and of reviews written. */
async function give(of: EmbeddedPostgres, count: number): Promise<string[]> {
  return inShop(of, async (ctx) => {
    const given: string[] = []
    for (let made = 0; made < count; made += 1) {
      const { number } = await buy(ctx, [{ item, delivery: 'direct_charge' }])
      const { rows } = await sql<{
        number: string
      }>`select nextval('review_number')::text as number`.execute(ctx.db)
      given.push(`order ${number}`, `review ${rows[0]?.number}`)
    }
    return given
  })
}

async function restored<T>(
  name: string,
  backup: string,
  work: (of: EmbeddedPostgres) => Promise<T>,
) {
  const { dataDirectory } = configIn(name)
  const result = await restoreShop(configIn(name), log, { backup, at: null, isQuarantining: true })
  expect(result.violations).toEqual([])
  const again = await startEmbeddedPostgres({ dataDirectory, log })
  try {
    return await work(again)
  } finally {
    await again.stop()
  }
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lukado-numbers-'))
  // Open to the user that runs the server for root.
  chmodSync(root, 0o711)
  server = await startEmbeddedPostgres({ dataDirectory: join(root, 'data'), log })
  await migrate(server.addresses)
  await inShop(server, async (ctx) => {
    await addCurrencies(ctx)
    item = await addItem(ctx, { delivery: 'direct_charge' })
  })
})
afterAll(async () => {
  await server.stop()
  removeDataFolder(root)
})

async function countSessions({ db }: Ctx): Promise<number> {
  return (await db.selectFrom('session').select('id').execute()).length
}

test('no number that was given after the instant of a backup is given again, however often that is restored', async () => {
  const before = await give(server, 3)
  await inShop(server, async (ctx) => signedIn(ctx, (await somebody(ctx)).accountId))
  const { folder } = await makeBackup(configIn('data'), log, {
    to: join(root, 'copy'),
    keep: null,
    now: new Date(),
  })
  const lost = await give(server, LOST)
  const first = await restored('first', folder, (of) => give(of, AFTERWARDS))
  const second = await restored('second', folder, async (of) => {
    expect(await inShop(of, countSessions)).toBe(0)
    const given = await give(of, AFTERWARDS)
    await inShop(of, async (ctx) => signedIn(ctx, (await somebody(ctx)).accountId))
    // What its own tools brought back, the operator's own server is told by a command.
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', 'cli.ts'), 'after-restore'],
      {
        env: {
          PATH: process.env.PATH ?? '',
          DATA_DIR: join(root, 'elsewhere'),
          DATABASE_URL: of.addresses.program,
          DATABASE_OWNER_URL: of.addresses.owner,
          DEMO: '0',
        },
        encoding: 'utf8',
      },
    )
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Numbers go on where none was ever given\.\nEvery promise .* holds\.\nEverybody signs in again: 1 sessions have ended, /,
      ),
    ])
    expect(await inShop(of, countSessions)).toBe(0)
    return [...given, ...(await give(of, AFTERWARDS))]
  })
  const all = [...before, ...lost, ...first, ...second]
  expect(new Set(all).size).toBe(all.length)
})

test('of every sequence it is known whether people are told its numbers', async () => {
  await inShop(server, async ({ db }) => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i') order by 1`.execute(
      db,
    )
    // Which free key is taken first is nobody's affair.
    expect(rows.map(({ name }) => name)).toEqual(
      ['card_key_pick', ...Object.keys(TOLD_SEQUENCES)].toSorted(),
    )
  })
})

test('numbers are not moved on while a process has some in hand', async () => {
  await inShop(server, async ({ db }) => {
    await sql`insert into running_process (id, kind, started_at, seen_at, clock_skew_ms) values (uuidv7(), 'web', now(), now(), 0)`.execute(
      db,
    )
  })
  const { stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', 'cli.ts'), 'after-restore'],
    {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: join(root, 'elsewhere'),
        DATABASE_URL: server.addresses.program,
        DATABASE_OWNER_URL: server.addresses.owner,
        DEMO: '0',
      },
      encoding: 'utf8',
    },
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('A web process of this shop runs')])
})
