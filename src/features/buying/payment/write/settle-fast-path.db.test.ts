import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { endOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import {
  addCurrencies,
  buy,
  buyCredit,
  stockWishes,
  violations,
} from '../../../../../test/support/buying.ts'
import { useDatabase } from '../../../../../test/support/database.ts'
import { applyByRules, closeNotice, recordNotice, startPayment } from '../commands.ts'
import { settleFastPath } from './settle-fast-path.ts'

const database = useDatabase()
beforeAll(async () => {
  await addCurrencies(database.ctx)
  // The first payment opens the books' accounts, which the plain case does not.
  const first = await begun({ cards: [1], byHand: 0, fee: 30, isReserved: true })
  expect(
    await settleFastPath(database.ctx, { id: first.attempt, provider: 'fake' }, paid(first), null),
  ).toBe(false)
  expect(await applyByRules(database.ctx, first.attempt, paid(first))).toBe('money_arrived')
})

interface Wanted {
  /** How many keys of each of several items. */
  readonly cards: readonly number[]
  readonly byHand: number
  readonly fee: number
  readonly isReserved: boolean
}
interface Begun {
  readonly id: string
  readonly attempt: string
  readonly total: bigint
}

async function begun({ cards, byHand, fee, isReserved }: Wanted): Promise<Begun> {
  const { ctx } = database
  const lines = await stockWishes(ctx, cards, byHand)
  const made = await buy(ctx, lines)
  const attempt = await startPayment(ctx, {
    order: made.publicId,
    accountId: made.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: BigInt(fee),
  })
  if (!isReserved)
    await ctx.db
      .updateTable('card_key')
      .set({ status: 'free', unit_id: null, claimed_at: null })
      .where(
        'item',
        'in',
        lines.map(({ item }) => item.id),
      )
      .execute()
  return { id: made.id, attempt: attempt.id, total: attempt.amountMinor }
}

function paid({ attempt, total }: Begun): ProviderPayment {
  return {
    reference: `fake_${attempt}`,
    ourReference: attempt,
    status: 'captured',
    captured: { minor: total, currency: 'USD' },
    isDisputed: false,
    reversed: null,
    redirectUrl: null,
    failure: null,
  }
}

/** Everything a payment leaves of an order, without what names its rows. */
async function traces({ id, attempt }: Begun) {
  const { rows } = await sql<{ traces: unknown }>`
    select json_build_object(
      'order', (select json_build_array(status, currency, goods_minor, fee_minor, total_minor, captured_minor, refunded_minor, hold, ended, settled_at, updated_at) from shop_order where id = ${id}),
      'units', (select json_agg(json_build_array(u.delivery, u.status, u.delivered_at, u.claimed_by, k.status, k.claimed_at is null, k.delivered_at, k.item = u.item) order by u.delivery, l.position, u.unit_no)
        from order_unit u join order_line l on l.id = u.line_id left join card_key k on k.unit_id = u.id where u.order_id = ${id}),
      'attempt', (select json_build_array(status, captured_minor, captured_currency, captures, refunded_minor, reversed_minor, is_applied, provider_reference = ${`fake_${attempt}`}, failure, check_at, checks, updated_at)
        from payment_attempt where id = ${attempt}),
      'events', (select json_agg(json_build_array(actor, request_id, from_status, to_status, reason, details, is_to_tell) order by seq) from order_event where order_id = ${id}),
      'ledger', (select json_agg(json_build_array(t.source, t.leg, d.code, c.code, t.currency, t.amount_minor, t.at) order by t.source, t.leg, t.amount_minor)
        from ledger_transfer t join ledger_account d on d.id = t.debit join ledger_account c on c.id = t.credit
        where t.source_id in (select ${id}::uuid union all select ${attempt}::uuid union all select u.id from order_unit u where u.order_id = ${id})),
      'notices', (select json_agg(json_build_array(processed_at, outcome)) from provider_event where provider_reference = ${`fake_${attempt}`})
    ) as traces`.execute(database.ctx.db)
  return rows[0]?.traces
}

const wanted = fc
  .record({
    cards: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    byHand: fc.integer({ min: 0, max: 2 }),
    fee: fc.constantFrom(0, 30),
    isReserved: fc.boolean(),
  })
  .filter(({ cards, byHand }) => cards.length + byHand > 0)

test('a plain payment leaves the same rows on the fast path and by the rules', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(wanted, async (each) => {
      const ctx: Ctx = { ...database.ctx, now: () => new Date('2027-03-01T12:00:00Z') }
      const [one, other] = [await begun(each), await begun(each)]
      for (const payment of [one, other])
        await recordNotice(
          ctx,
          'fake',
          {
            eventId: payment.attempt,
            kind: 'captured',
            paymentReference: `fake_${payment.attempt}`,
          },
          Buffer.from('{}'),
        )
      expect(
        await settleFastPath(ctx, { id: one.attempt, provider: 'fake' }, paid(one), one.attempt),
      ).toBe(true)
      await closeNotice(ctx, {
        provider: 'fake',
        eventId: other.attempt,
        outcome: await applyByRules(ctx, other.attempt, paid(other)),
      })
      expect(await traces(one)).toEqual(await traces(other))
    }),
    { numRuns: 25 },
  )
  expect(await violations(database.ctx)).toEqual([])
})

