import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import {
  addCountry,
  addCurrencies,
  addItem,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { setTaxClass, setTaxRate } from './commands.ts'
import { countTouched, listTaxClasses, listTaxRates, readTaxTable, taxVersion } from './queries.ts'
import { classOf, rateOf, taxOfUnit, taxTable } from './rules.ts'

const database = useDatabase()
const finance = () => asOperator(database.ctx, 'fin', 'finance')
let item: TestItem

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await addCountry(database.ctx, 'DE', 'DEU')
  item = await addItem(database.ctx)
})

test('without anything said nothing is taxed', async () => {
  const table = await readTaxTable(database.ctx.db)
  expect(await taxVersion(database.ctx.db)).toBe('none')
  expect(
    taxOfUnit(table, { product: item.product, country: 'DE', priceMinor: 100n, at: new Date() }),
  ).toBeNull()
})

test('what the setting of earlier releases said is taken over: everything, at its rates', async () => {
  const migration = readFileSync(join(PROJECT_ROOT, 'db/migrations/0116_taxes.sql'), 'utf8')
  const takeOver = migration.slice(
    migration.indexOf('insert into tax_rate'),
    migration.indexOf('-- Of one unit'),
  )
  const undone = database.ctx.db.transaction().execute(async (tx) => {
    await sql`insert into setting (key, value) values ('tax', '{"DE": {"basis_points": 1900, "included": true}, "XX": {"basis_points": 5}}')`.execute(
      tx,
    )
    for (const statement of takeOver.split(/;\s*\n/))
      if (statement.trim() !== '') await sql.raw(statement).execute(tx)
    const table = taxTable(await listTaxClasses(tx, null), await listTaxRates(tx))
    const unit = { product: item.product, priceMinor: 1_190n, at: new Date() }
    expect(taxOfUnit(table, { ...unit, country: 'DE' })).toMatchObject({ minor: 190n })
    expect(taxOfUnit(table, { ...unit, country: 'FR' })).toMatchObject({ minor: 0n })
    throw new Error('taken back')
  })
  await expect(undone).rejects.toThrow('taken back')
})

test('what is said holds at once, is written down, and what was said before stays known', async () => {
  const { db } = database.ctx
  const wish = { product: item.product, country: 'DE', taxClass: 'single_purpose' } as const
  await setTaxClass(finance(), wish, 'none')
  await setTaxClass(finance(), { product: null, country: null, taxClass: 'multi_purpose' }, null)
  const rate = { country: 'DE', taxClass: 'single_purpose', basisPoints: 1_900 } as const
  await setTaxRate(finance(), { ...rate, from: null }, null)
  const later = new Date(Date.now() + 86_400_000)
  await setTaxRate(finance(), { ...rate, basisPoints: 2_000, from: later }, null)
  const table = await readTaxTable(db)
  expect(classOf(table, item.product, 'DE')).toBe('single_purpose')
  expect(classOf(table, 'other', 'DE')).toBe('multi_purpose')
  const now = new Date()
  expect(rateOf(table, 'DE', 'single_purpose', now)).toBe(1_900)
  expect(rateOf(table, 'DE', 'single_purpose', later)).toBe(2_000)
  expect(await listTaxRates(db)).toHaveLength(2)
  const touched = (product: string | null, country: string | null) =>
    countTouched(db, { product, country })
  expect(await touched(null, null)).toEqual({ products: 1, apart: 1 })
  expect(await touched(null, 'DE')).toEqual({ products: 1, apart: 1 })
  expect(await touched(null, 'FR')).toEqual({ products: 1, apart: 0 })
  expect(await touched(item.product, null)).toEqual({ products: 1, apart: 1 })
  expect(await touched(item.product, 'DE')).toEqual({ products: 1, apart: 0 })
  const { rows } = await sql<{ subject: string; after: unknown }>`
    select subject, after from audit_log where subject like 'tax%' order by id`.execute(db)
  expect(rows).toMatchObject([
    { subject: 'tax_class', after: { class: 'single_purpose' } },
    { subject: 'tax_class', after: { class: 'multi_purpose' } },
    { subject: 'tax_rate', after: { basis_points: 1_900 } },
    { subject: 'tax_rate', after: { basis_points: 2_000 } },
  ])
})

test('what is taken back leaves what is said of more, and the history', async () => {
  const { db } = database.ctx
  await setTaxClass(finance(), { product: item.product, country: 'DE', taxClass: null }, null)
  expect(classOf(await readTaxTable(db), item.product, 'DE')).toBe('multi_purpose')
  expect(await listTaxClasses(db, null)).toHaveLength(1)
  expect(await db.selectFrom('tax_class').select('id').execute()).toHaveLength(3)
  for (const change of [sql`update tax_class set class = 'none'`, sql`delete from tax_rate`])
    await expect(change.execute(db)).rejects.toThrow('append-only')
})

test('of two who saw the same, the second is told and changes nothing', async () => {
  const { db } = database.ctx
  const seen = await taxVersion(db)
  await setTaxClass(finance(), { product: null, country: 'DE', taxClass: 'none' }, seen)
  const late = setTaxClass(finance(), { product: null, country: 'DE', taxClass: 'service' }, seen)
  expect((await refused(late)).code).toBe('changed_meanwhile')
  expect(classOf(await readTaxTable(db), 'other', 'DE')).toBe('none')
})

test('what the shop has not, a time that is over, and who may not are refused', async () => {
  const bad = { product: 'nothing', country: null, taxClass: 'none' } as const
  expect((await refused(setTaxClass(finance(), bad, null))).fields).toEqual({
    product: 'not_allowed',
  })
  const rate = { country: 'DE', taxClass: 'service', basisPoints: 700, from: null } as const
  const past = setTaxRate(finance(), { ...rate, from: new Date(Date.now() - 60_000) }, null)
  expect((await refused(past)).fields).toEqual({ from: 'not_allowed' })
  expect((await refused(setTaxRate(finance(), { ...rate, country: 'XX' }, null))).fields).toEqual({
    country: 'country_unknown',
  })
  expect(
    (await refused(setTaxRate(finance(), { ...rate, basisPoints: 10_001 }, null))).fields,
  ).toEqual({ rate: 'not_allowed' })
  const reader = asOperator(database.ctx, 'ro', 'read-only')
  expect((await refused(setTaxRate(reader, rate, null))).code).toBe('forbidden')
})
