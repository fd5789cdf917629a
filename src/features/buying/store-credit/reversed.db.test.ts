import { afterEach, beforeAll, expect, test } from 'vitest'
import { atProvider, creditDebtOf, LOSSES, storeCreditOf } from '#features/base/ledger/rules.ts'
import { post } from '#features/base/ledger/commands.ts'
import { getPayable } from '#features/buying/payment/queries.ts'
import { recordNotice } from '#features/buying/payment/commands.ts'
import { settleNotices, startPaying } from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { listCredit, listTransactions } from '#features/buying/transaction/queries.ts'
import { transaction } from '#platform/ctx.ts'
import { getBalance, getGuardedBalance, listBalances } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  buyCredit,
  stock,
  violations,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { payFor } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { followReversals, grantCredit, storeCreditPayments } from './commands.ts'
import { listDebts } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  providers: new Map([
    ['fake', fake.provider],
    ['store-credit', storeCreditPayments(database.ctx)],
  ]),
  publicUrl: 'https://shop.example',
})

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  expect(await violations(database.ctx)).toEqual([])
  expect(await getBalance(database.ctx.db, atProvider('fake'), 'USD')).toBe(-fake.kept('USD'))
  expect((await listBalances(database.ctx.db)).reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n)
})

const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const creditOf = (accountId: string) =>
  getGuardedBalance(database.ctx.db, storeCreditOf(accountId), 'USD')
const owedBy = async (accountId: string) =>
  -(await getBalance(database.ctx.db, creditDebtOf(accountId), 'USD'))
const standing = async (accountId: string) => [await creditOf(accountId), await owedBy(accountId)]
const grant = (accountId: string, minor: bigint, currency = 'USD') =>
  transaction(database.ctx, (tx) =>
    grantCredit(tx, database.ctx, { accountId, money: { minor, currency }, email: 'a@b.example' }),
  )
const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status
const attemptOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
  ).id

/** Somebody who has bought 10.00 of credit by a payment of the provider, and paid its fee of 0.30. */
async function toppedUp(accountId?: string) {
  const made = await buyCredit(database.ctx)
  if (accountId)
    await database.ctx.db
      .updateTable('shop_order')
      .set({ account_id: accountId })
      .where('id', '=', made.id)
      .execute()
  const owner = accountId ?? made.accountId
  return { accountId: owner, orderId: made.id, attempt: await paid(made.publicId, owner, 1_030n) }
}

const paid = (publicId: string, accountId: string, minor: bigint) =>
  payFor(database.ctx, fake, { publicId, accountId }, minor, { feeMinor: 30n })

async function ordered(accountId: string) {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  return buy(database.ctx, [{ item }], { accountId })
}

const payFromCredit = ({
  publicId,
  accountId,
}: {
  readonly publicId: string
  readonly accountId: string
}) =>
  startPaying(database.ctx, services(), {
    order: publicId,
    accountId,
    provider: 'store-credit',
    method: 'store-credit',
    feeMinor: 0n,
  })

/** As a provider tells it, by a notice of its own. */
async function told(attempt: string, change: Parameters<typeof fake.set>[1]): Promise<void> {
  fake.set(attempt, change)
  await recordNotice(
    database.ctx,
    'fake',
    {
      eventId: database.ctx.newId(),
      kind: 'changed',
      paymentReference: fake.of(attempt).reference,
    },
    Buffer.from('{}'),
  )
  await settleNotices(database.ctx, services())
  await submitRefunds(database.ctx, services().providers)
}

test('credit whose payment a bank takes back buys nothing any more, and the loss is what the fee was', async () => {
  const { accountId, attempt } = await toppedUp()
  const losses = await getBalance(database.ctx.db, LOSSES, 'USD')
  await told(attempt, { reversed: usd(1_030n) })
  expect(await standing(accountId)).toEqual([0n, 0n])
  expect(await getBalance(database.ctx.db, LOSSES, 'USD')).toBe(losses - 30n)
  const order = await ordered(accountId)
  expect(await refused(payFromCredit(order))).toMatchObject({ code: 'insufficient_credit' })
  expect(await statusOf(order.id)).toBe('pending_payment')
})

