import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { drawReceipt } from '#features/buying/receipt/engine/draw.ts'
import { settleNotices } from '#features/buying/payment/flows.ts'
import { recordNotice } from '#features/buying/payment/commands.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { includedTax, type TaxClass, type UnitTax } from '#features/goods/tax/rules.ts'
import {
  addCountry,
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'
import { readPdfText } from '../../../../test/support/pdf-text.ts'
import { refused } from '../../../../test/support/people.ts'
import { bookTax, forgetBuyers } from './commands.ts'
import { makeInvoice } from './flows.ts'
import { bookTaxes } from './jobs.ts'
import { listDueTaxes, listInvoices } from './queries.ts'

const database = useDatabase()
const ZONE = 'Europe/Berlin'
const fake = createFakePayments()
const services = paidAt(fake)
let [card, other]: TestItem[] = []

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  await addCountry(ctx, 'DE', 'DEU')
  ;[card, other] = [await addItem(ctx), await addItem(ctx)]
  await stock(ctx, card, 'T', 100)
  await stock(ctx, other, 'U', 10)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const taxed = (price: bigint, basisPoints: number, taxClass: TaxClass = 'service'): UnitTax => ({
  taxClass,
  basisPoints,
  minor: includedTax(price, basisPoints),
})

const pay = (made: Awaited<ReturnType<typeof buy>>, minor: bigint) =>
  payFor(database.ctx, fake, made, minor)

async function bought(lines: Parameters<typeof buy>[1], minor: bigint) {
  const made = await buy(database.ctx, lines, { country: 'DE' })
  return { ...made, attempt: await pay(made, minor) }
}

const giveBack = async (orderId: string, unitIds: readonly string[] | null) => {
  await requestRefund(database.ctx, {
    orderId,
    unitIds,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(database.ctx, services.providers)
}
const setInvoice = (value: unknown) =>
  sql`insert into setting (key, value) values ('invoice', ${JSON.stringify(value)}::jsonb) on conflict (key) do update set value = excluded.value`.execute(
    database.ctx.db,
  )
const SELLER = { name: 'Example Trading Ltd', address: ['1 High Street'], tax_id: 'IE1234567A' }
const work = () => bookTaxes(database.ctx, ZONE)
const sums = async (orderId: string) =>
  (
    await sql<{ kind: string; class: string; rate: number; gross: string; tax: string }>`
      select kind, class, basis_points as rate, gross_minor::text as gross, tax_minor::text as tax from tax_booking where order_id = ${orderId} order by id`.execute(
      database.ctx.db,
    )
  ).rows

test('where nothing is said of taxes nothing is written, neither of a sale nor of a refund', async () => {
  const { id } = await bought([{ item: card as TestItem }], 1_000n)
  await giveBack(id, null)
  expect(await listDueTaxes(database.ctx.db, null, 10)).toEqual([])
  expect(await sums(id)).toEqual([])
})

test('an order whose tax an earlier release kept as a whole is written down unit by unit, and given back the same way', async () => {
  const { ctx } = database
  const made = await buy(
    ctx,
    [
      { item: card as TestItem, quantity: 3, price: 333n },
      { item: other as TestItem, price: 1_000n },
    ],
    { country: 'DE' },
  )
  await sql`update shop_order set tax_basis_points = 1900, tax_minor = 319 where id = ${made.id}`.execute(
    ctx.db,
  )
  await pay(made, 1_999n)
  expect(await work()).toBe(1)
  // 53 each, three times, and 160: by the unit, as the goods are given back.
  expect(await sums(made.id)).toEqual([
    { kind: 'sale', class: 'single_purpose', rate: 1_900, gross: '1999', tax: '319' },
  ])
  const [cheap] = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', made.id)
    .where('price_minor', '=', '333')
    .execute()
  await giveBack(made.id, [cheap?.id ?? ''])
  await giveBack(made.id, null)
  await work()
  const rows = await sums(made.id)
  expect(rows[1]).toMatchObject({ kind: 'refund', gross: '-333', tax: '-53' })
  expect(rows.reduce((sum, { gross }) => sum + BigInt(gross), 0n)).toBe(0n)
  expect(rows.reduce((sum, { tax }) => sum + BigInt(tax), 0n)).toBe(0n)
})

test('a sale is written down by class and rate, and a refund takes back exactly what its units held', async () => {
  const { ctx } = database
  const made = await bought(
    [
      { item: card as TestItem, quantity: 3, price: 333n, tax: taxed(333n, 1_900) },
      { item: other as TestItem, price: 1_000n, tax: taxed(1_000n, 700, 'single_purpose') },
    ],
    1_999n,
  )
  expect(await work()).toBe(1)
  // 53 each, three times: never 159.5 of 999 together.
  expect(await sums(made.id)).toEqual([
    { kind: 'sale', class: 'service', rate: 1_900, gross: '999', tax: '159' },
    { kind: 'sale', class: 'single_purpose', rate: 700, gross: '1000', tax: '65' },
  ])
  const { tax_minor, tax_basis_points } = await ctx.db
    .selectFrom('shop_order')
    .select(['tax_minor', 'tax_basis_points'])
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  expect([tax_minor, tax_basis_points]).toEqual(['224', 0])
  const units = await ctx.db
    .selectFrom('order_unit')
    .select(['id', 'price_minor'])
    .where('order_id', '=', made.id)
    .execute()
  const cheap = units.filter(({ price_minor }) => price_minor === '333')
  await giveBack(made.id, [cheap[0]?.id ?? ''])
  await giveBack(made.id, null)
  await work()
  const rows = await sums(made.id)
  expect(rows[2]).toEqual({
    kind: 'refund',
    class: 'service',
    rate: 1_900,
    gross: '-333',
    tax: '-53',
  })
  for (const rate of [1_900, 700]) {
    const of = rows.filter((row) => row.rate === rate)
    expect(of.reduce((sum, { tax }) => sum + BigInt(tax), 0n)).toBe(0n)
    expect(of.reduce((sum, { gross }) => sum + BigInt(gross), 0n)).toBe(0n)
  }
})

test('what is kept of a line never changes, and what is said of it must fit', async () => {
  const { db } = database.ctx
  await expect(sql`update order_line set tax_minor = 1`.execute(db)).rejects.toThrow('append-only')
  await expect(sql`update tax_booking set tax_minor = 1`.execute(db)).rejects.toThrow('append-only')
  const more = { ...taxed(1_000n, 0, 'multi_purpose'), minor: 1n }
  await expect(buy(database.ctx, [{ item: card as TestItem, tax: more }])).rejects.toThrow(
    'order_line_tax_check',
  )
})

test('an order that is paid has an invoice, and what is given back a credit note; both say what they said for ever', async () => {
  const { ctx } = database
  await setInvoice(SELLER)
  const made = await bought(
    [{ item: card as TestItem, quantity: 2, tax: taxed(1_000n, 1_900) }],
    2_000n,
  )
  await work()
  await giveBack(made.id, null)
  await work()
  const invoices = await listInvoices(ctx.db, made.id)
  expect(invoices).toMatchObject([
    { kind: 'invoice', grossMinor: 2_000n, taxMinor: 320n, content: { about: null } },
    {
      kind: 'credit_note',
      grossMinor: 2_000n,
      taxMinor: 320n,
      content: { about: invoices[0]?.number, seller: SELLER },
    },
  ])
  expect(invoices[0]?.number).toMatch(/^INV-\d{4}-000001$/)
  expect(invoices[1]?.number).toMatch(/^CN-\d{4}-000001$/)
  const reader = {
    language: 'de',
    timeZone: ZONE,
    shopName: 'Shop',
    drawReceipt,
    accountId: made.accountId,
  } as const
  const { name, content } = await makeInvoice(ctx, reader, invoices[1]?.id ?? '')
  expect(name).toBe(`${invoices[1]?.number}.pdf`)
  const { stretches, title } = readPdfText(content)
  const text = stretches.map((signs) => signs.join('')).join('')
  expect(title).toContain('Gutschrift')
  expect(text).toContain('Steuernummer: IE1234567A')
  expect(text).toContain(invoices[0]?.number)
  const stranger = { ...reader, accountId: ctx.newId() }
  expect((await refused(makeInvoice(ctx, stranger, invoices[0]?.id ?? ''))).code).toBe('not_found')
  for (const change of [
    sql`update sales_invoice set gross_minor = 1`,
    sql`update sales_invoice set buyer = '{"lines": ["Eve"]}'`,
    sql`delete from sales_invoice`,
    sql`update sales_invoice_series set last = last + 2`,
  ])
    await expect(change.execute(ctx.db)).rejects.toThrow(/append-only|taken out|without a gap/)
})

test('a refund that came back is owed again: an invoice names its credit note', async () => {
  const { ctx } = database
  const made = await bought([{ item: card as TestItem, tax: taxed(1_000n, 1_900) }], 1_000n)
  await giveBack(made.id, null)
  await work()
  fake.failRefunds(made.attempt)
  await recordNotice(
    ctx,
    'fake',
    {
      eventId: `back-${made.attempt}`,
      kind: 'refund.failed',
      paymentReference: fake.of(made.attempt).reference,
    },
    Buffer.from('{}'),
  )
  await settleNotices(ctx, services)
  await submitRefunds(ctx, services.providers)
  await work()
  const [, note, again] = await listInvoices(ctx.db, made.id)
  expect(again).toMatchObject({ kind: 'invoice', content: { about: note?.number } })
  expect((await sums(made.id)).map(({ kind, tax }) => [kind, tax])).toEqual([
    ['sale', '160'],
    ['refund', '-160'],
    ['returned', '160'],
  ])
})

test('twenty at once, one of which fails and many of which are asked twice, leave no gap and no double', async () => {
  const { ctx } = database
  const orders: { id: string }[] = []
  for (let count = 0; count < 20; count += 1)
    orders.push(await bought([{ item: card as TestItem }], 1_000n))
  const due = await listDueTaxes(ctx.db, null, 50)
  expect(due).toHaveLength(20)
  await sql`create function fail_once() returns trigger language plpgsql as $$ begin if new.order_id = ${sql.lit(orders[7]?.id ?? '')} then raise 'no'; end if; return new; end $$`.execute(
    ctx.db,
  )
  await sql`create trigger z_fail after insert on sales_invoice for each row execute function fail_once()`.execute(
    ctx.db,
  )
  const before = await lastNumber()
  const outcomes = await Promise.allSettled([...due, ...due].map((id) => bookTax(ctx, id, ZONE)))
  expect(outcomes.filter((each) => each.status === 'fulfilled' && each.value)).toHaveLength(19)
  await sql`drop trigger z_fail on sales_invoice`.execute(ctx.db)
  await work()
  const { rows } = await sql<{ number: number }>`
    select number from sales_invoice where series = 'INV' and number > ${before} order by number`.execute(
    ctx.db,
  )
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, index) => before + index + 1),
  )
})

