import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  recordNotice,
  closeNotice,
  refuseAttempt,
  removeOldNotices,
  startPayment,
} from './commands.ts'
import { ATTEMPTS_MAX } from './rules.ts'

const database = useDatabase()
let item: TestItem
beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await stock(database.ctx, item, 'T', 5)
})

test('paying for an order is begun so often and no more, by whichever way; the order can be cancelled still', async () => {
  const { ctx } = database
  const order = await buy(ctx, [{ item }])
  const begin = (livesMinutes?: number) =>
    startPayment(ctx, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'fake',
      method: 'card',
      feeMinor: 0n,
      ...(livesMinutes === undefined ? {} : { livesMinutes }),
    })
  for (let tries = 0; tries < ATTEMPTS_MAX; tries += 1)
    await refuseAttempt(ctx, (await begin(tries % 2 === 0 ? undefined : 60 * 72)).id, 'declined')
  expect((await refused(begin())).code).toBe('too_many_attempts')
  expect((await refused(begin(60 * 72))).code).toBe('too_many_attempts')
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from payment_attempt where order_id = ${order.id}`.execute(
    ctx.db,
  )
  expect(rows).toEqual([{ count: ATTEMPTS_MAX }])
  expect(await violations(ctx)).toEqual([])
})

test('of notices that were worked off nothing is left in the end; those that wait, or still have their text, stay', async () => {
  const { ctx } = database
  const note = async (eventId: string, { isDone = true, body = '', daysAgo = 600 } = {}) => {
    await recordNotice(
      ctx,
      'fake',
      { eventId, kind: 'captured', paymentReference: null },
      Buffer.from(body),
    )
    if (isDone) await closeNotice(ctx, { provider: 'fake', eventId, outcome: 'settled' })
    await sql`update provider_event set received_at = now() - ${daysAgo} * interval '1 day' where event_id = ${eventId}`.execute(
      ctx.db,
    )
  }
  await note('old')
  await note('young', { daysAgo: 500 })
  await note('waits', { isDone: false })
  await note('has a text', { body: '{}' })
  await removeOldNotices(ctx, new Date(ctx.now().getTime() - 540 * 86_400_000))
  const left = await ctx.db
    .selectFrom('provider_event')
    .select('event_id')
    .orderBy('event_id')
    .execute()
  expect(left.map(({ event_id: id }) => id)).toEqual(['has a text', 'waits', 'young'])
})
