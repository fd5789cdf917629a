import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { transaction } from '#platform/ctx.ts'
import { getBalance, getGuardedBalance, listBalances } from '../../../../test/support/books.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import { post } from './commands.ts'
import {
  atProvider,
  balanceChanges,
  HELD,
  LOSSES,
  ORDERS,
  SALES,
  storeCreditOf,
  type LedgerAccount,
  type Posting,
} from './rules.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

const shopper = storeCreditOf('01a20000-0000-7000-8000-000000000001')

function posting(
  debit: LedgerAccount,
  credit: LedgerAccount,
  amountMinor: bigint,
  currency = 'USD',
): Posting {
  return { source: 'credit', sourceId: database.ctx.newId(), debit, credit, currency, amountMinor }
}

const write = (...postings: Posting[]) =>
  transaction(database.ctx, (tx) => post(tx, database.ctx, postings))

test('a movement written twice is refused and changes nothing', async () => {
  const once = posting(atProvider('sandbox'), HELD, 500n)
  await write(once)
  await expect(write(once)).rejects.toMatchObject({ code: '23505' })
  expect(await getBalance(database.ctx.db, atProvider('sandbox'), 'USD')).toBe(-500n)
})

test('store credit is never spent below zero, however many spend at once', async () => {
  await write(posting(HELD, shopper, 1_000n, 'JPY'))
  const spends = Array.from({ length: 16 }, () =>
    write(posting(shopper, ORDERS, 300n, 'JPY')).then(
      () => 'spent',
      (error: { code: string }) => error.code,
    ),
  )
  const outcomes = await Promise.all(spends)
  expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'insufficient_credit')).toHaveLength(13)
  expect(await getGuardedBalance(database.ctx.db, shopper, 'JPY')).toBe(100n)
})

test('movements of one call are written all or none', async () => {
  const before = await getBalance(database.ctx.db, SALES, 'USD')
  expect(
    (await refused(write(posting(ORDERS, SALES, 70n), posting(shopper, SALES, 1n)))).code,
  ).toBe('insufficient_credit')
  expect(await getBalance(database.ctx.db, SALES, 'USD')).toBe(before)
})

test('what is written can neither be changed nor removed', async () => {
  await write(posting(HELD, ORDERS, 5n))
  await expect(
    database.ctx.db.updateTable('ledger_transfer').set({ amount_minor: '6' }).execute(),
  ).rejects.toMatchObject({ code: '23514' })
  await expect(database.ctx.db.deleteFrom('ledger_transfer').execute()).rejects.toMatchObject({
    code: '23514',
  })
})

test('amounts beyond 64 bits are exact', async () => {
  const wei = 123_456_789_012_345_678_901_234_567n
  await write(posting(atProvider('chain'), HELD, wei, 'KWD'))
  expect(await getBalance(database.ctx.db, atProvider('chain'), 'KWD')).toBe(-wei)
})

const accounts = [
  HELD,
  ORDERS,
  SALES,
  LOSSES,
  atProvider('one'),
  atProvider('two'),
  storeCreditOf('01a20000-0000-7000-8000-000000000002'),
]
const randomPosting = fc
  .record({
    debit: fc.constantFrom(...accounts),
    credit: fc.constantFrom(...accounts),
    amountMinor: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    currency: fc.constantFrom('EUR', 'BHD'),
  })
  .filter(({ debit, credit }) => debit !== credit)

test('over random histories no currency gains or loses anything, and the books say what a plain sum says', async () => {
  const expected = new Map<string, bigint>()
  await fc.assert(
    fc.asyncProperty(fc.array(randomPosting, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const postings = drawn.map((each) =>
        posting(each.debit, each.credit, each.amountMinor, each.currency),
      )
      const isWritten = await write(...postings).then(
        () => true,
        (error: { code: string }) => {
          expect(error.code).toBe('insufficient_credit')
          return false
        },
      )
      if (!isWritten) return
      for (const { account, currency, changeMinor } of balanceChanges(postings)) {
        const key = `${account} ${currency}`
        expected.set(key, (expected.get(key) ?? 0n) + changeMinor)
      }
    }),
    { numRuns: 100 },
  )
  const balances = await listBalances(database.ctx.db)
  for (const currency of new Set(balances.map((balance) => balance.currency)))
    expect(
      balances
        .filter((balance) => balance.currency === currency)
        .reduce((sum, { minor }) => sum + minor, 0n),
    ).toBe(0n)
  for (const [key, minor] of expected)
    expect(
      balances.find(({ account, currency }) => `${account} ${currency}` === key)?.minor,
      key,
    ).toBe(minor)
  expect(
    (await database.ctx.db.selectFrom('invariant_violation').selectAll().execute()).filter(
      ({ invariant }) => invariant === 'balance differs from its transfers',
    ),
  ).toEqual([])
})
