import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { newClient } from './client.ts'
import { migrate } from './migrate.ts'
import { isBesideShoppers } from './schema/beside.ts'
import { readEdition, replaceFunctions, type Edition } from './schema/functions.ts'
import { applyPending, readMigrations, MigrationError } from './schema/migrations.ts'

const database = useDatabase()

afterEach(async () => {
  await sql`update function_edition set number = 0`.execute(database.ctx.db)
  await migrate(database.url)
})

test('a migrated database needs nothing more', async () => {
  expect(await migrate(database.url)).toEqual({ applied: [], edition: undefined })
})

test('a database of a newer program is refused with a sentence', async () => {
  const { db } = database.ctx
  await db.insertInto('migration').values({ name: '9999_future.sql', hash: 'x' }).execute()
  await expect(migrate(database.url)).rejects.toThrow(
    /newer version of Lukado \(it knows migration 9999_future.sql\)/,
  )
  await db.deleteFrom('migration').where('name', '=', '9999_future.sql').execute()
})

test('what a newer program only added does not keep this one from starting', async () => {
  const { db } = database.ctx
  await db.insertInto('expansion').values({ name: '9999_future.sql', hash: 'x' }).execute()
  await expect(migrate(database.url)).resolves.toMatchObject({ applied: [] })
  await db.deleteFrom('expansion').where('name', '=', '9999_future.sql').execute()
})

test('a released migration that was edited is refused, and the way out is named', async () => {
  const { db } = database.ctx
  const [first] = readMigrations()
  await db.updateTable('migration').set({ hash: 'other' }).where('name', '=', first!.name).execute()
  await expect(migrate(database.url)).rejects.toThrow(MigrationError)
  await expect(migrate(database.url)).rejects.toThrow(/docs\/operating\/upgrade\.md/)
  await db
    .updateTable('migration')
    .set({ hash: first!.hash })
    .where('name', '=', first!.name)
    .execute()
})

test('a migration waits for shoppers who hold a table, and does not make others wait behind it', async () => {
  const shopper = await connected()
  const migrating = await connected()
  await shopper.query('begin; select from currency')
  const slow = {
    name: '9998_slow.sql',
    text: '-- expand: a test\nalter table currency add waited text',
    hash: 'x',
  }
  const applied = applyPending(migrating, [...readMigrations(), slow])
  const others = await connected()
  // Answered while the shopper holds the table and the migration wants it: behind that it would wait for good.
  await others.query('select count(*) from currency')
  await shopper.query('commit')
  expect(await applied).toEqual([slow.name])
  await others.query(
    `alter table currency drop waited; delete from expansion where name = '${slow.name}'`,
  )
  for (const client of [shopper, migrating, others]) await client.end()
})

test('a migration that a shopper deadlocks with is tried again', async () => {
  const shopper = await connected()
  const migrating = await connected()
  await migrating.query(`set deadlock_timeout = '50ms'`)
  await shopper.query(`set deadlock_timeout = '1min'; begin; select from currency`)
  const text =
    '-- expand: a test\nalter table region add waited text; select pg_sleep(0.3); alter table currency add waited text'
  const file = { name: '9997_deadlock.sql', text, hash: 'x' }
  const applied = applyPending(migrating, [...readMigrations(), file])
  await new Promise((resolve) => setTimeout(resolve, 200))
  await shopper.query('select from region; commit')
  expect(await applied).toEqual([file.name])
  await shopper.query(
    `alter table currency drop waited; alter table region drop waited; delete from expansion where name = '${file.name}'`,
  )
  for (const client of [shopper, migrating]) await client.end()
})

