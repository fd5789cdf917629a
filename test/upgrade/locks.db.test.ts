import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newClient } from '#platform/client.ts'
import { applyBeside, isBesideShoppers } from '#platform/schema/beside.ts'
import { readMigrations } from '#platform/schema/migrations.ts'
import { LONG_TABLES } from '../../scripts/migrations.ts'
import { databaseUrl } from '../support/postgres-server.ts'

/** Releases from here on go on selling while they are upgraded to. */
const SINCE = '0050'
const NAME = `test_locks_${process.pid}`
let client: pg.Client

beforeAll(async () => {
  await admin(`create database ${NAME}`)
  client = newClient({ connectionString: databaseUrl(inject('postgresUrl'), NAME) })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await admin(`drop database ${NAME} with (force)`)
})

async function admin(statement: string): Promise<void> {
  const one = newClient({ connectionString: inject('postgresUrl') })
  await one.connect()
  await one.query(statement)
  await one.end()
}

/** Where the rows of each long table lie, and what is checked of them. */
async function look() {
  const { rows } = await client.query<{ name: string; file: string; checks: string[] }>(
    `select c.relname as name, pg_relation_filenode(c.oid)::text as file,
       coalesce((select array_agg(k.conname::text) from pg_constraint k where k.conrelid = c.oid and k.contype in ('c','f')), '{}') as checks
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1)`,
    [LONG_TABLES],
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** What of a migration, not committed yet, would keep shoppers from a long table for as long as that is read or written anew. */
async function findKept(before: Awaited<ReturnType<typeof look>>): Promise<string[]> {
  const { rows: locked } = await client.query<{ name: string }>(
    `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.mode = 'ShareLock' and c.relname = any($1)`,
    [[...before.keys()]],
  )
  const { rows: read } = await client.query<{ name: string; check: string }>(
    `select c.relname as name, k.conname::text as check from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.convalidated and k.contype in ('c','f') and c.relname = any($1)`,
    [[...before.keys()]],
  )
  const after = await look()
  return [
    ...locked.map(({ name }) => `${name}: an index is built`),
    ...read
      .filter(({ name, check }) => !before.get(name)?.checks.includes(check))
      .map(({ name, check }) => `${name}: ${check} is looked for in every row at once`),
    ...[...before]
      .filter(([name, { file }]) => after.has(name) && after.get(name)?.file !== file)
      .map(([name]) => `${name}: it is written anew`),
  ]
}

test('no migration keeps shoppers from a long table for longer than a moment', async () => {
  const kept: string[] = []
  for (const { name, text } of readMigrations()) {
    if (isBesideShoppers(text)) await applyBeside(client, text)
    else {
      const before = await look()
      await client.query('begin')
      await client.query(text)
      if (name >= SINCE) kept.push(...(await findKept(before)).map((one) => `${name}: ${one}`))
      await client.query('commit')
    }
  }
  expect(kept).toEqual([])
})

test('what it looks for is found', async () => {
  const before = await look()
  await client.query('begin')
  await client.query(
    `create index account_tested on account (uid, status);
     alter table review add constraint review_tested check (published_at > '-infinity');
     alter table refund alter column reason type varchar(100)`,
  )
  const kept = await findKept(before)
  await client.query('rollback')
  expect(kept).toEqual(
    expect.arrayContaining([
      'account: an index is built',
      'review: review_tested is looked for in every row at once',
      'refund: it is written anew',
    ]),
  )
})