test('while its payment is disputed credit is frozen, in the cashier too, and free again when the dispute is won', async () => {
  const { accountId, attempt } = await toppedUp()
  await grant(accountId, 400n)
  await told(attempt, { isDisputed: true })
  const order = await ordered(accountId)
  expect(await refused(payFromCredit(order))).toMatchObject({ code: 'insufficient_credit' })
  expect((await getPayable(database.ctx.db, accountId, order.publicId)).creditMinor).toBe(400n)
  expect(await listCredit(database.ctx.db, accountId)).toEqual([
    { currency: 'USD', minor: 1_400n, frozenMinor: 1_000n, owedMinor: 0n },
  ])
  await told(attempt, { isDisputed: false })
  await payFromCredit(order)
  expect([await statusOf(order.id), await creditOf(accountId)]).toEqual(['completed', 400n])
})

test('credit that was spent before its payment was taken back is owed: nothing is spent, and what comes later pays it first', async () => {
  const { accountId, attempt } = await toppedUp()
  await payFromCredit(await ordered(accountId))
  await told(attempt, { isDisputed: true })
  await told(attempt, { isDisputed: false, reversed: usd(1_030n) })
  expect(await standing(accountId)).toEqual([0n, 1_000n])
  expect(await listDebts(database.ctx.db)).toContainEqual(
    expect.objectContaining({ currency: 'USD', owedMinor: 1_000n }),
  )

  await grant(accountId, 300n)
  expect(await standing(accountId)).toEqual([0n, 700n])
  // What is owed in one currency blocks credit of every other.
  await grant(accountId, 5_000n, 'EUR')
  expect(await listCredit(database.ctx.db, accountId)).toContainEqual({
    currency: 'EUR',
    minor: 5_000n,
    frozenMinor: 0n,
    owedMinor: 0n,
  })
  const inEuro = await ordered(accountId)
  await database.ctx.db
    .updateTable('shop_order')
    .set({ currency: 'EUR' })
    .where('id', '=', inEuro.id)
    .execute()
  expect((await getPayable(database.ctx.db, accountId, inEuro.publicId)).creditMinor).toBe(0n)
  expect(await refused(payFromCredit(inEuro))).toMatchObject({ code: 'insufficient_credit' })

  await toppedUp(accountId)
  expect(await standing(accountId)).toEqual([300n, 0n])
  expect((await getPayable(database.ctx.db, accountId, inEuro.publicId)).creditMinor).toBe(5_000n)
  const { list } = await listTransactions(database.ctx.db, accountId, { page: 1, limit: 20 })
  expect(
    list
      .filter(({ kind }) => kind === 'reclaim' || kind === 'repay')
      .map(({ kind, amountMinor }) => [kind, amountMinor]),
  ).toEqual([
    ['repay', -700n],
    ['repay', -300n],
    ['reclaim', -1_000n],
  ])
})

test('a bank that gives back what it took ends the debt, and gives credit again for what was paid of it', async () => {
  const { accountId, attempt } = await toppedUp()
  await payFromCredit(await ordered(accountId))
  await told(attempt, { reversed: usd(1_030n) })
  await grant(accountId, 250n)
  expect(await standing(accountId)).toEqual([0n, 750n])
  await told(attempt, { reversed: null })
  expect(await standing(accountId)).toEqual([250n, 0n])
  await told(attempt, { reversed: usd(1_030n) })
  expect(await standing(accountId)).toEqual([0n, 750n])
})

test('what a bank takes in parts is taken from the credit in parts, and given back in parts', async () => {
  const { accountId, attempt } = await toppedUp()
  for (const [reversed, left] of [
    [400n, 600n],
    [1_020n, 0n],
    [300n, 700n],
  ] as const) {
    await told(attempt, { reversed: usd(reversed) })
    expect(await standing(accountId)).toEqual([left, 0n])
  }
})

