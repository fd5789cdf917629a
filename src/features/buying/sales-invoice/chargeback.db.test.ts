import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { includedTax } from '#features/goods/tax/rules.ts'
import {
  addCountry,
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'
import { bookTaxes } from './jobs.ts'
import { listInvoices } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let card: TestItem
let other: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  await addCountry(ctx, 'DE', 'DEU')
  card = await addItem(ctx)
  other = await addItem(ctx)
  await stock(ctx, card, 'T', 20)
  await stock(ctx, other, 'U', 20)
  const seller = { name: 'Example Trading Ltd', address: ['1 High Street'], tax_id: 'IE1234567A' }
  await sql`insert into setting (key, value) values ('invoice', ${JSON.stringify(seller)}::jsonb)`.execute(
    ctx.db,
  )
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const taxed = (price: bigint, basisPoints: number) => ({
  taxClass: 'service' as const,
  basisPoints,
  minor: includedTax(price, basisPoints),
})

/** Two cards at 10.00 of 19 %, and one at 3.33 of 7 %: 23.33 in all. */
async function sold() {
  const made = await buy(
    database.ctx,
    [
      { item: card, quantity: 2, tax: taxed(1_000n, 1_900) },
      { item: other, price: 333n, tax: taxed(333n, 700) },
    ],
    { country: 'DE' },
  )
  const attempt = await payFor(database.ctx, fake, made)
  await work()
  return { ...made, attempt }
}
const work = () => bookTaxes(database.ctx, 'Europe/Berlin')

async function bankKeeps(attempt: string, minor: bigint | null): Promise<void> {
  fake.set(attempt, { reversed: minor === null ? null : { minor, currency: 'USD' } })
  await checkPayment(database.ctx, services, attempt)
  await work()
}
/** Gross and tax that stand, by rate, and how many bookings there are. */
async function standing(orderId: string) {
  const { rows } = await sql<{ rate: number; gross: string; tax: string }>`
    select basis_points as rate, sum(gross_minor)::text as gross, sum(tax_minor)::text as tax from tax_booking where order_id = ${orderId} group by 1 order by 1 desc`.execute(
    database.ctx.db,
  )
  return rows.map(({ rate, gross, tax }) => `${rate} ${gross} ${tax}`)
}
const documents = async (orderId: string) =>
  (await listInvoices(database.ctx.db, orderId)).map(
    ({ kind, grossMinor, taxMinor }) => `${kind} ${grossMinor} ${taxMinor}`,
  )

test('what a bank takes back corrects the tax of the sale, and is owed again where it gives it back', async () => {
  const { id, attempt } = await sold()
  expect(await standing(id)).toEqual(['1900 2000 320', '700 333 22'])
  await bankKeeps(attempt, 2_333n)
  expect(await standing(id)).toEqual(['1900 0 0', '700 0 0'])
  expect(await documents(id)).toEqual(['invoice 2333 342', 'credit_note 2333 342'])
  const [, note] = await listInvoices(database.ctx.db, id)
  expect(note?.content.lines.map(({ quantity }) => quantity)).toEqual([2, 1])
  expect(note?.content.about).toMatch(/^INV-/)
  await bankKeeps(attempt, null)
  expect(await standing(id)).toEqual(['1900 2000 320', '700 333 22'])
  expect(await documents(id)).toEqual([
    'invoice 2333 342',
    'credit_note 2333 342',
    'invoice 2333 342',
  ])
})

test('a dispute that is open, or won, corrects nothing', async () => {
  const { id, attempt } = await sold()
  for (const isDisputed of [true, false]) {
    fake.set(attempt, { isDisputed })
    await checkPayment(database.ctx, services, attempt)
    await work()
    expect(await documents(id)).toEqual(['invoice 2333 342'])
  }
})

test('parts that a bank takes one after another are the whole together, to the last cent', async () => {
  const { id, attempt } = await sold()
  await bankKeeps(attempt, 777n)
  await bankKeeps(attempt, 1_500n)
  const [first] = await standing(id)
  expect(first).toBe('1900 714 114')
  await bankKeeps(attempt, 2_333n)
  expect(await standing(id)).toEqual(['1900 0 0', '700 0 0'])
  expect(await documents(id)).toHaveLength(4)
})

test('what was given back before is not corrected once more', async () => {
  const { ctx } = database
  const { id, attempt } = await sold()
  const { id: unit } = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', id)
    .where('price_minor', '=', '333')
    .executeTakeFirstOrThrow()
  await requestRefund(ctx, {
    orderId: id,
    unitIds: [unit],
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  await submitRefunds(ctx, services.providers)
  await bankKeeps(attempt, 2_000n)
  expect(await standing(id)).toEqual(['1900 0 0', '700 0 0'])
  expect(await documents(id)).toEqual([
    'invoice 2333 342',
    'credit_note 333 22',
    'credit_note 2000 320',
  ])
})

test('money that had paid for nothing is no sale: a bank that takes it corrects nothing', async () => {
  const { ctx } = database
  const made = await buy(ctx, [{ item: card, tax: taxed(1_000n, 1_900) }], { country: 'DE' })
  const attempt = await payFor(ctx, fake, made, 400n)
  await bankKeeps(attempt, 400n)
  expect(await standing(made.id)).toEqual([])
})

test('a worker of a release before, which knows nothing of banks, leaves what one took to a newer one', async () => {
  const { id, attempt } = await sold()
  fake.set(attempt, { reversed: { minor: 2_333n, currency: 'USD' } })
  await checkPayment(database.ctx, services, attempt)
  const due = () => sql`select from tax_due where order_id = ${id}`.execute(database.ctx.db)
  expect((await due()).rows).toHaveLength(1)
  // As it takes up a row.
  const { rows } = await sql`
    delete from tax_due d where d.order_id = ${id} and not exists (select from tax_due e where e.order_id = d.order_id and e.id < d.id) returning id`.execute(
    database.ctx.db,
  )
  expect(rows).toEqual([])
  await work()
  expect((await due()).rows).toEqual([])
  expect(await standing(id)).toEqual(['1900 0 0', '700 0 0'])
  expect((await documents(id)).at(-1)).toMatch(/^credit_note 2333 [1-9]/)
})
