import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerDemoGoods } from '#features/supply/routing/commands.ts'
import { DEMO_SUPPLIER } from '#features/supply/routing/rules.ts'
import { secret } from '#platform/secret.ts'
import type { SupplyProvider } from '#providers/supply/provider.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { buy, violations } from '../../../../test/support/buying.ts'
import { useDemoDatabase } from '../../../../test/support/demo-database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { payFor } from '../../../../test/support/paying.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { startSupplying, type Supplying } from './jobs.ts'

const database = useDemoDatabase()
const fake = createFakePayments()
let sandbox: RunningSupplySandbox
let supplying: Supplying

beforeAll(async () => {
  sandbox = await startSupplySandbox()
  const given = hook.sandbox(sandbox.originOf('hook'), SANDBOX_SECRET)
  const provider: SupplyProvider = await hook.open(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secret(value)])),
    () => new Date(),
  )
  await offerDemoGoods(database.ctx, DEMO_SUPPLIER)
  supplying = startSupplying(database.ctx, new Map([[provider.code, provider]]), () => {})
})
afterAll(async () => {
  await supplying.stop()
  await sandbox.stop()
})

async function itemOf(product: string) {
  const row = await database.ctx.db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .select(['i.id', 'i.code', 'p.brand'])
    .where('i.product', '=', product)
    .orderBy('i.position')
    .executeTakeFirstOrThrow()
  return { ...row, product }
}

async function paid(product: string, accountFields: Record<string, string>) {
  const order = await buy(database.ctx, [
    { item: await itemOf(product), delivery: 'direct_charge', accountFields, price: 100_000n },
  ])
  await payFor(database.ctx, fake, order, 100_000n)
  supplying.soon()
  return order
}

const statusOf = async (order: { readonly id: string }) =>
  (
    await database.ctx.db
      .selectFrom('order_unit')
      .select('status')
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
  ).status

test('all that a demo credits to accounts has a supplier there', async () => {
  const { rows } = await database.ctx.db.executeQuery<{ without: number; offers: number }>({
    ...database.ctx.db
      .selectFrom('item as i')
      .innerJoin('product as p', 'p.code', 'i.product')
      .innerJoin('brand as b', 'b.code', 'p.brand')
      .leftJoin('supplier_offer as o', 'o.item', 'i.id')
      .select((row) => [
        row.fn.count<number>('o.item').as('offers'),
        row.fn.countAll<number>().as('without'),
      ])
      .where('b.delivery', '=', 'direct_charge')
      .compile(),
  })
  expect(Number(rows[0]?.offers)).toBe(Number(rows[0]?.without))
  expect(Number(rows[0]?.offers)).toBeGreaterThan(1_000)
})

test('a top-up and a recharge of the demo are credited within seconds, a wrong account is its buyer’s to correct, and the books of both sides agree', async () => {
  const [topUp, wrong] = [
    await paid('mobile-legends-global', { user_id: '81234567', zone_id: '2233' }),
    await paid('mobile-legends-global', { user_id: '81239005', zone_id: '2233' }),
  ]
  const operator = await database.ctx.db
    .selectFrom('product as p')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .select('p.code')
    .where('b.kind', '=', 'recharge')
    .orderBy('p.code')
    .executeTakeFirstOrThrow()
  const recharge = await paid(operator.code, { phone: '+628123456789' })
  await expect.poll(() => statusOf(topUp), { timeout: 60_000 }).toBe('delivered')
  await expect.poll(() => statusOf(recharge), { timeout: 60_000 }).toBe('delivered')
  await expect.poll(() => statusOf(wrong), { timeout: 60_000 }).toBe('needs_input')
  const books = await sandbox.books()
  const done = books.purchases.filter(({ state }) => state === 'done')
  const [ours] = (
    await database.ctx.db
      .selectFrom('purchase')
      .select((row) => [
        row.fn.sum<string>('actual_minor').as('cost'),
        row.fn.countAll().as('count'),
      ])
      .where('status', '=', 'done')
      .execute()
  ).map((row) => ({ cost: BigInt(row.cost), count: Number(row.count) }))
  expect(ours).toEqual({
    cost: done.reduce((sum, { cost }) => sum + BigInt(cost), 0n),
    count: done.length,
  })
  expect(await violations(database.ctx)).toEqual([])
})
