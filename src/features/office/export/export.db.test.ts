import { beforeAll, expect, test } from 'vitest'
import { addCurrencies, addItem, buy, stock } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { askForExport, cancelExport, forgetExports, makeExports, takeExport } from './commands.ts'
import { getExport, listExports, readPart } from './queries.ts'
import type { ExportKind } from './rules.ts'

const database = useDatabase()
const ZONE = 'Europe/Berlin'
const day = (offset = 0) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const finance = () => asOperator(database.ctx, 'fin', 'finance')
const span = (kind: ExportKind) => ({ kind, fromDay: day(-1), untilDay: day(1) })
const work = () => makeExports(database.ctx, ZONE, new AbortController().signal)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'X', 3)
  for (let count = 0; count < 3; count += 1) await buy(database.ctx, [{ item }])
})

test.each(['orders', 'units', 'movements'] as const)(
  'a file of %s is made by the worker, whole, with a row each',
  async (kind) => {
    const id = await askForExport(finance(), span(kind))
    await work()
    const run = await takeExport(finance(), id)
    const text = await readPart(database.ctx.db, run.id, 0)
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + run.rows)
    if (kind !== 'movements') expect(run.rows).toBe(3)
    if (kind === 'orders') expect(text).toMatch(/,USD,10\.00,/)
  },
)

test('what is cancelled is not made, is not taken, and is cancelled once', async () => {
  const { ctx } = database
  const id = await askForExport(finance(), span('orders'))
  expect((await refused(takeExport(finance(), id))).code).toBe('changed_meanwhile')
  await cancelExport(finance(), id)
  expect((await refused(cancelExport(finance(), id))).code).toBe('changed_meanwhile')
  await work()
  expect(await getExport(ctx.db, id)).toMatchObject({ state: 'cancelled', parts: 0 })
})

test('a span that is none, more at once than are made, and a role without the power are refused', async () => {
  const backwards = { kind: 'orders' as const, fromDay: day(1), untilDay: day(-1) }
  expect((await refused(askForExport(finance(), backwards))).code).toBe('check_fields')
  const reader = asOperator(database.ctx, 'ro', 'read-only')
  expect((await refused(askForExport(reader, span('orders')))).code).toBe('forbidden')
  for (let count = 0; count < 3; count += 1) await askForExport(finance(), span('orders'))
  expect((await refused(askForExport(finance(), span('orders')))).code).toBe('still_running')
  await work()
})

test('after a week a file is gone', async () => {
  await forgetExports(minutesLater(database.ctx, 8 * 24 * 60))
  expect(await listExports(database.ctx.db, 10)).toEqual([])
})
