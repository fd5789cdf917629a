import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { PROJECT_ROOT } from '../project.ts'
import { MigrationError } from './migrations.ts'

const FOLDER = join(PROJECT_ROOT, 'db', 'functions')
/** One checksum a line, newest last: the number of a line is the number of the edition. */
export const EDITIONS = join(FOLDER, 'editions.txt')
const INVALID_TABLE_DEFINITION = '42P16'
const VIEW = /^create or replace view ([a-z_]+) /gm

/** The functions and views of a program, as a whole. */
export interface Edition {
  readonly number: number
  readonly hash: string
  /** Statements of each file, in the order they are made in. */
  readonly texts: readonly string[]
}

/** What stands in db/functions; work that is not on the list of editions yet counts as the next one. */
export function readEdition(folder = FOLDER): Edition {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex')
  const known = readEditions(folder)
  return { number: known.at(-1) === hash ? known.length : known.length + 1, hash, texts }
}

export function readEditions(folder = FOLDER): string[] {
  return readFileSync(join(folder, 'editions.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/**
 * Makes the database's functions and views those of this program, in one transaction, where they are of an earlier edition.
 * A program that is older than them leaves them alone. @returns whether they were replaced
 */
export async function replaceFunctions(client: pg.Client, edition: Edition): Promise<boolean> {
  await client.query(
    `create table if not exists function_edition (
       only_one boolean primary key default true check (only_one), number integer not null, hash text not null,
       replaced_at timestamptz not null default now())`,
  )
  await client.query('begin')
  try {
    const isReplaced = await isEarlier(client, edition)
    if (isReplaced) await replaceAll(client, edition)
    await client.query('commit')
    return isReplaced
  } catch (error) {
    await client.query('rollback')
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(`The database's functions could not be replaced: ${reason}`)
  }
}

/** Whether the database's functions are of this edition, or a later one. */
export async function isNewest(client: pg.Client, edition: Edition): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('function_edition') is not null as there`,
  )
  return (rows[0]?.there ?? false) && !(await isEarlier(client, edition))
}

async function isEarlier(client: pg.Client, edition: Edition): Promise<boolean> {
  const { rows } = await client.query<{ number: number; hash: string }>(
    'select number, hash from function_edition',
  )
  const found = rows[0]
  if (!found || found.number < edition.number) return true
  return found.number === edition.number && found.hash !== edition.hash
}

async function replaceAll(client: pg.Client, { number, hash, texts }: Edition): Promise<void> {
  await client.query('savepoint before_functions')
  try {
    for (const text of texts) await client.query(text)
  } catch (error) {
    if (!isOtherColumns(error)) throw error
    // Views cannot lose or rename columns in place. What others have built on ours is theirs to remove: no cascade.
    await client.query('rollback to savepoint before_functions')
    for (const view of viewsOf(texts).reverse()) await client.query(`drop view if exists ${view}`)
    for (const text of texts) await client.query(text)
  }
  await client.query(
    `insert into function_edition (number, hash) values ($1, $2)
     on conflict (only_one) do update set number = excluded.number, hash = excluded.hash, replaced_at = now()`,
    [number, hash],
  )
}

function viewsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(VIEW)].map(([, name = '']) => name))
}

function isOtherColumns(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === INVALID_TABLE_DEFINITION
}
