import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { endOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { minutesLater } from '../../../../../test/support/clock.ts'
import {
  addCurrencies,
  buy,
  buyCredit,
  stockWishes,
  violations,
} from '../../../../../test/support/buying.ts'
import { useDatabase } from '../../../../../test/support/database.ts'
import { refuseAttempt, startByRules } from '../commands.ts'
import { startFastPath, type StartedPayment } from './start-fast-path.ts'

const database = useDatabase()
beforeAll(() => addCurrencies(database.ctx))

type Made = Awaited<ReturnType<typeof buy>>

interface Wanted {
  /** How many keys of each of several items. */
  readonly cards: readonly number[]
  readonly byHand: number
  readonly withCredit: boolean
  readonly fee: number
  readonly livesMinutes: number | undefined
  /** A payment of it was refused before: the buyer has agreed, and keys are bound. */
  readonly isSecond: boolean
}

async function ordered({ cards, byHand, withCredit, isSecond }: Wanted): Promise<Made> {
  const { ctx } = database
  const lines = await stockWishes(ctx, cards, byHand)
  const made = withCredit || lines.length === 0 ? await buyCredit(ctx) : await buy(ctx, lines)
  if (isSecond) await refuseAttempt(ctx, (await startByRules(ctx, payment(made))).id, 'declined')
  return made
}

const payment = (
  { publicId, accountId }: Made,
  more: Partial<StartedPayment> = {},
): StartedPayment => ({
  order: publicId,
  accountId,
  provider: 'fake',
  method: 'card',
  feeMinor: 0n,
  ...more,
})

/** Everything that beginning to pay leaves of an order, without what names its rows. */
async function traces({ id }: Made) {
  const { rows } = await sql<{ traces: unknown }>`
    select json_build_object(
      'order', (select json_build_array(status, goods_minor, fee_minor, total_minor, captured_minor, hold, ended, settled_at, waived_at, expires_at, updated_at, cards_delivered) from shop_order where id = ${id}),
      'units', (select json_agg(json_build_array(u.delivery, u.status, k.status, k.claimed_at, k.delivered_at, k.item = u.item) order by u.delivery, l.position, u.unit_no)
        from order_unit u join order_line l on l.id = u.line_id left join card_key k on k.unit_id = u.id where u.order_id = ${id}),
      'attempts', (select json_agg((to_jsonb(p) - array['id', 'public_id', 'order_id']) order by p.id) from payment_attempt p where order_id = ${id}),
      'events', (select json_agg(json_build_array(at, actor, request_id, from_status, to_status, reason, details, is_to_tell) order by seq) from order_event where order_id = ${id} and reason = 'payment_started')
    ) as traces`.execute(database.ctx.db)
  return rows[0]?.traces
}

const wanted = fc.record({
  cards: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  byHand: fc.integer({ min: 0, max: 2 }),
  withCredit: fc.boolean(),
  fee: fc.constantFrom(0, 30),
  livesMinutes: fc.constantFrom(undefined, 5),
  isSecond: fc.boolean(),
})

test('beginning to pay leaves the same rows and answers the same on the fast path and by the rules', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(wanted, async (each) => {
      const moment = new Date(Date.now() + 30_000)
      const [one, other] = await sameMoment(each)
      const ctx: Ctx = { ...database.ctx, now: () => moment }
      const more = { feeMinor: BigInt(each.fee), livesMinutes: each.livesMinutes }
      const [begun, byRules] = [
        await startFastPath(ctx, payment(one, more)),
        await startByRules(ctx, payment(other, more)),
      ]
      expect(await traces(one)).toEqual(await traces(other))
      const { id, publicId } = byRules
      expect({ ...begun, id, publicId }).toEqual({
        ...byRules,
        orderId: one.id,
        order: { publicId: one.publicId, number: one.number, language: byRules.order.language },
      })
    }),
    { numRuns: 25 },
  )
  expect(await violations(database.ctx)).toEqual([])
})

/** Two such orders, made at one moment, so that all their times are the same. */
async function sameMoment(each: Wanted): Promise<[Made, Made]> {
  const made: [Made, Made] = [await ordered(each), await ordered(each)]
  const ids = made.map(({ id }) => id)
  await sql`update shop_order set expires_at = first.expires_at, waived_at = case when shop_order.waived_at is null then null else first.waived_at end from shop_order as first where first.id = ${ids[0]} and shop_order.id = any(${ids}::uuid[])`.execute(
    database.ctx.db,
  )
  await sql`update payment_attempt set created_at = first.created_at, updated_at = first.updated_at from payment_attempt as first where first.order_id = ${ids[0]} and payment_attempt.order_id = any(${ids}::uuid[])`.execute(
    database.ctx.db,
  )
  await sql`update card_key set claimed_at = first.at from (select max(k.claimed_at) as at from card_key k join order_unit u on u.id = k.unit_id where u.order_id = ${ids[0]}) as first
    where unit_id in (select id from order_unit where order_id = any(${ids}::uuid[]))`.execute(
    database.ctx.db,
  )
  await sql`alter table order_event disable trigger order_event_append_only`.execute(
    database.ctx.db,
  )
  await sql`update order_event set at = first.at from order_event as first where first.order_id = ${ids[0]} and first.reason = order_event.reason and order_event.order_id = any(${ids}::uuid[])`.execute(
    database.ctx.db,
  )
  await sql`alter table order_event enable trigger order_event_append_only`.execute(database.ctx.db)
  return made
}

const plain: Wanted = {
  cards: [2],
  byHand: 1,
  withCredit: false,
  fee: 0,
  livesMinutes: undefined,
  isSecond: false,
}

const unusual: Readonly<
  Record<
    string,
    (made: Made) => Promise<{ readonly ctx?: Ctx; readonly as?: Partial<StartedPayment> }>
  >
> = {
  'a payment is open': async (made) => {
    await startByRules(database.ctx, payment(made))
    return {}
  },
  'it was cancelled': async (made) => {
    await transaction(database.ctx, async (tx) =>
      endOrder(tx, database.ctx, await lockOrderById(tx, made.id), 'cancelled'),
    )
    return {}
  },
  'its time is over': async () => ({ ctx: minutesLater(database.ctx, 60) }),
  "it is somebody else's": async () => ({ as: { accountId: (await ordered(plain)).accountId } }),
  'a key is missing': async () => {
    await database.ctx.db
      .updateTable('card_key')
      .set({ status: 'quarantined' })
      .where('status', '=', 'free')
      .execute()
    return {}
  },
}

for (const [what, happens] of Object.entries(unusual))
  test(`where ${what}, the plain case changes nothing`, async () => {
    const made = await ordered(plain)
    const { ctx = database.ctx, as } = await happens(made)
    const before = await traces(made)
    expect(await startFastPath(ctx, payment(made, as))).toBeNull()
    expect(await traces(made)).toEqual(before)
  })
