import { beforeAll, expect, test } from 'vitest'
import { claimKeys } from './commands.ts'
import { countStock, listBatches } from './queries.ts'
import { withdrawBatch } from './commands.ts'
import { listOrdersOf } from '#features/buying/order/queries.ts'
import { transaction } from '#platform/ctx.ts'
import { addCurrencies, addItem, buy, stock } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

test('a bad batch leaves the shelf, and what of it is sold is listed', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'B', 3)
  const [bad] = await listBatches(ctx.db, item.code, 9)
  const order = await buy(ctx, [{ item }])
  const unit = await ctx.db
    .selectFrom('order_unit')
    .select(['id', 'public_id'])
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await transaction(ctx, (tx) => claimKeys(tx, ctx, item.id, [unit.id]))
  await stock(ctx, item, 'G', 2)

  const done = await withdrawBatch(asOperator(ctx), bad?.id ?? '')
  expect(done).toMatchObject({
    itemCode: item.code,
    withdrawn: 2,
    sold: [
      { orderNumber: order.number, unit: unit.public_id, status: 'claimed', isRevealed: false },
    ],
  })
  // The good batch is still on sale.
  expect(await countStock(ctx.db, item.id)).toMatchObject({ free: 2, claimed: 1, void: 2 })
  expect(await withdrawBatch(asOperator(ctx), bad?.id ?? '')).toMatchObject({ withdrawn: 0 })
  await expect(withdrawBatch(asOperator(ctx), 'no-such')).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    withdrawBatch(asOperator(ctx, 'aiko', 'support'), bad?.id ?? ''),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('orders are found by the address of who made them', async () => {
  const { ctx } = database
  const order = await buy(ctx, [{ item: await addItem(ctx) }])
  const { email } = await ctx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', order.accountId)
    .executeTakeFirstOrThrow()
  expect(
    (await listOrdersOf(ctx.db, (email ?? '').toUpperCase(), 9)).map(({ number }) => number),
  ).toEqual([order.number])
  expect(await listOrdersOf(ctx.db, 'nobody@shop.example', 9)).toEqual([])
})
