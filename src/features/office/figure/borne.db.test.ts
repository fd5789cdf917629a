import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { SHORTFALLS } from '#features/base/ledger/rules.ts'
import { acceptMoneyByOperator } from '#features/buying/payment/commands.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { getBalance } from '../../../../test/support/books.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { addUpFigures } from './commands.ts'
import { readBreakdown, readFigures } from './queries.ts'
import { addUp, DIMENSIONS, marginOf } from './rules.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let owner: OperatorCtx
let items: TestItem[]

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  items = [await addItem(ctx), await addItem(ctx)]
  for (const [index, item] of items.entries()) await stock(ctx, item, 'BC'[index] ?? 'B', 9)
  await sql`update key_batch set supplier = 'acme', cost_minor = 700, cost_currency = 'USD' where item = ${items[0]?.id}`.execute(
    ctx.db,
  )
  owner = await firstOwner(ctx)
})

test('what the shop bears of a price is less of its margin, and as much as stands in the books', async () => {
  const { ctx } = database
  const [first, second] = items as [TestItem, TestItem]
  // Thirds of a cent fall on each of three units.
  for (const lacking of [100n, 1n]) {
    const made = await buy(ctx, [{ item: first, quantity: 2 }, { item: second }])
    const { id, amount } = await beginPaying(ctx, services, made, { method: 'card', feeMinor: 0n })
    fake.pay(id, { ...amount, minor: amount.minor - lacking })
    await checkPayment(ctx, services, id)
    await acceptMoneyByOperator(owner, made.number, 'original')
  }
  const borne = -(await getBalance(ctx.db, SHORTFALLS, 'USD'))
  expect(borne).toBe(101n)
  await addUpFigures(ctx, 'UTC')
  const of = { period: '7', now: ctx.now(), timeZone: 'UTC' } as const
  const all = addUp((await readFigures(ctx.db, of)).now.map(({ figures }) => figures))
  expect(all.borne_usd).toBe(borne)
  expect(marginOf(all)).toBe(4n * (1_000n - 700n) - borne)
  for (const dimension of DIMENSIONS) {
    const { top } = await readBreakdown(ctx.db, { ...of, dimension, limit: 9 })
    expect([dimension, addUp(top.map(({ figures }) => figures)).borne_usd]).toEqual([
      dimension,
      borne,
    ])
  }
  expect(await violations(ctx)).toEqual([])
})
