import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { LOANS, OWNERS, type Loan } from './table-owners.ts'
import { statedWrites, writesOf, type TableWrite } from './table-writes.ts'

/** The platform asks databases about themselves, and an import goes through the tables of the catalogue, which are its own. */
const NAMELESS = ['platform', 'transfer']

/** Every write to a table by someone who neither owns it nor was lent it, one line each; and tables nobody owns. */
export function checkTableWriters(
  root: string,
  owners = OWNERS,
  loans = LOANS,
  writers = writersOf(root),
): string[] {
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([owner, tables]) =>
      tables.map((table) => [table, owner] as const),
    ),
  )
  const problems = tablesOf(root)
    .filter((table) => !ownerOf.has(table))
    .map((table) => `${table}: no feature owns this table; name one in scripts/table-owners.ts`)
  for (const { file, name, writes } of writers) {
    for (const write of writes) {
      if (write.table === null) {
        if (!NAMELESS.includes(name)) problems.push(`${file}: writes a table that it does not name`)
        continue
      }
      const owner = ownerOf.get(write.table)
      if (owner === undefined || isOwner(file, name, owner)) continue
      if (!loans.some((loan) => isLent(loan, name, write)))
        problems.push(
          `${file}: writes ${write.table}${write.columns ? ` (${write.columns.join(', ')})` : ''}, which ${owner} owns; call a command of it`,
        )
    }
  }
  return problems
}

/** The platform keeps the books of migrations, too. */
function isOwner(file: string, name: string, owner: string): boolean {
  if (name === owner || (name === 'platform' && owner === 'schema')) return true
  const isFunction = file.startsWith(join('db', 'functions'))
  return isFunction && name.replace(/^\d+_|\.sql$/g, '').replaceAll('_', '-') === owner
}

function isLent({ table, to, columns }: Loan, writer: string, write: TableWrite): boolean {
  if (table !== write.table || to !== writer) return false
  return (
    !columns ||
    (write.columns !== null && write.columns.every((column) => columns.includes(column)))
  )
}

function tablesOf(root: string): string[] {
  const schema = readFileSync(join(root, 'db', 'schema.sql'), 'utf8')
  return [...schema.matchAll(/^create table (\w+) /gm)].map(([, table = '']) => table)
}

interface Writer {
  readonly file: string
  readonly name: string
  readonly writes: readonly TableWrite[]
}

/** Features by their folder, what else the program has by the folder below `src`, functions of the database by their file. */
export function writersOf(root: string): Writer[] {
  const source = join(root, 'src')
  const sources = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => {
      const [layer = '', , feature = ''] = relative(source, file).split(sep)
      return {
        file: relative(root, file),
        name: layer === 'features' ? feature : layer,
        writes: writesOf(file, readFileSync(file, 'utf8')),
      }
    })
  const functions = join(root, 'db', 'functions')
  const stated = readdirSync(functions)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, sql: withoutComments(readFileSync(join(functions, name), 'utf8')) }))
    .map(({ name, sql }) => ({
      file: join('db', 'functions', name),
      name,
      writes: [
        ...statedWrites(sql),
        ...(MADE_UP.test(sql) ? [{ table: null, columns: null }] : []),
      ],
    }))
  return [...sources, ...stated]
}

const withoutComments = (sql: string) =>
  sql.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/--[^\n]*/g, '')

/** PL/pgSQL that runs a statement it has put together. */
const MADE_UP = /\bexecute\s+(?!function\b|procedure\b)/i
