import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkSchema, earlierOf } from './migrations.ts'

const FIRST = 'create table a (id integer);\n'
const FUNCTION = 'create or replace function f() returns integer language sql as $$ select 1; $$;\n'

test('a tree whose migrations are as they landed is fine, with a new migration beside them', () => {
  const root = tree({
    '0006_more.sql': '-- expand: a table nobody knows yet\ncreate table b (id integer);\n',
  })
  expect(checkSchema(root, new Map([['db/migrations/0001_first.sql', FIRST]]))).toEqual([])
})

test('a landed migration that changes, or goes, is told', () => {
  const root = tree({})
  expect(
    checkSchema(root, new Map([['db/migrations/0001_first.sql', 'create table z ();\n']])),
  ).toEqual(['db/migrations/0001_first.sql: has landed and never changes: add a new migration'])
  expect(checkSchema(root, new Map([['db/migrations/0002_gone.sql', '']]))).toHaveLength(1)
})

test('a new migration says what it means for releases that do not know it, and takes a number of its own', () => {
  const problems = checkSchema(
    tree({ '0006_more.sql': 'drop table a;\n', '0001_again.sql': FIRST }),
    null,
  )
  expect(problems.join('\n')).toMatch(/0006_more.sql: the first line says/)
  expect(problems.join('\n')).toMatch(/0001_first.sql: 0001_again.sql has that number/)
})

test('an index on a long table is built beside shoppers, by a migration that does nothing else', () => {
  const index = 'index shop_order_new on shop_order (number);\n'
  const of = (text: string) => checkSchema(tree({ '0123_found.sql': text }), null).join('\n')
  const beside = '-- expand: an index\n-- beside shoppers\n'
  expect(of(`-- expand: an index\ncreate ${index}`)).toMatch(/shop_order_new keeps shoppers from/)
  expect(of(`-- expand: an index\ncreate unique ${index}`)).toMatch(
    /keeps shoppers from shop_order/,
  )
  expect(of('-- expand: an index\ncreate index b_new on b (id);\n')).toBe('')
  const built = 'create index concurrently if not exists shop_order_new on shop_order (number);\n'
  expect(of(beside + built)).toBe('')
  expect(of(`-- expand: an index\n${built}`)).toMatch(/says "-- beside shoppers"/)
  expect(of(`${beside}${built}alter table b add c text;\n`)).toMatch(/builds no index/)
})

test('functions and views are replaced without cascade, each change is an edition, and editions only grow', () => {
  expect(
    checkSchema(tree({}, `${FUNCTION}create table b (id integer);\n`), null).join('\n'),
  ).toMatch(/"create table b/)
  expect(checkSchema(tree({}, 'drop view if exists v cascade;\n'), null).join('\n')).toMatch(
    /without cascade/,
  )
  expect(checkSchema(tree({}, FUNCTION, 'other\n'), null)).toEqual([
    'db/functions is not the newest of editions.txt: npm run db:types',
  ])
  expect(checkSchema(tree({}), new Map([['db/functions/editions.txt', 'one\n']]))).toEqual([
    'db/functions/editions.txt: has landed and never changes, it only grows',
  ])
})

test('the repository itself is compared with a commit before, where its history is at hand', () => {
  const earlier = earlierOf(join(import.meta.dirname, '..'))
  if (earlier) expect([...earlier.keys()]).toContain('db/migrations/0001_catalogue.sql')
})

function tree(
  migrations: Readonly<Record<string, string>>,
  functions = FUNCTION,
  editions?: string,
): string {
  const root = mkdtempSync(join(tmpdir(), 'lukado-schema-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['migrations', 'functions'])
    mkdirSync(join(root, 'db', folder), { recursive: true })
  for (const [name, text] of Object.entries({ '0001_first.sql': FIRST, ...migrations }))
    writeFileSync(join(root, 'db', 'migrations', name), text)
  writeFileSync(join(root, 'db', 'functions', '10_a.sql'), functions)
  writeFileSync(
    join(root, 'db', 'functions', 'editions.txt'),
    editions ?? `${createHash('sha256').update(functions).digest('hex')}\n`,
  )
  return root
}
