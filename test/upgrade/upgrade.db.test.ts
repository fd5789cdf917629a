import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAccount } from '#features/people/account/commands.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { addFavourite } from '#features/people/favourite/commands.ts'
import { favouritesOnSale } from '#features/people/favourite/queries.ts'
import { createCtx, transaction, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { verifyPassword } from '#platform/password-hash.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { PASSWORD } from '../support/people.ts'
import { databaseUrl } from '../support/postgres-server.ts'

/** Databases of earlier releases, with data, named after their newest migration; scripts/keep-database.ts writes them. */
const RELEASES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -5))
const MIGRATIONS = join(PROJECT_ROOT, 'db', 'migrations')

describe.each(RELEASES)('a database of release %s', (release) => {
  const name = `upgrade_${process.pid}_${release}`
  let url: string
  let ctx: Ctx
  let before: Map<string, number>

  beforeAll(async () => {
    url = databaseUrl(inject('postgresUrl'), name)
    await onServer(inject('postgresUrl'), `create database ${name}`)
    before = await restore(url, release)
    ctx = createCtx({
      db: openDatabase({ url, poolSize: 2, statementTimeoutMs: 30_000 }),
      keys: createKeys(Buffer.alloc(32, 7)),
      log: createLogger({ level: 'error' }),
      actor: 'test',
    })
  })
  afterAll(async () => {
    await ctx.db.destroy()
    await onServer(inject('postgresUrl'), `drop database ${name} with (force)`)
  })

  test('migrates to the newest schema and keeps every row', async () => {
    const { applied } = await migrate(url)
    expect(applied).toEqual(
      readdirSync(MIGRATIONS)
        .filter((file) => file.endsWith('.sql') && file.slice(0, 4) > release)
        .sort(),
    )
    const after = await countRows(
      url,
      [...before.keys()].filter((table) => table !== 'migration'),
    )
    for (const [table, count] of after) expect([table, count]).toEqual([table, before.get(table)])
  })

  test('works: goods are read, and somebody new keeps one of them', async () => {
    const shop = await loadSnapshot(ctx.db, 1)
    expect(shop.catalogue.productByCode.get('vapour-us')?.items.length).toBe(2)
    const accountId = await transaction(ctx, (tx) =>
      createAccount(tx, ctx, {
        email: 'new@shop.example',
        userName: 'newshopper',
        passwordHash: null,
        language: 'de',
      }),
    )
    await addFavourite(ctx, shop, accountId, 'vapour-us')
    expect(
      (await favouritesOnSale(ctx.db, shop, accountId)).map((product) => product.code),
    ).toEqual(['vapour-us'])
  })
})

test('the people of release 0003 still get in with their password', async () => {
  const { account } = JSON.parse(readFileSync(join(import.meta.dirname, '0003.json'), 'utf8')) as {
    account: { password_hash: string }[]
  }
  for (const { password_hash: hash } of account)
    expect(await verifyPassword(hash, PASSWORD)).toBe(true)
})

async function onServer(serverUrl: string, statement: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(statement))
}

/** The released migrations, then the rows; triggers and references wait until all are there. */
async function restore(url: string, release: string): Promise<Map<string, number>> {
  const tables = JSON.parse(
    readFileSync(join(import.meta.dirname, `${release}.json`), 'utf8'),
  ) as Record<string, unknown[]>
  return withClient(url, async (client) => {
    await client.query(
      'create table migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    for (const file of readdirSync(MIGRATIONS)
      .filter((entry) => entry.endsWith('.sql') && entry.slice(0, 4) <= release)
      .sort()) {
      await client.query(readFileSync(join(MIGRATIONS, file), 'utf8'))
    }
    await client.query('set session_replication_role = replica')
    for (const [table, rows] of Object.entries(tables)) {
      const { rows: columns } = await client.query<{ list: string }>(
        `select string_agg(quote_ident(attname), ', ') as list from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      const list = columns[0]?.list ?? ''
      await client.query(
        `insert into "${table}" (${list}) overriding system value select ${list} from jsonb_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(rows)],
      )
    }
    return new Map(Object.entries(tables).map(([table, rows]) => [table, rows.length]))
  })
}

async function countRows(url: string, tables: readonly string[]): Promise<Map<string, number>> {
  return withClient(url, async (client) => {
    const counts = new Map<string, number>()
    for (const table of tables) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from "${table}"`,
      )
      counts.set(table, rows[0]?.count ?? 0)
    }
    return counts
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
