import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { PROJECT_ROOT } from '../project.ts'
import { applyBeside, isBesideShoppers } from './beside.ts'

const FOLDER = join(PROJECT_ROOT, 'db', 'migrations')
/**
 * What a migration waits for a lock on a table that shoppers use, before it makes way for them and tries again. Whoever comes meanwhile
 * waits behind it: first briefly, then for longer, for a table that is never free for so short a time.
 */
const LOCK_STEP_MS = 100
const LOCK_MOST_MS = 2_000
const PAUSE_MS = 500
const TRIES = 50
/** Of an index that is built beside shoppers, each of which waits for long. */
const BESIDE_TRIES = 6
/** A table was held too long, or a shopper held one and waited for another that the migration had: nothing has changed. */
const IN_THE_WAY = ['55P03', '40P01']
/** First line of a migration after which releases that do not know it go on working. */
const EXPANDS = /^-- expand: /
/** Of a migration whose statements are all done, which only ever add. */
const NOTHING_LEFT = '-- expand: done'
/** Only adds, and landed before migrations said so. */
const ADDS_UNSAID = ['0005_reversed_credit.sql']

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

/** Every migration of this program, in order. */
export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

/**
 * Applies what the database has not seen yet, each in a transaction of its own, or statement by statement where that says so (`beside.ts`).
 *
 * `migration` lists those that every program must know: one that finds a name there which it does not know refuses to run.
 * `expansion` lists those that only add, so that an earlier release goes on working, and may be started again.
 */
export async function applyPending(
  client: pg.Client,
  files: readonly Migration[],
): Promise<string[]> {
  await client.query(
    `create table if not exists migration (name text primary key, hash text not null, applied_at timestamptz not null default now());
     create table if not exists expansion (name text primary key, hash text not null, applied_at timestamptz not null default now())`,
  )
  const pending = await findPending(client, files)
  for (const file of pending) await applyPatiently(client, file)
  return pending.map((file) => file.name)
}

/** What `applyPending` would apply, for a role that may only read. */
export async function listPending(
  client: pg.Client,
  files: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('migration') is not null and to_regclass('expansion') is not null as there`,
  )
  return rows[0]?.there ? findPending(client, files) : files
}

async function findPending(client: pg.Client, files: readonly Migration[]): Promise<Migration[]> {
  const done = await checkHistory(client, files)
  return files.filter((file) => !done.has(file.name))
}

async function checkHistory(client: pg.Client, files: readonly Migration[]): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; hash: string; isNeeded: boolean }>(
    `select name, hash, true as "isNeeded" from migration union all
     select name, hash, false from expansion order by name`,
  )
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const { name, hash, isNeeded } of rows) {
    const file = byName.get(name)
    if (!file && isNeeded)
      throw new MigrationError(
        `The database has been used by a newer version of Lukado (it knows migration ${name}). Start that version instead.`,
      )
    if (file && file.hash !== hash)
      throw new MigrationError(
        `Migration ${name} differs from the one this database was made with: it comes from between two releases. ` +
          'Start the version that made it; docs/operating/upgrade.md tells the ways on.',
      )
  }
  return new Set(rows.map((row) => row.name))
}

/** Shoppers go first: a table they hold is not waited for while they would have to wait behind us. */
async function applyPatiently(client: pg.Client, file: Migration): Promise<void> {
  const isBeside = isBesideShoppers(file.text)
  for (let tries = 1; ; tries += 1) {
    try {
      const lockMs = Math.min(tries * LOCK_STEP_MS, LOCK_MOST_MS)
      // What was built by then is not built again.
      if (isBeside) await applyBeside(client, file.text)
      await apply(client, isBeside ? { ...file, text: NOTHING_LEFT } : file, lockMs)
      return
    } catch (error) {
      if (isInTheWay(error) && tries < (isBeside ? BESIDE_TRIES : TRIES)) {
        await sleep(PAUSE_MS)
        continue
      }
      const reason = error instanceof Error ? error.message : String(error)
      throw new MigrationError(`Migration ${file.name} failed: ${reason}`)
    }
  }
}

async function apply(
  client: pg.Client,
  { name, text, hash }: Migration,
  lockMs: number,
): Promise<void> {
  const isExpansion = EXPANDS.test(text) || ADDS_UNSAID.includes(name)
  const list = isExpansion ? 'expansion' : 'migration'
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockMs}`)
    await client.query(text)
    await client.query(`insert into ${list} (name, hash) values ($1, $2)`, [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && IN_THE_WAY.includes(String(error.code))
}
