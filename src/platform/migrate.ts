import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { newClient } from './client.ts'
import { PROJECT_ROOT } from './project.ts'

const FOLDER = join(PROJECT_ROOT, 'db', 'migrations')
/** One number for "a migration is running", so that two processes starting together take turns. */
const LOCK = 7_126_031

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/**
 * Brings the database to the newest schema: forward-only SQL files, each in its own transaction, and the job queue's own
 * tables. Throws MigrationError when the database is newer than this program or a released file has been changed.
 */
export async function migrate(databaseUrl: string): Promise<{ applied: string[] }> {
  const client = newClient({ connectionString: databaseUrl, application_name: 'lukado migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      `create table if not exists migration (name text primary key, hash text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await applyPending(client)
    await runMigrations({ connectionString: databaseUrl })
    return { applied }
  } finally {
    await client.end()
  }
}

async function applyPending(client: pg.Client): Promise<string[]> {
  const files = readMigrations()
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from migration order by name',
  )
  checkHistory(files, rows)
  const done = new Set(rows.map((row) => row.name))
  const pending = files.filter((file) => !done.has(file.name))
  for (const file of pending) {
    await client.query('begin')
    try {
      await client.query(file.text)
      await client.query('insert into migration (name, hash) values ($1, $2)', [
        file.name,
        file.hash,
      ])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new MigrationError(
        `Migration ${file.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  return pending.map((file) => file.name)
}

function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

function checkHistory(
  files: readonly Migration[],
  rows: readonly { name: string; hash: string }[],
): void {
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const row of rows) {
    const file = byName.get(row.name)
    if (!file)
      throw new MigrationError(
        `The database has been used by a newer version of Lukado (it knows migration ${row.name}). Start that version instead.`,
      )
    if (file.hash !== row.hash)
      throw new MigrationError(
        `Migration ${row.name} differs from the one this database was made with. Released migrations never change.`,
      )
  }
}
