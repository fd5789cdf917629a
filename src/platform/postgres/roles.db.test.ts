import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseUrl } from '../../../test/support/postgres-server.ts'
import { createLogger } from '../log.ts'
import { migrate } from '../migrate.ts'
import { applyPending, readMigrations } from '../schema/migrations.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.ts'
import { removeDataFolder } from '../../../test/support/data-folder.ts'

const log = createLogger({ level: 'error' })
const DENIED = '42501'
/** What a program that was taken over would try, to change what has happened. */
const FORBIDDEN = [
  'update ledger_transfer set amount_minor = 1',
  'delete from ledger_transfer',
  'truncate ledger_transfer',
  'delete from ledger_account',
  'update audit_log set actor = $$nobody$$',
  'delete from audit_log',
  'delete from key_access',
  'delete from order_event',
  'update order_event set reason = $$other$$',
  'alter table ledger_transfer disable trigger all',
  'drop trigger ledger_transfer_append_only on ledger_transfer',
  'create or replace function is_append_only() returns trigger language plpgsql as $$ begin return new; end $$',
  'set session_replication_role = replica',
  'delete from migration',
  'update function_edition set number = 0',
  'insert into transition_rule values ($$order$$, $$expired$$, $$completed$$)',
  'alter role lukado_program superuser',
  'create role another superuser',
  `copy (select 1) to program 'true'`,
  `set role lukado_owner`,
  `select setval('order_sequence', 1)`,
  'create schema lukado_owner',
  'create schema lukado',
  'create view public.trap as select 1',
]

