import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { EXCHANGE_DIFFERENCE, SUPPLY_COMMISSIONS } from '#features/base/ledger/rules.ts'
import { bookDeposit } from '#features/supply/purchase/commands.ts'
import { listSupplierBooks } from '#features/supply/purchase/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { getBalance } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { createFakeSupplier, type FakeSupplier } from '../../../../test/support/fake-supplier.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { supplyHands } from '../../../../test/support/supply-hands.ts'
import { bookCommission, bookExchange, noteInvoice, settleInvoice } from './commands.ts'
import { countOpenInvoices, listOpenInvoices, listUsage } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
let item: TestItem
let one: FakeSupplier
let serial = 0
const { offer, paid, run } = supplyHands(
  () => database.ctx,
  fake,
  () => item,
)
const ann = () => asOperator(database.ctx)
const dollars = (minor: bigint) => ({ minor, currency: 'USD' })
const today = () => database.ctx.now().toISOString().slice(0, 10)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  // A dollar is worth half a euro.
  await database.ctx.db
    .insertInto('currency_rate')
    .values(
      [['USD', '1'] as const, ['EUR', '0.5'] as const].map(([currency, per_usd]) => ({
        currency,
        per_usd,
        source: 'feed:ecb',
        observed_at: database.ctx.now(),
      })),
    )
    .execute()
})
beforeEach(async () => {
  serial += 1
  item = await addItem(database.ctx, { delivery: 'direct_charge' })
  one = createFakeSupplier(`bills${serial}`)
  await registerSuppliers(database.ctx, [one.provider.code])
  await offer(one)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

const invoice = (minor: bigint, more: { number?: string; kind?: 'credit_note' } = {}) =>
  noteInvoice(ann(), {
    supplier: one.provider.code,
    kind: more.kind ?? 'invoice',
    number: more.number ?? 'R-1',
    money: dollars(minor),
    fromOn: today(),
    untilOn: today(),
  })

test('an invoice that comes to what was bought is settled at once, another waits for somebody', async () => {
  await paid(2)
  await run(one)
  expect(await invoice(1_400n)).toBe(0n)
  expect(await countOpenInvoices(database.ctx.db)).toBe(0)
  expect(await invoice(1_500n, { number: 'R-2' })).toBe(100n)
  expect(await listOpenInvoices(database.ctx.db)).toMatchObject([
    { number: 'R-2', amount: '1500', booked: '1400', purchases: 2 },
  ])
  expect((await refused(invoice(1n, { number: 'R-2' }))).code).toBe('conflict')
  const named = { supplier: one.provider.code, number: 'R-2' }
  await settleInvoice(ann(), named, 'they billed a fee; paid')
  expect((await refused(settleInvoice(ann(), named, 'again'))).code).toBe('not_found')
  expect(await countOpenInvoices(database.ctx.db)).toBe(0)
})

test('a credit note is compared with what was taken back, and nobody without the permission notes either', async () => {
  expect(await invoice(700n, { kind: 'credit_note', number: 'G-1' })).toBe(700n)
  await settleInvoice(ann(), { supplier: one.provider.code, number: 'G-1' }, 'goodwill')
  expect(
    (
      await refused(
        settleInvoice(
          asOperator(database.ctx, 'cat', 'catalogue'),
          { supplier: one.provider.code, number: 'G-1' },
          'x',
        ),
      )
    ).code,
  ).toBe('forbidden')
})

test('a commission raises the balance once', async () => {
  const given = { supplier: one.provider.code, money: dollars(250n), reference: 'bonus' }
  await bookCommission(ann(), given)
  expect((await refused(bookCommission(ann(), given))).code).toBe('conflict')
  expect(await getBalance(database.ctx.db, SUPPLY_COMMISSIONS, 'USD')).toBe(250n)
  expect(
    (await listSupplierBooks(database.ctx.db)).find(
      ({ supplier }) => supplier === one.provider.code,
    ),
  ).toMatchObject({ prepaid: '250' })
})

test('what a balance of another currency cost more than it was worth when it was used is booked, once', async () => {
  const before = await getBalance(database.ctx.db, EXCHANGE_DIFFERENCE, 'EUR')
  const topUp = (minor: bigint, paidMinor: bigint) =>
    bookDeposit(ann(), {
      supplier: one.provider.code,
      money: dollars(minor),
      feeMinor: 0n,
      reference: `wire ${paidMinor}`,
      paid: { minor: paidMinor, currency: 'EUR' },
    })
  // On average 0.60 for a dollar, which is worth 0.50.
  await topUp(1_000n, 500n)
  await topUp(1_000n, 700n)
  await paid(2)
  await run(one)
  const later = minutesLater(database.ctx, 5)
  expect(await bookExchange(later)).toBe(1)
  expect(await listUsage(database.ctx.db)).toMatchObject([
    { used: '1400', average: '840', rate: '700', paidCurrency: 'EUR' },
  ])
  expect(await getBalance(database.ctx.db, EXCHANGE_DIFFERENCE, 'EUR')).toBe(before - 140n)
  expect(await bookExchange(minutesLater(database.ctx, 6))).toBe(0)
  // What began before that and was written after it is counted the next time.
  await paid(1)
  await run(one, minutesLater(database.ctx, 4.9))
  expect(await bookExchange(minutesLater(database.ctx, 60))).toBe(1)
  expect(await listUsage(database.ctx.db)).toMatchObject([{ used: '700' }, { used: '1400' }])
})
