import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { indexesOf, isBesideShoppers } from '../src/platform/schema/beside.ts'

const MIGRATIONS = 'db/migrations'
const FUNCTIONS = 'db/functions'
/** Of the time before a migration said what it means for releases that do not know it. */
const UNMARKED_UNTIL = '0005'
const MARK = /^-- (?:expand|contract): \S.*\n/
/** Tables that are long in a large shop, and that shoppers write to while it is upgraded. */
export const LONG_TABLES: readonly string[] = [
  'account',
  'audit_log',
  'card_key',
  'cart_line',
  'key_batch',
  'ledger_transfer',
  'notice',
  'operator_act',
  'order_event',
  'order_line',
  'order_unit',
  'outgoing_mail',
  'payment_attempt',
  'provider_event',
  'purchase',
  'purchase_unit',
  'refund',
  'refund_unit',
  'review',
  'service_case',
  'service_case_unit',
  'session',
  'shop_order',
  'stock_change',
]
/** From here on an index on one of them is built beside shoppers. */
const BESIDE_FROM = '0050'
const INDEX = /^create (?:unique )?index (?!concurrently\b)(?<name>\w+) on (?<table>\w+)/gim
/** What a landed migration was, by its hash, where it was written anew: no release had it yet (decision 069). */
const WRITTEN_ANEW: Readonly<Record<string, string>> = {
  'db/migrations/0061_units_to_order_are_found.sql':
    'e47985dbf46061271a568aeff7ca57e2f0874a238f9cc20136ba1008dd317360',
  'db/migrations/0083_audit_is_searched.sql':
    'abcef3a7d662001d9dd506a118e54b8647daf044929c6134aa75fbc3cf6de127',
  'db/migrations/0088_audit_is_sealed.sql':
    'fb55476e8412421df7884f7e127a46bec222a568ff9e4ab39e7179ac6a2c267d',
  'db/migrations/0093_orders_are_found.sql':
    '988b7c75b376bc1dc3737a2dd3bb267948754a2c00aa7d75018f3612cac1ee12',
  'db/migrations/0095_shelves.sql':
    '0e51fbb839e21850c306e606951919f0fa4bfbb358bf5f221c1e13c86c2e3730',
  'db/migrations/0101_shoppers_at_the_desk.sql':
    '9cc5678b5e5684434604a6b72f36668a30abf5ab5fa2a479e319d515f381af90',
  'db/migrations/0103_after_the_sale.sql':
    'eaf2761b246fc1ec13bf3709de8cbdde3fbb191b295a07686806e0a4e1726513',
  'db/migrations/0104_system_check.sql':
    '39e2f2918a71d9038d1faffb1f647161d7f25b7219fa87c990d50886571bad0f',
  'db/migrations/0105_bank_statement.sql':
    '0765ab9d75c65c236119f450b24929107f0a70d34b6f06ec75b0e0aeaf17ac9b',
  'db/migrations/0106_ledger_days.sql':
    '5e6db4d471c04e91b7570bb531504c3840ad38c7fb0d5b972f2d3dc90010e14b',
}
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
    if (number >= BESIDE_FROM) problems.push(...checkIndexes(root, name))
    if (number > UNMARKED_UNTIL && !MARK.test(read(root, MIGRATIONS, name)))
      problems.push(
        `${name}: the first line says "-- expand: why the release before goes on working" or "-- contract: what it can no longer do"`,
      )
  }
  return problems
}

/** An index that is built in a transaction keeps everybody from writing to its table until it is done. */
function checkIndexes(root: string, name: string): string[] {
  const text = read(root, MIGRATIONS, name)
  if (isBesideShoppers(text)) {
    try {
      indexesOf(text)
      return []
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
  const problems = [...text.matchAll(INDEX)]
    .map(({ groups }) => groups)
    .filter((index) => LONG_TABLES.includes(index?.['table'] ?? ''))
    .map(
      (index) =>
        `${name}: ${index?.['name']} keeps shoppers from ${index?.['table']} while it is built: a migration whose second line is "-- beside shoppers" builds it concurrently`,
    )
  if (/^create (?:unique )?index concurrently\b/im.test(text))
    problems.push(
      `${name}: the second line of what is built concurrently says "-- beside shoppers"`,
    )
  return problems
}

function checkHistory(root: string, earlier: Earlier): string[] {
  if (!earlier) return []
  const problems: string[] = []
  for (const [path, text] of earlier) {
    const now = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
    if (WRITTEN_ANEW[path] === createHash('sha256').update(text).digest('hex')) continue
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
