import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { newClient } from './client.ts'
import { isNewest, readEdition, replaceFunctions } from './schema/functions.ts'
import { grantToProgram, QUEUE_SCHEMA } from './schema/grants.ts'
import { applyPending, listPending, MigrationError, readMigrations } from './schema/migrations.ts'

/** One number for "a migration is running", so that two processes starting together take turns. */
const LOCK = 7_126_031

export interface Migrated {
  readonly applied: readonly string[]
  /** The edition the functions and views were replaced by, if they were. */
  readonly edition: number | undefined
}

export interface MigrationTarget {
  /** Address for the role that owns the tables. */
  readonly owner: string
  /** Address for the role that the program works as; the same where there is one. */
  readonly program: string
}

/**
 * Brings the database to the newest schema: forward-only SQL files, each in its own transaction or building indexes beside shoppers, then functions and views in
 * one, and the job queue's own tables; then says what the program's role may do. Throws MigrationError when the database is of a
 * newer program that this one cannot work beside, a released file has been changed, or this role may not migrate and should.
 */
export async function migrate(target: string | MigrationTarget): Promise<Migrated> {
  const { owner, program } =
    typeof target === 'string' ? { owner: target, program: target } : target
  const client = newClient({ connectionString: owner, application_name: 'lukado migrate' })
  await client.connect()
  try {
    await takeTurn(client)
    // Not of a schema that is named like the role, where the program could once have put something for us to run.
    await client.query('set search_path = public')
    if (!(await mayMigrate(client))) return await refuseUnlessNewest(client)
    const applied = await applyPending(client, readMigrations())
    const edition = readEdition()
    const isReplaced = await replaceFunctions(client, edition)
    if (owner !== program) {
      if (!(await hasQueue(client))) await runMigrations({ connectionString: owner })
      await grantToProgram(client, await roleOf(program))
    }
    await runMigrations({ connectionString: program })
    return { applied, edition: isReplaced ? edition.number : undefined }
  } finally {
    await client.end()
  }
}

const TURN_MS = 200

/**
 * One at a time. Asked for again and again, as whoever waits within a statement is waited for by an index that is built beside shoppers, and
 * both would wait for good.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [LOCK],
    )
    if (rows[0]?.mine) return
    await sleep(TURN_MS)
  }
}

async function hasQueue(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass($1) is not null as there`,
    [`${QUEUE_SCHEMA}.migrations`],
  )
  return rows[0]?.there ?? false
}

async function mayMigrate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege(current_user, 'public', 'create') as may`,
  )
  return rows[0]?.may ?? false
}

/** The program's own role cannot migrate; where there is nothing to do it need not. */
async function refuseUnlessNewest(client: pg.Client): Promise<Migrated> {
  const pending = await listPending(client, readMigrations())
  if (pending.length > 0 || !(await isNewest(client, readEdition())))
    throw new MigrationError(
      'The database has to be migrated, and the role of DATABASE_URL may not: run npm run cli -- migrate with DATABASE_OWNER_URL.',
    )
  return { applied: [], edition: undefined }
}

async function roleOf(url: string): Promise<string> {
  const client = newClient({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string }>('select current_user as role')
    return rows[0]?.role ?? ''
  } finally {
    await client.end()
  }
}
