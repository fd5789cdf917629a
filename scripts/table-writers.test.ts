import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOANS } from './table-owners.ts'
import { checkTableWriters, writersOf } from './table-writers.ts'

const ROOT = join(import.meta.dirname, '..')
const OWNERS = { account: ['account'], order: ['shop_order'] }

test('a write by somebody who does not own the table is told, however it is written', () => {
  for (const text of [
    `await tx.insertInto('account').values({}).execute()`,
    `await tx\n  .updateTable('account as a')\n  .set({ name })\n  .execute()`,
    `await tx.deleteFrom('account').execute()`,
    'await sql`insert into account (id) values (${id})`.execute(tx)',
    'await sql<{ id: string }>`with gone as (delete from account returning id) select id from gone`.execute(tx)',
    'await sql`update account set name = ${name} where id = ${id}`.execute(tx)',
    'await sql`INSERT  INTO public."account" (id) values (${id})`.execute(tx)',
    'await sql`with a as (${sql`select 1`}) delete from account`.execute(tx)',
    "await sql.raw('truncate only account, elsewhere')",
    "await client.query('update account\\nset name = 1')",
    "await tx.with('gone', (db) => db.deleteFrom('account').returningAll()).selectFrom('gone')",
    "await tx['insertInto']('account').values({}).execute()",
    "await tx.mergeInto('account').using('phone', 'a', 'b').execute()",
    "await tx.deleteFrom(['account as a']).execute()",
  ])
    expect(problems({ 'src/features/people/phone/commands.ts': text }), text).toHaveLength(1)
})

test('a write whose table is put together is told, as nobody can see whose it is', () => {
  for (const text of [
    'await tx.insertInto(table).values({}).execute()',
    'await sql`delete from ${sql.table(name)}`.execute(tx)',
    "await sql.raw('insert into ' + name + ' values (1)')",
  ])
    expect(problems({ 'src/features/people/phone/commands.ts': text }), text).toEqual([
      expect.stringMatching(/writes a table that it does not name/),
    ])
  expect(
    problems({ 'db/functions/11_phone.sql': "begin execute format('delete from %I', t); end" }),
  ).toEqual([expect.stringMatching(/11_phone.sql: writes a table that it does not name/)])
})

test('what is no feature writes no table of one', () => {
  for (const file of ['src/platform/x.ts', 'src/cli/x.ts', 'src/x.ts'])
    expect(problems({ [file]: "tx.deleteFrom('account')" }), file).toHaveLength(1)
  expect(
    problems({ 'db/functions/11_phone.sql': 'begin /* now */ UPDATE Account SET a = 1; end' }),
  ).toHaveLength(1)
})

test('the owner writes, others read and lock', () => {
  expect(
    problems({ 'src/features/people/account/commands.ts': `tx.insertInto('account')` }),
  ).toEqual([])
  expect(
    problems({
      'db/functions/10_account.sql':
        'create or replace function f() as $$ update account set a = 1; $$',
    }),
  ).toEqual([])
  expect(
    problems({
      'src/features/people/phone/commands.ts':
        'sql`select 1 from account for no key update of account`; sql`insert into shop_order on conflict do update set a = 1`',
    }),
  ).toEqual([expect.stringMatching(/phone\/commands.ts: writes shop_order/)])
})

test('a loan is of the columns it names, and of no new row', () => {
  const loans = [{ table: 'account', to: 'phone', columns: ['mobile'], why: 'test' }]
  const wrote = (text: string) => problems({ 'src/features/people/phone/commands.ts': text }, loans)
  expect(wrote(`tx.updateTable('account').set({ mobile: null }).where('id', '=', id)`)).toEqual([])
  expect(wrote('sql`update account set mobile = null where id = ${id}`')).toEqual([])
  expect(
    wrote(`tx.updateTable('account').set({ mobile: null, name: 'x' }).where('id', '=', id)`),
  ).toHaveLength(1)
  expect(wrote('sql`update account set mobile = null, name = 1 from x`')).toHaveLength(1)
  for (const hidden of [
    "tx.updateTable('account').set(changes).where('id', '=', id)",
    "tx.updateTable('account').set({ mobile: null, ...changes })",
    "tx.updateTable('account').set({ [name]: null })",
    "tx.updateTable('account').set('name', null)",
    "tx.updateTable('account').set((row) => ({ mobile: row.ref('x'), name: 1 }))",
    "tx.updateTable('account').set(isKnown ? { mobile: null } : { name: null })",
    'sql`update account set (mobile, name) = (null, 1)`',
    'sql`update account set ${assignments}`',
  ])
    expect(wrote(hidden), hidden).toHaveLength(1)
  expect(wrote("tx.updateTable('account').set('mobile', null)")).toEqual([])
  expect(wrote("tx.updateTable('account').set(isKnown ? { mobile: a } : { mobile: b })")).toEqual(
    [],
  )
  expect(wrote(`tx.insertInto('account').values({ mobile })`)).toHaveLength(1)
})

test('a table nobody owns is told', () => {
  expect(problems({ 'db/schema.sql': 'create table stranger (\n' })).toEqual([
    'stranger: no feature owns this table; name one in scripts/table-owners.ts',
  ])
})

test('every loan of the repository is needed', () => {
  const writers = writersOf(ROOT)
  for (const loan of LOANS)
    expect(
      checkTableWriters(
        ROOT,
        undefined,
        LOANS.filter((other) => other !== loan),
        writers,
      ),
      `${loan.table} to ${loan.to}`,
    ).not.toEqual([])
})

function problems(files: Readonly<Record<string, string>>, loans: typeof LOANS = []): string[] {
  const root = mkdtempSync(join(tmpdir(), 'lukado-writers-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['src/features', 'db/functions'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const [name, text] of Object.entries({ 'db/schema.sql': '', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return checkTableWriters(root, OWNERS, loans)
}
