import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { cancelUnpaid } from '#features/buying/payment/flows.ts'
import { requeueAtDesk } from '#features/office/desk/commands.ts'
import { cancelAtDesk } from '#features/office/desk/flows.ts'
import { setOperatorStatus, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { paidAt } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import { askForBulk, cancelBulk, dismissBulk, forgetBulk } from './commands.ts'
import { doBulk, type BulkDeeds } from './jobs.ts'
import { listBulkRuns } from './queries.ts'
import { BULK_A_DAY, BULK_AT_ONCE } from './rules.ts'

const database = useDatabase()
const services = paidAt(createFakePayments())
let owner: OperatorCtx
let card: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  card = await addItem(ctx)
  await stock(ctx, card, 'B', 40)
  owner = await firstOwner(ctx)
})

const hired = (role: OperatorRole) => hire(owner, role)
const unpaid = (count: number) =>
  Promise.all(Array.from({ length: count }, () => buy(database.ctx, [{ item: card }])))
const numbers = (orders: readonly { readonly number: string }[]) =>
  orders.map(({ number }) => number)
const deeds: BulkDeeds = {
  requeue: async (by, asked) => {
    await requeueAtDesk(by, asked)
    return null
  },
  cancel: async (by, asked) => {
    const { waits } = await cancelAtDesk(by, asked, (account, order) =>
      cancelUnpaid(by, services, account, order, 'left'),
    )
    return waits
  },
}
const work = (signal = new AbortController().signal) => doBulk(database.ctx, deeds, signal)
const runOf = async (ctx: OperatorCtx, id: string) =>
  (await listBulkRuns(ctx.db, ctx.operator.id)).find((run) => run.id === id)

test('several orders are cancelled by the worker, and what could not be done says why', async () => {
  const by = await hired('orders')
  const orders = await unpaid(3)
  const id = await askForBulk(by, { act: 'cancel', orders: numbers(orders) })
  expect(await runOf(by, id)).toMatchObject({ state: 'waiting', count: 3, done: 0 })
  // Somebody else notes something about the second one before its turn comes.
  const [, second] = orders
  await transaction(database.ctx, async (tx) => {
    const order = await lockOrderById(tx, second?.id ?? '')
    await changeOrder(tx, database.ctx, order, {}, { reason: 'test' })
  })
  await work()
  expect(await runOf(by, id)).toMatchObject({
    state: 'done',
    count: 3,
    done: 2,
    failures: [{ order: second?.number, why: 'changed_meanwhile' }],
  })
  const { rows } = await sql<{ status: string }>`
    select status from shop_order where number = any(${numbers(orders)}) order by status`.execute(
    database.ctx.db,
  )
  expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(2)
  await dismissBulk(by, id)
  expect(await runOf(by, id)).toBeUndefined()
})

test('a run that is ended does no more, and is ended once, by who began it', async () => {
  const by = await hired('orders')
  const orders = await unpaid(2)
  const id = await askForBulk(by, { act: 'cancel', orders: numbers(orders) })
  expect((await refused(cancelBulk(owner, id))).code).toBe('not_found')
  // One that goes on is not put away.
  await dismissBulk(by, id)
  await cancelBulk(by, id)
  expect((await refused(cancelBulk(by, id))).code).toBe('changed_meanwhile')
  await work()
  expect(await runOf(by, id)).toMatchObject({ state: 'cancelled', done: 0, failures: [] })
})

test('whoever is shut out does nothing more, and who lost the power hears so', async () => {
  const by = await hired('orders')
  const orders = await unpaid(2)
  const id = await askForBulk(by, { act: 'cancel', orders: numbers(orders) })
  await setOperatorStatus(owner, by.operator.name, 'disabled')
  await work()
  expect(await runOf(by, id)).toMatchObject({ state: 'cancelled', done: 0 })

  const other = await hired('orders')
  const asked = await askForBulk(other, { act: 'cancel', orders: numbers(orders) })
  await sql`update operator set role = 'support' where id = ${other.operator.id}`.execute(
    database.ctx.db,
  )
  await work()
  const lacking = numbers(orders).map((order) => ({ order, why: 'lacks_permission' }))
  expect(await runOf(other, asked)).toMatchObject({ state: 'done', done: 0, failures: lacking })
})

test('a process that dies is followed by another, and each order is done once', async () => {
  const by = await hired('orders')
  const orders = await unpaid(3)
  const id = await askForBulk(by, { act: 'cancel', orders: numbers(orders) })
  await work()
  // As if what came of the last one had not been noted any more.
  await sql`update bulk_run_order set state = 'waiting' where no = 2 and run_id = (select id from bulk_run where public_id = ${id})`.execute(
    by.db,
  )
  await sql`update bulk_run set state = 'running', finished_at = null where public_id = ${id}`.execute(
    by.db,
  )
  await work()
  expect(await runOf(by, id)).toMatchObject({ state: 'done', done: 3, failures: [] })
})

test('what is nobody’s order, too many at once and a role without the power are refused', async () => {
  const by = await hired('orders')
  const [order] = await unpaid(1)
  const one = { act: 'cancel' as const, orders: [order?.number ?? ''] }
  expect((await refused(askForBulk(by, { ...one, orders: ['0000000000000'] }))).code).toBe(
    'not_found',
  )
  expect((await refused(askForBulk(await hired('read-only'), one))).code).toBe('forbidden')
  for (let count = 0; count < BULK_AT_ONCE; count += 1) await askForBulk(by, one)
  expect((await refused(askForBulk(by, one))).code).toBe('still_running')
  await work()
  await forgetBulk(minutesLater(database.ctx, 8 * 24 * 60))
  expect(await listBulkRuns(by.db, by.operator.id)).toEqual([])
})

test('a day has so many runs of one operator, and taking them out of the list gives none back', async () => {
  const by = await hired('orders')
  const [order] = await unpaid(1)
  const one = { act: 'cancel' as const, orders: [order?.number ?? ''] }
  for (let count = 0; count < BULK_A_DAY; count += 1) {
    await cancelBulk(by, await askForBulk(by, one))
  }
  for (const run of await listBulkRuns(by.db, by.operator.id)) await dismissBulk(by, run.id)
  expect((await refused(askForBulk(by, one))).code).toBe('too_many_requests')
  expect(await askForBulk(await hired('orders'), one)).not.toBe('')
  const tomorrow = { ...by, now: minutesLater(database.ctx, 24 * 60 + 1).now }
  expect(await askForBulk(tomorrow, one)).not.toBe('')
})