test('several payments of one trip, one of them twice and one short, settle those that are plain', async () => {
  const each = { cards: [2], byHand: 0, fee: 30, isReserved: true }
  const payments = [
    await begun(each),
    await begun(each),
    await begun({ ...each, isReserved: false }),
    await begun(each),
  ]
  const told = payments.map((payment, place) =>
    place === 3
      ? { ...paid(payment), captured: { minor: payment.total - 1n, currency: 'USD' } }
      : paid(payment),
  )
  const settled = await Promise.all(
    [...told, told[0]].flatMap((payment) =>
      payment
        ? [
            settleFastPath(
              database.ctx,
              { id: payment.ourReference, provider: 'fake' },
              payment,
              null,
            ),
          ]
        : [],
    ),
  )
  expect(settled.filter(Boolean)).toHaveLength(3)
  expect(settled[3]).toBe(false)
  expect(await violations(database.ctx)).toEqual([])
})

const unusual: Readonly<
  Record<string, (payment: Begun) => Promise<ProviderPayment> | ProviderPayment>
> = {
  'too little': (payment) => ({
    ...paid(payment),
    captured: { minor: payment.total - 1n, currency: 'USD' },
  }),
  'too much': (payment) => ({
    ...paid(payment),
    captured: { minor: payment.total + 1n, currency: 'USD' },
  }),
  'another currency': (payment) => ({
    ...paid(payment),
    captured: { minor: payment.total, currency: 'EUR' },
  }),
  'not captured': (payment) => ({ ...paid(payment), status: 'seen' }),
  disputed: (payment) => ({ ...paid(payment), isDisputed: true }),
  reversed: (payment) => ({ ...paid(payment), reversed: { minor: 1n, currency: 'USD' } }),
  'of another payment': (payment) => ({ ...paid(payment), ourReference: database.ctx.newId() }),
  'under another reference': async (payment) => {
    await database.ctx.db
      .updateTable('payment_attempt')
      .set({ provider_reference: `other_${payment.attempt}` })
      .where('id', '=', payment.attempt)
      .execute()
    return paid(payment)
  },
  'after it was cancelled': async (payment) => {
    await database.ctx.db
      .updateTable('payment_attempt')
      .set({ status: 'voided' })
      .where('id', '=', payment.attempt)
      .execute()
    await transaction(database.ctx, async (tx) =>
      endOrder(tx, database.ctx, await lockOrderById(tx, payment.id), 'cancelled'),
    )
    return paid(payment)
  },
}

for (const [what, happens] of Object.entries(unusual))
  test(`${what}: the plain case changes nothing`, async () => {
    const payment = await begun({ cards: [1], byHand: 1, fee: 30, isReserved: true })
    const told = await happens(payment)
    const before = await traces(payment)
    expect(
      await settleFastPath(database.ctx, { id: payment.attempt, provider: 'fake' }, told, null),
    ).toBe(false)
    expect(await traces(payment)).toEqual(before)
  })

test('no key for one of the cards: the plain case changes nothing', async () => {
  const payment = await begun({ cards: [2, 1], byHand: 0, fee: 0, isReserved: false })
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'quarantined' })
    .where('status', '=', 'free')
    .execute()
  const before = await traces(payment)
  expect(
    await settleFastPath(
      database.ctx,
      { id: payment.attempt, provider: 'fake' },
      paid(payment),
      null,
    ),
  ).toBe(false)
  expect(await traces(payment)).toEqual(before)
})

test('bought store credit is left to the rules', async () => {
  const made = await buyCredit(database.ctx)
  const attempt = await startPayment(database.ctx, {
    order: made.publicId,
    accountId: made.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  const payment = { id: made.id, attempt: attempt.id, total: attempt.amountMinor }
  expect(
    await settleFastPath(database.ctx, { id: attempt.id, provider: 'fake' }, paid(payment), null),
  ).toBe(false)
})