test('a refund taken as credit goes with its payment, which the bank takes back as well', async () => {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const order = await buy(database.ctx, [{ item }])
  const attempt = await paid(order.publicId, order.accountId, 1_030n)
  await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: null,
    destination: 'store_credit',
    reason: 'mistake',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await submitRefunds(database.ctx, services().providers)
  expect(await standing(order.accountId)).toEqual([1_030n, 0n])
  await told(attempt, { isDisputed: true })
  expect((await listCredit(database.ctx.db, order.accountId))[0]).toMatchObject({
    frozenMinor: 1_030n,
  })
  await told(attempt, { isDisputed: false, reversed: usd(1_030n) })
  expect(await standing(order.accountId)).toEqual([0n, 0n])
})

test('credit that comes back from a purchase is no way round a dispute: it is frozen, and taken', async () => {
  const { accountId, attempt } = await toppedUp()
  const bought = await ordered(accountId)
  await payFromCredit(bought)
  await told(attempt, { isDisputed: true })
  await requestRefund(database.ctx, {
    orderId: bought.id,
    unitIds: null,
    destination: 'store_credit',
    reason: 'mistake',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await submitRefunds(database.ctx, services().providers)
  expect((await listCredit(database.ctx.db, accountId))[0]).toMatchObject({
    minor: 1_000n,
    frozenMinor: 1_000n,
  })
  expect(await refused(payFromCredit(await ordered(accountId)))).toMatchObject({
    code: 'insufficient_credit',
  })
  await told(attempt, { isDisputed: false, reversed: usd(1_030n) })
  expect(await standing(accountId)).toEqual([0n, 0n])
})

test('of a purchase and a reversal at the same time either is first, and nothing is spent that the bank has', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { accountId, attempt } = await toppedUp()
    const order = await ordered(accountId)
    await Promise.allSettled([payFromCredit(order), told(attempt, { reversed: usd(1_030n) })])
    await settleNotices(database.ctx, services())
    const isBought = (await statusOf(order.id)) === 'completed'
    expect(await standing(accountId)).toEqual([0n, isBought ? 1_000n : 0n])
  }
})

test('credit of a payment that was reversed before the shop looked is found broken, and taken by the hourly look', async () => {
  const { accountId, attempt, orderId } = await toppedUp()
  await told(attempt, { reversed: usd(1_030n) })
  const before = (await violations(database.ctx)).length
  // As the release before has left it: the bank has the money, the shopper the credit.
  await transaction(database.ctx, (tx) =>
    post(tx, database.ctx, [
      {
        source: 'reclaim_undone',
        sourceId: attempt,
        leg: 90,
        debit: LOSSES,
        credit: storeCreditOf(accountId),
        currency: 'USD',
        amountMinor: 1_000n,
      },
    ]),
  )
  expect([before, await violations(database.ctx)]).toEqual([
    0,
    [`credit of money that a bank has taken back: ${await attemptOf(orderId)}`],
  ])
  await followReversals(database.ctx)
  expect(await standing(accountId)).toEqual([0n, 0n])
})

test('credit beside a debt is seen', async () => {
  const { accountId, attempt } = await toppedUp()
  await payFromCredit(await ordered(accountId))
  await told(attempt, { reversed: usd(1_030n) })
  const granted = database.ctx.newId()
  await transaction(database.ctx, (tx) =>
    post(tx, database.ctx, [
      {
        source: 'credit',
        sourceId: granted,
        debit: LOSSES,
        credit: storeCreditOf(accountId),
        currency: 'USD',
        amountMinor: 5n,
      },
    ]),
  )
  expect(await violations(database.ctx)).toEqual([`credit beside a debt: ${accountId}`])
  await grant(accountId, 1n)
})
