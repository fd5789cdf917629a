/**
 * Writes db/schema.sql (for review) and src/platform/tables.ts (for Kysely) from the pg_catalog of a freshly migrated database,
 * and notes a new edition of db/functions: `npm run db:types`. A database test compares what is committed.
 */
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { EDITIONS, readEdition, readEditions } from '#platform/schema/functions.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { removeDataFolder } from '../test/support/data-folder.ts'

interface Column {
  table: string
  name: string
  type: string
  base: string
  nullable: boolean
  generated: boolean
  default: string | null
  /** What a check of the column, or of its domain, allows, as TypeScript writes it; null where any value will do. */
  values: string[] | null
  /** The domain that has the check. */
  domain: string | null
}

const TYPES: Record<string, string> = {
  text: 'string',
  bpchar: 'string',
  uuid: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  jsonb: 'Json',
  timestamptz: 'Timestamp',
  int8: 'Int8',
  numeric: 'Numeric',
  _text: 'string[]',
  _int4: 'number[]',
  bytea: 'Buffer',
  date: 'Day',
}

/** A check that lists what a text may be, and nothing else, as PostgreSQL prints it. */
const LISTED_TEXTS = String.raw`^CHECK \(\((\w+ = ANY \(ARRAY\[('[^']*'::text(, )?)+\]\)|\w+ = '[^']*'::text)\)\)$`
/** A check that lists the codes a small number may be, or the first and the last of them. */
const LISTED_CODES = String.raw`^CHECK \(\((\w+ = ANY \(ARRAY\[(\d+(, )?)+\]\)|\(\w+ >= \d\) AND \(\w+ <= \d\))\)\)$`
const LISTED = `${LISTED_TEXTS}|${LISTED_CODES}`

const HEADER = `/* Generated from db/migrations and db/functions by scripts/db-types.ts: do not edit. */
import type { ColumnType } from 'kysely'

/** Sent as text or bigint, read as text: no precision is lost. */
export type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>
export type Numeric = ColumnType<string, string | bigint, string | bigint>
export type Timestamp = ColumnType<Date, Date, Date>
/** A calendar day, written as '2026-11-20'. */
export type Day = ColumnType<Date, string, string>
/** Has a default: may be left out when inserted. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Parsed when read; written as JSON text. */
export type Json = ColumnType<unknown, string, string>
`

/** The two generated files, by their path in the project, for a migrated database. */
export async function generateFiles(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return {
      'src/platform/tables.ts': renderTypes(await readColumns(client)),
      'db/schema.sql': await renderSchema(client),
    }
  } finally {
    await client.end()
  }
}

if (import.meta.main) await main()

async function main(): Promise<void> {
  const { hash } = readEdition()
  if (readEditions().at(-1) !== hash) appendFileSync(EDITIONS, `${hash}\n`)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-types-'))
  const server = await startEmbeddedPostgres({
    dataDirectory,
    log: createLogger({ level: 'error' }),
    durable: false,
  })
  try {
    await migrate(server.url)
    for (const [name, text] of Object.entries(await generateFiles(server.url)))
      writeFileSync(join(PROJECT_ROOT, name), text)
  } finally {
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}

async function readColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Omit<Column, 'values'> & { check: string | null }>(
    `
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      coalesce(bt.typname, t.typname) as base, not a.attnotnull as nullable, a.attidentity = 'a' or a.attgenerated <> '' as generated,
      pg_get_expr(d.adbin, d.adrelid) as default, coalesce(listed.text, domain_listed.text) as check,
      case when domain_listed.text is not null then t.typname end as domain
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type bt on bt.oid = t.typbasetype and t.typtype = 'd'
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join lateral (select pg_get_constraintdef(k.oid) as text from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) ~ $1 limit 1) as listed on true
    left join lateral (select pg_get_constraintdef(k.oid) as text from pg_constraint k
      where k.contypid = t.oid and pg_get_constraintdef(k.oid) ~ $1 limit 1) as domain_listed on true
    where c.relkind in ('r','v','p')
    order by c.relname, a.attnum`,
    [LISTED],
  )
  return rows.map(({ check, ...column }) => ({
    ...column,
    values: check === null ? null : valuesOf(check),
  }))
}