const lastNumber = async () =>
  (
    await sql<{ last: number }>`select last from sales_invoice_series where series = 'INV'`.execute(
      database.ctx.db,
    )
  ).rows[0]?.last ?? 0

test('a setting that cannot be read loses no invoice: what is owed waits', async () => {
  const { ctx } = database
  await setInvoice({ name: 'Example Trading Ltd' })
  const made = await bought([{ item: card as TestItem }], 1_000n)
  const silent = { ...ctx, log: { ...ctx.log, error: () => {} } }
  expect(await bookTaxes(silent, ZONE)).toBe(0)
  expect(await listInvoices(ctx.db, made.id)).toEqual([])
  await setInvoice(SELLER)
  await work()
  expect(await listInvoices(ctx.db, made.id)).toHaveLength(1)
})

test('who bought is taken out once the law asks for it no longer, and not before', async () => {
  const { ctx } = database
  const named = () =>
    ctx.db.selectFrom('sales_invoice').select('id').where('buyer', 'is not', null).execute()
  const count = (await named()).length
  expect(count).toBeGreaterThan(20)
  await forgetBuyers(minutesLater(ctx, 9 * 365 * 24 * 60))
  expect(await named()).toHaveLength(count)
  await forgetBuyers(minutesLater(ctx, 12 * 366 * 24 * 60))
  expect(await named()).toEqual([])
})
