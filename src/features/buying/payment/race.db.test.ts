import { beforeAll, expect, test } from 'vitest'
import { isAppError } from '#kernel/error.ts'
import { countStock } from '#features/buying/vault/queries.ts'
import { listBalances } from '../../../../test/support/books.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { checkPayment, startPaying } from './flows.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

test('240 shoppers race for 60 keys: 60 pay and get one each, nobody pays in vain, the books balance', {
  timeout: 600_000,
}, async () => {
  const { ctx } = database
  const fake = createFakePayments()
  const services = {
    providers: new Map([['fake', fake.provider]]),
    publicUrl: 'https://shop.example',
  }
  const item = await addItem(ctx)
  await stock(ctx, item, 'R', 60)
  const shoppers: Awaited<ReturnType<typeof buy>>[] = []
  for (let count = 0; count < 240; count += 1) shoppers.push(await buy(ctx, [{ item }]))
  const shop = async ({ id, publicId, accountId }: (typeof shoppers)[number]) => {
    await startPaying(ctx, services, {
      order: publicId,
      accountId,
      provider: 'fake',
      method: 'card',
      feeMinor: 0n,
    })
    const { id: attempt } = await ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
    fake.pay(attempt, { minor: 1_000n, currency: 'USD' })
    // Notice, sweep and the shopper's return come at once.
    await Promise.all([
      checkPayment(ctx, services, attempt),
      checkPayment(ctx, services, attempt),
      checkPayment(ctx, services, attempt),
    ])
    return 'delivered'
  }
  const outcomes = await Promise.all(
    shoppers.map((shopper) =>
      shop(shopper).catch((error: unknown) => {
        if (isAppError(error)) return error.code
        throw error
      }),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'delivered')).toHaveLength(60)
  expect(outcomes.filter((outcome) => outcome === 'out_of_stock')).toHaveLength(180)
  expect(await countStock(ctx.db, item.id)).toMatchObject({ delivered: 60, free: 0, claimed: 0 })
  expect(fake.kept('USD')).toBe(60_000n)
  expect((await listBalances(ctx.db)).find(({ account }) => account === 'sales')?.minor).toBe(
    60_000n,
  )
  expect(await violations(ctx)).toEqual([])
})
