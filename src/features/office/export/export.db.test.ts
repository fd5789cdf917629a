import { unzipSync } from 'fflate'
import { sql } from 'kysely'
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
    if (typeof text !== 'string') throw new Error('CSV is text')
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(text.trimEnd().split('\r\n')).toHaveLength(1 + run.rows)
    if (kind !== 'movements') expect(run.rows).toBe(3)
    if (kind === 'orders') expect(text).toMatch(/,USD,10\.00,/)
  },
)

/** A workbook that was made, by its file's other readers. */
async function sheetOf(exportId: string, parts: number): Promise<string> {
  const pieces: Uint8Array[] = []
  for (let part = 0; part < parts; part += 1) {
    const piece = await readPart(database.ctx.db, exportId, part)
    if (typeof piece !== 'string') pieces.push(piece)
  }
  const files = unzipSync(Buffer.concat(pieces))
  return Buffer.from(files['xl/worksheets/sheet1.xml'] ?? []).toString('utf8')
}

test.each(['orders', 'units', 'movements', 'vat', 'vat_days'] as const)(
  'a workbook of %s is made by the worker, whole, with a row each',
  async (kind) => {
    const id = await askForExport(finance(), { ...span(kind), format: 'xlsx' })
    await work()
    const run = await takeExport(finance(), id)
    const xml = await sheetOf(run.id, run.parts)
    expect(xml.match(/<row>/g)).toHaveLength(1 + run.rows)
    if (kind === 'orders') expect(xml).toContain('<v>10.00</v>')
    expect(xml.endsWith('</worksheet>')).toBe(true)
  },
)

test('taxes are summed by month, country, class and rate', async () => {
  const { db } = database.ctx
  const { id: orderId } = await db.selectFrom('shop_order').select('id').executeTakeFirstOrThrow()
  await sql`insert into tax_booking (id, order_id, kind, at, class, basis_points, currency, gross_minor, tax_minor)
    values (uuidv7(), ${orderId}, 'sale', now(), 'service', 1900, 'USD', 1190, 190), (uuidv7(), ${orderId}, 'sale', now(), 'multi_purpose', 0, 'USD', 500, 0)`.execute(
    db,
  )
  const id = await askForExport(finance(), span('vat'))
  await work()
  const run = await takeExport(finance(), id)
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date()).slice(0, 7)
  expect(String(await readPart(db, run.id, 0)).split('\r\n')).toEqual([
    '\uFEFFmonth,country,class,rate,currency,sold,given_back,gross,tax,net',
    `${month},,service,19.00,USD,11.90,0.00,11.90,1.90,10.00`,
    `${month},,multi_purpose,0.00,USD,5.00,0.00,5.00,0.00,5.00`,
    '',
  ])
})

test('a worker of a release before finds no workbook to make, and one that becomes a table of text it does', async () => {
  const { db } = database.ctx
  /** As that release looks for work. */
  const found = async () => {
    const { rows } = await sql<{ format: string }>`
      select format from export_run where finished_at is null order by state = 'running' desc, id limit 1`.execute(
      db,
    )
    return rows
  }
  const book = await askForExport(finance(), { ...span('orders'), format: 'xlsx' })
  expect(await found()).toEqual([])
  expect(await getExport(db, book)).toMatchObject({ state: 'waiting', finishedAt: null })
  await askForExport(finance(), span('orders'))
  expect(await found()).toEqual([{ format: 'csv' }])
  await work()
  expect(await getExport(db, book)).toMatchObject({ state: 'done', format: 'xlsx', rows: 3 })
  expect((await getExport(db, book)).finishedAt).not.toBeNull()
})

test('a workbook that would have too many rows is made as CSV, and says so', async () => {
  const id = await askForExport(finance(), { ...span('orders'), format: 'xlsx' })
  await makeExports(database.ctx, ZONE, new AbortController().signal, 2)
  const run = await takeExport(finance(), id)
  expect(run).toMatchObject({ format: 'csv', isTooLong: true, rows: 3, parts: 1 })
  expect(await readPart(database.ctx.db, run.id, 0)).toContain('order,made')
})

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
