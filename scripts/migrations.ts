import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = 'db/migrations'
const FUNCTIONS = 'db/functions'
/** Of the time before a migration said what it means for releases that do not know it. */
const UNMARKED_UNTIL = '0005'
const MARK = /^-- (?:expand|contract): \S.*\n/
const STATEMENT = /^(?:create or replace (?:function|view) |drop (?:function|view) if exists )/
const DOLLAR_BODY = /\$\$.*?\$\$/gs

/** Files as an earlier commit had them, by path; null where no history is at hand. */
export type Earlier = ReadonlyMap<string, string> | null

/**
 * What has landed never changes: migrations stay as the commit before had them, the lists of checksums only grow, functions
 * and views are made in a way that replaces them.
 */
export function checkSchema(root: string, earlier: Earlier): string[] {
  return [...checkMigrations(root), ...checkHistory(root, earlier), ...checkFunctions(root)]
}

function checkMigrations(root: string): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const name of sqlFiles(root, MIGRATIONS)) {
    const number = name.slice(0, 4)
    const twin = seen.get(number)
    seen.set(number, name)
    if (!/^\d{4}_[a-z_]+\.sql$/.test(name))
      problems.push(`${name}: a migration is named 0000_subject.sql`)
    if (twin) problems.push(`${name}: ${twin} has that number; take the next free one`)
    if (number > UNMARKED_UNTIL && !MARK.test(read(root, MIGRATIONS, name)))
      problems.push(
        `${name}: the first line says "-- expand: why the release before goes on working" or "-- contract: what it can no longer do"`,
      )
  }
  return problems
}

function checkHistory(root: string, earlier: Earlier): string[] {
  if (!earlier) return []
  const problems: string[] = []
  for (const [path, text] of earlier) {
    const now = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
    const hasGrown = path.endsWith('.txt') && (now?.startsWith(text) ?? false)
    if (now !== text && !hasGrown)
      problems.push(
        `${path}: has landed and never changes${path.endsWith('.txt') ? ', it only grows' : ': add a new migration'}`,
      )
  }
  return problems
}

function checkFunctions(root: string): string[] {
  const problems: string[] = []
  const texts = sqlFiles(root, FUNCTIONS).map((name) => ({
    name,
    text: read(root, FUNCTIONS, name),
  }))
  for (const { name, text } of texts) {
    if (!/^\d\d_[a-z_]+\.sql$/.test(name))
      problems.push(`${name}: is named 00_owner.sql; the number is the order`)
    const statements = text
      .replace(DOLLAR_BODY, '')
      .replace(/--[^\n]*/g, '')
      .split(';')
      .map((part) => part.trim())
    for (const statement of statements.filter((part) => part !== '')) {
      if (!STATEMENT.test(statement) || /\bcascade\b/i.test(statement))
        problems.push(
          `${name}: "${statement.slice(0, 60)}…" is neither a replacement of a function or view nor its end, without cascade`,
        )
    }
  }
  const hash = createHash('sha256')
    .update(texts.map(({ text }) => text).join('\0'))
    .digest('hex')
  const editions = read(root, FUNCTIONS, 'editions.txt')
    .split('\n')
    .filter((line) => line !== '')
  if (editions.at(-1) !== hash)
    problems.push(`${FUNCTIONS} is not the newest of editions.txt: npm run db:types`)
  return problems
}

function sqlFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

function read(root: string, folder: string, name: string): string {
  return readFileSync(join(root, folder, name), 'utf8')
}

/**
 * Migrations and editions of the commit that work is compared with: on `main` the one before, on a branch the one it left
 * `main` at, elsewhere (a shallow copy, an unpacked archive) none.
 */
export function earlierOf(root: string): Earlier {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return status === 0 ? stdout : null
  }
  const head = git('rev-parse', '--verify', 'HEAD')
  const landed = git('merge-base', 'HEAD', 'main') ?? git('merge-base', 'HEAD', 'origin/main')
  const base = landed && landed !== head ? landed.trim() : 'HEAD^'
  const names = git(
    'ls-tree',
    '-r',
    '--name-only',
    base,
    '--',
    MIGRATIONS,
    `${FUNCTIONS}/editions.txt`,
  )
  if (names === null) return null
  const paths = names.split('\n').filter((path) => /\.(?:sql|txt)$/.test(path))
  return new Map(paths.map((path) => [path, git('show', `${base}:${path}`) ?? '']))
}
