import { beforeAll, expect, test } from 'vitest'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { addCurrencies, addItem, buy, stock } from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { forgetLookers, leaveOrder, lookAtOrder } from './commands.ts'
import { listLookers } from './queries.ts'

const database = useDatabase()
let anna: OperatorCtx
let bao: OperatorCtx
let number: string

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  const item = await addItem(ctx)
  await stock(ctx, item, 'L', 2)
  anna = await firstOwner(ctx, 'anna')
  bao = await hire(anna, 'support', 'bao')
  number = (await buy(ctx, [{ item }])).number
})

test('two people on one order hear of each other, and of nobody once one has left', async () => {
  expect(await lookAtOrder(anna, number)).toEqual([])
  expect(await lookAtOrder(bao, number)).toMatchObject([{ order: number, operator: 'anna' }])
  expect(await lookAtOrder(anna, number)).toMatchObject([{ order: number, operator: 'bao' }])
  await leaveOrder(bao, number)
  expect(await lookAtOrder(anna, number)).toEqual([])
})

test('whoever says nothing more is gone within seconds, and nothing is kept of it within a minute', async () => {
  const { ctx } = database
  await lookAtOrder(bao, number)
  const later = minutesLater(ctx, 0.3)
  expect(await listLookers(ctx.db, later.now())).toEqual([])
  await forgetLookers(minutesLater(ctx, 0.75))
  expect(await ctx.db.selectFrom('order_looker').selectAll().execute()).toEqual([])
})

test('an order that is not there, and a role that sees no orders, are refused', async () => {
  expect((await refused(lookAtOrder(anna, '0000000000000'))).code).toBe('not_found')
  const lacking = {
    ...bao,
    operator: { ...bao.operator, own: { name: 'Own', permissions: [], limits: {} } },
  }
  expect((await refused(lookAtOrder(lacking, number))).code).toBe('forbidden')
})
