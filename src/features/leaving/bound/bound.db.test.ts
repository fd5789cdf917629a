import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { BOUNDS, boundsTable, OWN_TABLES } from './rules.ts'

const database = useDatabase()
const page = readFileSync(join(PROJECT_ROOT, 'docs/security/bounds.md'), 'utf8')

test('of every table it is said what bounds it, or that nobody outside makes it longer', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(
    database.ctx.db,
  )
  const told = [...Object.keys(BOUNDS), ...OWN_TABLES]
  expect(told.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('every table with rows of an account is among those that people make longer', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns c join pg_class k on k.relname = c.table_name and k.relkind = 'r'
    where table_schema = 'public' and column_name in ('account_id', 'order_id', 'attempt_id') and data_type = 'uuid'`.execute(
    database.ctx.db,
  )
  expect(rows.map(({ name }) => name).filter((name) => !(name in BOUNDS))).toEqual([])
})

test('operators read the same table', () => {
  expect(page).toContain(boundsTable())
})

test('each bound of a memory stands in the file that is named beside it, with the figure that is told', () => {
  const rows = [...page.matchAll(/\| ([^|]*) \| `([^`]+\.tsx?)` `([A-Z_]+)` \|/g)]
  expect(rows.length).toBeGreaterThan(10)
  for (const [, told = '', file = '', name = ''] of rows) {
    const found = new RegExp(`^(?:export )?const ${name}\\b[^=]* = (.+)$`, 'm').exec(
      readFileSync(join(PROJECT_ROOT, file), 'utf8'),
    )
    const value = found?.[1]
    expect([file, name, value]).toEqual([file, name, expect.any(String)])
    const plain = /^[0-9_]+$/.exec(value ?? '')
    if (plain && /\d/.test(told))
      expect(told.replaceAll(',', '')).toContain(plain[0].replaceAll('_', ''))
  }
})