function valuesOf(check: string): string[] {
  const [, first, last] = />= (\d)\) AND \(\w+ <= (\d)/.exec(check) ?? []
  if (first !== undefined && last !== undefined)
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) =>
      String(Number(first) + index),
    )
  const codes = /ARRAY\[([\d, ]+)\]/.exec(check)?.[1]
  if (codes !== undefined) return codes.split(', ')
  return [...check.matchAll(/('[^']*')::text/g)].map(([, value = '']) => value)
}

function renderTypes(columns: readonly Column[]): string {
  const tables = Map.groupBy(columns, (column) => column.table)
  const domains = new Map(
    columns.flatMap(({ domain, values }) => (domain && values ? [[domain, values] as const] : [])),
  )
  let text = HEADER
  for (const [domain, values] of [...domains].sort(([a], [b]) => (a < b ? -1 : 1)))
    text += `export type ${pascal(domain)} = ${unionOf(values)}\n`
  for (const [table, list] of tables) {
    text += `\nexport interface ${pascal(table)}Table {\n`
    for (const column of list) text += `  ${column.name}: ${columnType(column)}\n`
    text += '}\n'
  }
  text += '\nexport interface Tables {\n'
  for (const table of tables.keys()) text += `  ${table}: ${pascal(table)}Table\n`
  return `${text}}\n`
}

function columnType(column: Column): string {
  const base = TYPES[column.base]
  if (!base)
    throw new Error(`${column.table}.${column.name}: no TypeScript type for ${column.type}`)
  const listed = column.domain
    ? pascal(column.domain)
    : column.values
      ? unionOf(column.values)
      : base
  const type = column.nullable ? `${listed} | null` : listed
  if (column.generated) return `ColumnType<${type}, never, never>`
  return column.default === null ? type : `Generated<${type}>`
}

function unionOf(values: readonly string[]): string {
  return values.join(' | ')
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

async function renderSchema(client: pg.Client): Promise<string> {
  const parts: string[] = [
    '-- Generated from db/migrations and db/functions by scripts/db-types.ts, for reading and review: do not edit.',
  ]
  const columns = Map.groupBy(await readColumns(client), (column) => column.table)
  const constraints = await rowsOf(
    client,
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n' order by 1, contype <> 'p', 2`,
  )
  const indexes = await rowsOf(
    client,
    `select tablename as owner, indexname as name, indexdef as text from pg_indexes
    where schemaname = 'public' and indexname not in (select conname from pg_constraint) order by 1, 2`,
  )
  const triggers = await rowsOf(
    client,
    `select tgrelid::regclass::text as owner, tgname as name, pg_get_triggerdef(oid) as text
    from pg_trigger where not tgisinternal and tgrelid::regclass::text not like '%.%' order by 1, 2`,
  )
  const functions = await rowsOf(
    client,
    `select '' as owner, proname as name, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace order by proname`,
  )
  const domains = await rowsOf(
    client,
    `select '' as owner, t.typname as name,
    'create domain ' || t.typname || ' as ' || format_type(t.typbasetype, t.typtypmod) || coalesce(' ' || pg_get_constraintdef(k.oid), '') as text
    from pg_type t left join pg_constraint k on k.contypid = t.oid where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace order by 2`,
  )
  const views = await rowsOf(
    client,
    `select c.relname as owner, c.relname as name, 'create view ' || c.relname || E' as\\n' || pg_get_viewdef(c.oid) as text
    from pg_class c where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  const sequences = await rowsOf(
    client,
    `select '' as owner, sequencename as name, format('create sequence %s as %s maxvalue %s', sequencename, data_type, max_value) as text
    from pg_sequences s where schemaname = 'public' and not exists (
      select from pg_depend where objid = s.sequencename::regclass and deptype in ('a','i') and classid = 'pg_class'::regclass) order by 2`,
  )
  for (const domain of [...domains, ...sequences]) parts.push(`${domain.text};`)
  for (const fn of functions) parts.push(`${fn.text.trimEnd()};`)
  for (const [table, list] of columns) {
    if (views.some((view) => view.owner === table)) continue
    const lines = list.map(
      (c) =>
        `  ${c.name} ${c.type}${c.nullable ? '' : ' not null'}${c.default === null ? '' : ` default ${c.default}`}`,
    )
    for (const k of constraints.filter((row) => row.owner === table))
      lines.push(`  constraint ${k.name} ${k.text}`)
    parts.push(`create table ${table} (\n${lines.join(',\n')}\n);`)
    for (const row of [...indexes, ...triggers].filter((row) => row.owner === table))
      parts.push(`${row.text};`)
  }
  for (const view of views) parts.push(view.text)
  return `${parts.join('\n\n')}\n`
}

async function rowsOf(
  client: pg.Client,
  text: string,
): Promise<{ owner: string; name: string; text: string }[]> {
  return (await client.query<{ owner: string; name: string; text: string }>(text)).rows
}