describe('the embedded server', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-roles-'))
  // Whoever runs the server for root must get in.
  chmodSync(dataDirectory, 0o711)
  let server: EmbeddedPostgres | undefined
  const launch = () => startEmbeddedPostgres({ dataDirectory, log })
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })
  afterAll(() => removeDataFolder(dataDirectory))

  test('hands a database that an earlier release made as its superuser to an owner, with all in it, and the queue to the program', async () => {
    server = await launch()
    await using old = await connect(server.url)
    await old.query(
      'alter database lukado owner to lukado; drop owned by lukado_owner, lukado_program; drop role lukado_program, lukado_owner',
    )
    await applyPending(old, readMigrations())
    await migrate(server.url)
    await old.query(
      `insert into audit_log (id, at, actor, request_id, action, subject, subject_code) values ('${randomUUID()}', now(), 'test', 'r', 'create', 'item', 'x')`,
    )
    await server.stop()

    server = await launch()
    await migrate(server.addresses)
    await using owner = await connect(server.addresses.owner)
    const { rows } = await owner.query(
      `select nspname as schema, array_agg(distinct relowner::regrole::text) as owners from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname in ('public', 'graphile_worker') group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { schema: 'graphile_worker', owners: ['lukado_program'] },
      { schema: 'public', owners: ['lukado_owner'] },
    ])
    expect(
      (
        await owner.query(
          'select distinct proowner::regrole::text as owner from pg_proc where pronamespace = $1::regnamespace',
          ['public'],
        )
      ).rows,
    ).toEqual([{ owner: 'lukado_owner' }])
    await using program = await connect(server.addresses.program)
    expect((await program.query('select actor from audit_log')).rows).toEqual([{ actor: 'test' }])
  })

  test('lets the program add to what has happened, and neither change it nor its guards', async () => {
    server = await launch()
    await migrate(server.addresses)
    await using program = await connect(server.addresses.program)
    await program.query(
      `insert into audit_log (id, at, actor, request_id, action, subject, subject_code) values ('${randomUUID()}', now(), 'test', 'r', 'create', 'item', 'x')`,
    )
    await program.query('update order_event set is_to_tell = false')
    await program.query(`select setval('review_number', 1000000001)`)
    await program.query(`select graphile_worker.add_job('test', '{}')`)
    expect(
      (await program.query(`select task_identifier from graphile_worker.jobs`)).rows,
    ).toHaveLength(1)
    for (const statement of FORBIDDEN)
      expect([statement, await codeOf(program, statement)]).toEqual([statement, DENIED])
  })

  test('runs nothing that the program left for its owner in a schema named like it, and the owner could not make it more', async () => {
    server = await launch()
    await migrate(server.addresses)
    {
      await using old = await connect(server.url)
      await old.query('grant create on database lukado to lukado_program')
    }
    await using program = await connect(server.addresses.program)
    for (const schema of ['lukado_owner', 'lukado'])
      await program.query(`
        create schema ${schema};
        create table ${schema}.ran (by text);
        create function ${schema}.trap() returns boolean language plpgsql as $$ begin insert into ${schema}.ran values (session_user); return true; end $$;
        create view ${schema}.migration as select * from public.migration where ${schema}.trap();
        create view ${schema}.expansion as select * from public.expansion where ${schema}.trap();
        create view ${schema}.function_edition as select * from public.function_edition where ${schema}.trap();
        grant all on schema ${schema} to public;
        grant all on all tables in schema ${schema} to public`)
    await server.stop()
    server = await launch()
    await migrate(server.addresses)
    await using again = await connect(server.addresses.program)
    for (const schema of ['lukado_owner', 'lukado']) {
      expect((await again.query(`select * from ${schema}.ran`)).rows).toEqual([])
      await again.query(`drop schema ${schema} cascade`)
    }
    await using owner = await connect(server.addresses.owner)
    expect(
      (
        await owner.query(
          'select session_user, rolsuper from pg_roles where rolname = session_user',
        )
      ).rows,
    ).toEqual([{ session_user: 'lukado_owner', rolsuper: false }])
    expect(await codeOf(owner, 'set role lukado')).toBe(DENIED)
    expect(await codeOf(owner, 'alter role lukado_program superuser')).toBe(DENIED)
  })

  test('starts again with nothing to hand over, and the program says so when it cannot migrate', async () => {
    server = await launch()
    expect(await migrate(server.addresses)).toEqual({ applied: [], edition: undefined })
    expect(await migrate(server.addresses.program)).toEqual({ applied: [], edition: undefined })
    await using owner = await connect(server.addresses.owner)
    await owner.query('update function_edition set number = 0')
    await expect(migrate(server.addresses.program)).rejects.toThrow(/DATABASE_OWNER_URL/)
    await migrate(server.addresses)
  })
})

describe('a server of one’s own, with a role that owns and one that writes', () => {
  const name = `roles_${process.pid}`
  const roles = { owner: `${name}_owner`, program: `${name}_program` }
  const address = (role: keyof typeof roles) => {
    const url = new URL(databaseUrl(inject('postgresUrl'), name))
    url.username = roles[role]
    url.password = 'x'
    return url.href
  }
  beforeAll(async () => {
    await using server = await connect(inject('postgresUrl'))
    for (const role of Object.values(roles))
      await server.query(`create role ${role} login password 'x'`)
    await server.query(`grant ${roles.program} to ${roles.owner}`)
    await server.query(`create database ${name} owner ${roles.owner}`)
  })
  afterAll(async () => {
    await using server = await connect(inject('postgresUrl'))
    await server.query(`drop database ${name} with (force)`)
    for (const role of Object.values(roles)) await server.query(`drop role ${role}`)
  })

  test('is migrated by the one, from a shop that had one role for all, and used by the other', async () => {
    await migrate(address('owner'))
    await migrate({ owner: address('owner'), program: address('program') })
    expect(await migrate(address('program'))).toEqual({ applied: [], edition: undefined })
    await using program = await connect(address('program'))
    await program.query(`select graphile_worker.add_job('test', '{}')`)
    for (const statement of [
      'delete from audit_log',
      'update ledger_transfer set amount_minor = 1',
      'drop table visit',
    ])
      expect(await codeOf(program, statement)).toBe(DENIED)
  })
})

async function codeOf(client: pg.Client, statement: string): Promise<unknown> {
  return client.query(statement).then(
    () => 'done',
    (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
  )
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url }).on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) })
}
