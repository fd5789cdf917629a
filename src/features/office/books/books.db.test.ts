import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { post } from '#features/base/ledger/commands.ts'
import {
  atProvider,
  HELD,
  ORDERS,
  storeCreditOf,
  type Posting,
} from '#features/base/ledger/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { closeDays, compareProvider } from './commands.ts'
import { listClosings, listProviders, readBooks, type DayBalance } from './queries.ts'

const database = useDatabase()
const ZONE = 'Europe/Berlin'
const at = (moment: string) => ({ ...database.ctx, now: () => new Date(moment) })
const shopper = storeCreditOf('01a20000-0000-7000-8000-000000000001')
const other = storeCreditOf('01a20000-0000-7000-8000-000000000002')

const posting = (
  debit: Posting['debit'],
  credit: Posting['credit'],
  amountMinor: bigint,
): Posting => ({
  source: 'credit',
  sourceId: database.ctx.newId(),
  debit,
  credit,
  currency: 'USD',
  amountMinor,
})
const write = (moment: string, ...postings: readonly Posting[]) =>
  transaction(at(moment), (tx) => post(tx, at(moment), postings))
const shown = (balances: readonly DayBalance[]) =>
  Object.fromEntries(balances.map(({ account, balanceMinor }) => [account, balanceMinor]))
const booksOf = async (day: string) =>
  shown((await readBooks(database.ctx.db, day, database.ctx.now())).balances)

beforeAll(async () => {
  await addCurrencies(database.ctx)
  // 23:30 and 00:30 of the shop, an hour earlier in UTC.
  await write('2026-03-01T22:30:00Z', posting(atProvider('one'), HELD, 500n))
  await write('2026-03-01T23:30:00Z', posting(HELD, shopper, 200n), posting(HELD, other, 100n))
  await write('2026-03-03T10:00:00Z', posting(shopper, ORDERS, 50n))
})

test('each day of the shop is closed once, with the balances at its end, those of shoppers together', async () => {
  const ctx = at('2026-03-04T12:00:00Z')
  const closed = await Promise.all([closeDays(ctx, ZONE), closeDays(ctx, ZONE)])
  expect(closed[0] + closed[1]).toBe(3)
  expect(
    (await listClosings(ctx.db, null, 10)).map(({ day, transfers }) => [day, transfers]),
  ).toEqual([
    ['2026-03-03', 1],
    ['2026-03-02', 2],
    ['2026-03-01', 1],
  ])
  expect(await booksOf('2026-03-01')).toEqual({
    held: 500n,
    'provider:one': -500n,
  })
  expect(await booksOf('2026-03-02')).toEqual({
    held: 200n,
    'provider:one': -500n,
    store_credit: 300n,
  })
  expect(await booksOf('2026-03-03')).toMatchObject({
    store_credit: 250n,
    orders: 50n,
  })
})

test('what moved since the last closed day counts in the books as they are now', async () => {
  await write('2026-03-04T10:00:00Z', posting(HELD, ORDERS, 30n))
  const now = await readBooks(database.ctx.db, null, new Date('2026-03-04T11:00:00Z'))
  expect(now).toMatchObject({ closing: null, isCatchingUp: false })
  expect(shown(now.balances)).toEqual({
    held: 170n,
    orders: 80n,
    'provider:one': -500n,
    store_credit: 250n,
  })
  expect(await closeDays(at('2026-03-04T23:30:00Z'), ZONE)).toBe(0)
})

test('while many days wait to be closed, the books are those of the last that is', async () => {
  const later = await readBooks(database.ctx.db, null, new Date('2026-03-20T11:00:00Z'))
  expect(later).toMatchObject({ closing: { day: '2026-03-03' }, isCatchingUp: true })
  expect(shown(later.balances)).toEqual(await booksOf('2026-03-03'))
})

test('a movement that comes into a closed day is found before the next is closed', async () => {
  await write('2026-03-03T11:00:00Z', posting(HELD, ORDERS, 1n))
  await expect(closeDays(at('2026-03-05T12:00:00Z'), ZONE)).rejects.toThrow(
    '1 movements were written into 2026-03-03 after it was closed',
  )
})

test('a provider is told with its notices, what it took in, and what fails; comparing takes the power', async () => {
  const { ctx } = database
  await sql`insert into provider_event (provider, event_id, kind, body, received_at) values ('one', 'evt', 'x', '', '2026-03-03T09:00:00Z')`.execute(
    ctx.db,
  )
  await ctx.db
    .insertInto('sweep')
    .values([{ name: 'payments:one', failures: 2, error: 'no answer' }, { name: 'reconcile:one' }])
    .execute()
  const [one] = await listProviders(ctx.db, ['one'], new Date('2026-03-01T00:00:00Z'))
  expect(one).toMatchObject({
    provider: 'one',
    noticesWaiting: 1,
    failures: 2,
    failure: 'no answer',
    received: [{ currency: 'USD', minor: 500n }],
  })
  // A sweep of one that is not set up says nothing of it.
  await sql`insert into sweep (name, begun_at) values ('payments:three', '2026-03-03T09:00:00Z')`.execute(
    ctx.db,
  )
  const known = await listProviders(ctx.db, ['two'], new Date('2026-03-01T00:00:00Z'))
  expect(known.map(({ provider }) => provider)).toEqual(['one', 'two'])
  await compareProvider(asOperator(ctx), 'one')
  expect((await refused(compareProvider(asOperator(ctx), 'two'))).code).toBe('not_found')
  const reader = asOperator(ctx, 'ro', 'read-only')
  expect((await refused(compareProvider(reader, 'one'))).code).toBe('forbidden')
})
