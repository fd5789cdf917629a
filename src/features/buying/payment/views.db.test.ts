import type { KyselyPlugin } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addCurrencies, addItem, buy, stock } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { checkPayment, startPaying } from './flows.ts'
import { findOpenAttempt } from './queries.ts'
import { getOrderBeingPaid } from './views.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

/** Does something after the statement of that number was answered, before the next one is sent. */
function doAfter(statement: number, work: () => Promise<unknown>): KyselyPlugin {
  let answered = 0
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      answered += 1
      if (answered === statement) await work()
      return result
    },
  }
}

test('an order that is settled while it is read is never shown as waiting for nothing', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'K', 8)
  for (let statement = 1; statement <= 8; statement += 1) {
    const payments = createFakePayments()
    const services = {
      providers: new Map([['fake', payments.provider]]),
      publicUrl: 'https://shop.example',
    }
    const made = await buy(ctx, [{ item }])
    await startPaying(ctx, services, {
      order: made.publicId,
      accountId: made.accountId,
      provider: 'fake',
      method: 'fake',
      feeMinor: 0n,
    })
    const attempt = await findOpenAttempt(ctx.db, made.id)
    if (!attempt) throw new Error('nothing is open')
    payments.pay(attempt.id, { minor: attempt.amountMinor, currency: attempt.currency })
    const db = ctx.db.withPlugin(doAfter(statement, () => checkPayment(ctx, services, attempt.id)))
    const { order, open } = await getOrderBeingPaid(db, made.accountId, made.publicId)
    expect([statement, order.status, open?.status]).not.toEqual([
      statement,
      'waiting_for_payment',
      undefined,
    ])
  }
})
