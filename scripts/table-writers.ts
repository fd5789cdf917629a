import { readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { LOANS, OWNERS, type Loan } from './table-owners.ts'

interface Write {
  readonly table: string
  /** Null where rows are made or removed. */
  readonly columns: readonly string[] | null
}

const BUILT = /\.(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)(?: as \w+)?',?\s*\)/g
const STATED =
  /\b(insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?(\w+)/g
const SQL_TEXT = /\bsql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/gs
/** Where the list of what is set ends. */
const SET_ENDS = /\.(?:where|returning|execute)\(/
const STATED_SET_ENDS = /\b(?:from|where|returning)\b/

/** Every write to a table by someone who neither owns it nor was lent it, one line each; and tables nobody owns. */
export function checkTableWriters(root: string, owners = OWNERS, loans = LOANS): string[] {
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([owner, tables]) =>
      tables.map((table) => [table, owner] as const),
    ),
  )
  const problems = tablesOf(root)
    .filter((table) => !ownerOf.has(table))
    .map((table) => `${table}: no feature owns this table; name one in scripts/table-owners.ts`)
  for (const { file, writer, writes } of writersOf(root)) {
    for (const write of writes) {
      const owner = ownerOf.get(write.table)
      if (
        owner === undefined ||
        writer === owner ||
        basename(file)
          .replace(/^\d+_|\.sql$/g, '')
          .replaceAll('_', '-') === owner
      )
        continue
      if (!loans.some((loan) => isLent(loan, writer, write)))
        problems.push(
          `${file}: writes ${write.table}${write.columns ? ` (${write.columns.join(', ')})` : ''}, which ${owner} owns; call a command of it`,
        )
    }
  }
  return problems
}

function isLent({ table, to, columns }: Loan, writer: string, write: Write): boolean {
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

/** Features by their folder; functions of the database by their file. */
function writersOf(root: string): { file: string; writer: string; writes: Write[] }[] {
  const features = join(root, 'src', 'features')
  const sources = readdirSync(features, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      file: relative(root, file),
      writer: relative(features, file).split(sep)[1] ?? '',
      writes: writesOf(readFileSync(file, 'utf8')),
    }))
  const functions = join(root, 'db', 'functions')
  const stated = readdirSync(functions)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({
      file: join('db', 'functions', name),
      writer: name,
      writes: statedWrites(readFileSync(join(functions, name), 'utf8').replace(/--[^\n]*/g, '')),
    }))
  return [...sources, ...stated]
}

function writesOf(text: string): Write[] {
  const built = [...text.matchAll(BUILT)].map((match): Write => {
    const [call, verb, table = ''] = match
    const rest = text.slice(match.index + call.length)
    return {
      table,
      columns: verb === 'updateTable' ? keysOf(rest.slice(0, rest.search(SET_ENDS))) : null,
    }
  })
  return [...built, ...[...text.matchAll(SQL_TEXT)].flatMap(([, sql = '']) => statedWrites(sql))]
}

/** Keys of what is handed to `set`. */
function keysOf(call: string): string[] {
  return [...call.matchAll(/[{,]\s*(\w+)(?=:|,|\s*\})/g)].map(([, key = '']) => key)
}

function statedWrites(sql: string): Write[] {
  return [...sql.matchAll(STATED)].flatMap((match): Write[] => {
    const [call, verb, table = ''] = match
    // "for update of", "for no key update", "do update set" and triggers' "update of" write no table of that name.
    if (
      verb === 'update' &&
      /(?:\bfor(?: no key)? |\bdo |\bor |\bbefore |\bafter )$/.test(sql.slice(0, match.index))
    )
      return []
    if (verb !== 'update') return [{ table, columns: null }]
    const rest = sql.slice(match.index + call.length)
    const end = rest.search(STATED_SET_ENDS)
    return [
      {
        table,
        columns: [...rest.slice(0, end === -1 ? undefined : end).matchAll(/(\w+)\s*=(?!=)/g)].map(
          ([, column = '']) => column,
        ),
      },
    ]
  })
}