describe('an index that is built beside shoppers', () => {
  const file = {
    name: '9996_beside.sql',
    text: '-- expand: a test\n-- beside shoppers\ncreate index concurrently if not exists currency_tested on currency (minor_units);\n',
    hash: 'x',
  }
  const all = [...readMigrations(), file]
  const isValid = async () =>
    (
      await sql<{ valid: boolean }>`
        select indisvalid as valid from pg_index where indexrelid = to_regclass('currency_tested')`.execute(
        database.ctx.db,
      )
    ).rows[0]?.valid ?? null

  test('keeps nobody from writing, and is taken up where a process that was killed has left it', async () => {
    const [shopper, migrating, others] = [await connected(), await connected(), await connected()]
    const { rows } = await migrating.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid
    // Whoever was writing is waited for, with the index begun.
    await shopper.query('begin; update currency set code = code where false')
    const applied = applyPending(migrating, all).catch((error: unknown) => error)
    while ((await locksOf(pid, false)).length === 0);
    // Who comes meanwhile writes all the same.
    await others.query('update currency set code = code where false')
    expect(await locksOf(pid, true)).toEqual(['ShareUpdateExclusiveLock'])
    await others.query('select pg_terminate_backend($1)', [pid])
    expect(await applied).toBeInstanceOf(MigrationError)
    await shopper.query('commit')
    expect(await isValid()).toBe(false)

    expect(await applyPending(others, all)).toEqual([file.name])
    expect(await isValid()).toBe(true)
    expect(await applyPending(others, all)).toEqual([])
    await others.query(
      `drop index currency_tested; delete from expansion where name = '${file.name}'`,
    )
    for (const client of [shopper, others]) await client.end()
  })

  test('is built once by two processes that start together, neither of which waits for the other', async () => {
    const { db } = database.ctx
    const name = readMigrations().find(({ text }) => isBesideShoppers(text))?.name ?? ''
    await sql`drop index account_newest`.execute(db)
    await db.deleteFrom('expansion').where('name', '=', name).execute()
    const done = await Promise.all([migrate(database.url), migrate(database.url)])
    expect(done.map(({ applied }) => applied).toSorted()).toEqual([[], [name]])
  })

  /** Modes of the locks on the table that a process has, or of whatever it waits for. */
  async function locksOf(pid: number | undefined, isHeld: boolean): Promise<string[]> {
    const { rows } = await sql<{ mode: string }>`
      select distinct mode from pg_locks where pid = ${pid} and granted = ${isHeld} and (not ${isHeld} or relation = 'currency'::regclass)`.execute(
      database.ctx.db,
    )
    return rows.map(({ mode }) => mode)
  }
})

test('functions of an earlier edition are replaced, those of a later one stay', async () => {
  const { db } = database.ctx
  const tampered = `create or replace function is_append_only() returns trigger language plpgsql as $$ begin return new; end $$`
  await sql.raw(tampered).execute(db)
  await sql`update function_edition set number = 9999`.execute(db)
  expect(await migrate(database.url)).toMatchObject({ edition: undefined })
  expect(await bodyOf('is_append_only')).not.toContain('append-only')

  await sql`update function_edition set number = 0`.execute(db)
  expect(await migrate(database.url)).toMatchObject({ edition: readEdition().number })
  expect(await bodyOf('is_append_only')).toContain('append-only')
})

test('views get other columns in the order they depend on each other', async () => {
  const texts = (columns: string) => [
    `create or replace view lower_one as select ${columns};`,
    'create or replace view upper_one as select * from lower_one;',
  ]
  await replaced({ number: 9001, hash: 'a', texts: texts('1 as a, 2 as b') })
  await replaced({ number: 9002, hash: 'b', texts: texts(`'x'::text as c`) })
  const { rows } = await sql<{ c: string }>`select * from upper_one`.execute(database.ctx.db)
  expect(rows).toEqual([{ c: 'x' }])
  await sql`drop view upper_one, lower_one`.execute(database.ctx.db)
})

test('a view that somebody built on ours is not dropped with it: the whole edition is refused', async () => {
  const { db } = database.ctx
  await replaced({
    number: 9001,
    hash: 'a',
    texts: ['create or replace view ours as select 1 as a;'],
  })
  await sql`create view theirs as select a from ours`.execute(db)
  const edition = {
    number: 9002,
    hash: 'b',
    texts: [
      'create or replace function made() returns integer language sql as $$ select 1 $$',
      'create or replace view ours as select 2 as b;',
    ],
  }
  await expect(replaced(edition)).rejects.toThrow(
    /cannot drop view ours because other objects depend on it/,
  )
  expect((await sql`select from pg_proc where proname = 'made'`.execute(db)).rows).toEqual([])
  expect((await sql`select a from theirs`.execute(db)).rows).toEqual([{ a: 1 }])
  await sql`drop view theirs, ours`.execute(db)
})

test('work that is not on the list of editions yet is the next edition, whatever stands in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-functions-'))
  try {
    writeFileSync(join(folder, '10_a.sql'), 'select 1')
    writeFileSync(join(folder, 'editions.txt'), 'one\ntwo\n')
    const next = readEdition(folder)
    expect(next.number).toBe(3)
    writeFileSync(join(folder, 'editions.txt'), `one\ntwo\n${next.hash}\n`)
    expect(readEdition(folder)).toEqual(next)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function replaced(edition: Edition): Promise<boolean> {
  const client = await connected()
  try {
    return await replaceFunctions(client, edition)
  } finally {
    await client.end()
  }
}

async function connected() {
  const client = newClient({ connectionString: database.url })
  await client.connect()
  return client
}

async function bodyOf(name: string): Promise<string> {
  const { rows } = await sql<{
    body: string
  }>`select prosrc as body from pg_proc where proname = ${name}`.execute(database.ctx.db)
  return rows[0]?.body ?? ''
}
