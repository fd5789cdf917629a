import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { guardProviders } from '#providers/payment/guarded.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments, type FakePayments } from '../../../../test/support/fake-payment.ts'
import { recordNotice } from './commands.ts'
import {
  checkPayment,
  expireUnheard,
  settleNotices,
  settleNoticesOf,
  startPaying,
  sweepPayments,
  sweepPaymentsOf,
  type PaymentServices,
} from './flows.ts'
import { takeDueAttempts } from './write/due.ts'

const database = useDatabase()
const quiet = { warn: () => {}, info: () => {} }
let item: TestItem
const [good, other] = [createFakePayments('good'), createFakePayments('other')]
const services: PaymentServices = {
  providers: new Map([
    ['good', good.provider],
    ['other', other.provider],
  ]),
  publicUrl: 'https://shop.example',
}
const SILENCE_MS = 1_100

beforeAll(async () => {
  await addCurrencies(database.ctx)
  item = await addItem(database.ctx)
  await stock(database.ctx, item, 'N', 500)
})

const later = (minutes: number) => minutesLater(database.ctx, minutes)
const attemptOf = (publicId: string) =>
  database.ctx.db
    .selectFrom('payment_attempt')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const statusOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

const boundKeys = async (orderId: string) =>
  (
    await database.ctx.db
      .selectFrom('card_key as k')
      .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
      .select('k.id')
      .where('u.order_id', '=', orderId)
      .execute()
  ).length

async function begun({ provider }: FakePayments) {
  const order = await buy(database.ctx, [{ item }])
  const { attempt } = await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: provider.code,
    method: 'card',
    feeMinor: 0n,
  })
  return { ...order, attempt: await attemptOf(attempt) }
}

/** Takes every question and answers none, as long as it is asked to. */
function silenced(provider: PaymentProvider): {
  readonly provider: PaymentProvider
  readonly asked: () => number
  isSilent: boolean
} {
  let asked = 0
  const say =
    <T>(work: () => Promise<T>) =>
    async (): Promise<T> => {
      asked += 1
      if (!made.isSilent) return work()
      await sleep(SILENCE_MS)
      throw new Error('no answer in time')
    }
  const made = {
    isSilent: true,
    asked: () => asked,
    provider: {
      ...provider,
      create: (request) => say(() => provider.create(request))(),
      fetch: (reference) => say(() => provider.fetch(reference))(),
      cancel: (reference) => say(() => provider.cancel(reference))(),
    } satisfies PaymentProvider,
  }
  return made
}

test('a provider that says nothing is asked a few times, costs its own payments alone, and is taken up again when it answers', async () => {
  const left = await Promise.all(Array.from({ length: 60 }, () => begun(other)))
  const silent = silenced(other.provider)
  const guarded = {
    ...services,
    ...guardProviders(
      new Map([
        ['other', silent.provider],
        ['good', good.provider],
      ]),
      quiet,
    ),
  }
  const [paid, ctx] = [await begun(good), later(2)]
  good.pay(paid.attempt.id, { minor: 1_000n, currency: 'USD' })
  const began = performance.now()
  await sweepPayments(ctx, guarded)
  // One after the other they would take more than a minute.
  expect(performance.now() - began).toBeLessThan(60 * SILENCE_MS)
  expect(silent.asked()).toBeLessThan(40)
  expect(await statusOf(paid.id)).toBe('completed')
  expect(await sweepPaymentsOf(ctx, guarded, 'other')).toBe(0)

  silent.isSilent = false
  for (const { attempt } of left) other.set(attempt.id, { status: 'voided' })
  await sleep(5_100)
  await sweepPaymentsOf(later(4), guarded, 'other')
  expect(await Promise.all(left.map(({ id }) => statusOf(id)))).toEqual(
    left.map(() => 'pending_payment'),
  )
})

test("notices of a provider that says nothing keep no other's waiting, and move behind their own neighbours", async () => {
  const silent = silenced(other.provider)
  const guarded = {
    ...services,
    ...guardProviders(
      new Map([
        ['other', silent.provider],
        ['good', good.provider],
      ]),
      quiet,
    ),
  }
  const left = await Promise.all(Array.from({ length: 40 }, () => begun(other)))
  for (const { attempt } of left)
    await recordNotice(
      database.ctx,
      'other',
      { eventId: `evt_${attempt.id}`, kind: 'x', paymentReference: attempt.provider_reference },
      Buffer.from('{}'),
    )
  const settling = settleNoticesOf(database.ctx, guarded, 'other')
  const paid = await begun(good)
  good.pay(paid.attempt.id, { minor: 1_000n, currency: 'USD' })
  await recordNotice(
    database.ctx,
    'good',
    {
      eventId: `evt_${paid.attempt.id}`,
      kind: 'x',
      paymentReference: paid.attempt.provider_reference,
    },
    Buffer.from('{}'),
  )
  await settleNoticesOf(database.ctx, guarded, 'good')
  expect(await statusOf(paid.id)).toBe('completed')
  await settling
  expect(silent.asked()).toBeLessThan(40)
  silent.isSilent = false
  await vi.waitFor(
    async () => {
      await settleNotices(later(5), services)
      expect(
        await database.ctx.db
          .selectFrom('provider_event')
          .select('event_id')
          .where('processed_at', 'is', null)
          .execute(),
      ).toEqual([])
    },
    { timeout: 60_000 },
  )
})

test('a payment its provider never told of ends by itself at its time, with nobody asked, and its key goes back', async () => {
  const order = await buy(database.ctx, [{ item }])
  other.faults.push('lost_request')
  await expect(
    startPaying(database.ctx, services, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'other',
      method: 'card',
      feeMinor: 0n,
    }),
  ).rejects.toThrow('payment_unreachable')
  expect(await boundKeys(order.id)).toBe(1)
  await expireUnheard(later(14))
  expect(await statusOf(order.id)).toBe('waiting_for_payment')
  other.faults.push('refuse')
  await expireUnheard(later(16))
  expect([await statusOf(order.id), await boundKeys(order.id), other.faults.splice(0)]).toEqual([
    'expired',
    0,
    ['refuse'],
  ])
  expect(await violations(database.ctx)).toEqual([])
})

test('one that lost its answer, ended, and is paid all the same is late money', async () => {
  const order = await buy(database.ctx, [{ item }])
  other.faults.push('lost_answer')
  await expect(
    startPaying(database.ctx, services, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'other',
      method: 'card',
      feeMinor: 0n,
    }),
  ).rejects.toThrow('payment_unreachable')
  const { id } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await checkPayment(later(16), services, id)
  expect(await statusOf(order.id)).toBe('expired')
  other.pay(id, { minor: 1_000n, currency: 'USD' })
  await recordNotice(
    database.ctx,
    'other',
    { eventId: `evt_late_${id}`, kind: 'x', paymentReference: other.of(id).reference },
    Buffer.from('{}'),
  )
  await settleNotices(later(17), services)
  expect(await statusOf(order.id)).toBe('completed')
  expect(await violations(database.ctx)).toEqual([])
})

test('goods reserved for a payment whose provider stays away for a day go back; it is asked on, and ends there once it answers', async () => {
  const order = await begun(other)
  const day = later(24 * 60 + 10)
  await expireUnheard(day)
  expect(await statusOf(order.id)).toBe('waiting_for_payment')
  await expireUnheard(later(24 * 60 + 20))
  expect([await statusOf(order.id), await boundKeys(order.id)]).toEqual(['expired', 0])
  await checkPayment(later(24 * 60 + 30), services, order.attempt.id)
  expect(other.of(order.attempt.id).status).toBe('voided')
  expect((await attemptOf(order.attempt.public_id)).status).not.toBe('requires_action')
  expect(await violations(database.ctx)).toEqual([])
})

test('whatever has piled up, half of what is asked about is the newest, whose payers wait', async () => {
  const { ctx } = database
  const old = await Promise.all(Array.from({ length: 12 }, () => begun(good)))
  await sql`update payment_attempt set created_at = created_at - interval '2 hours', check_at = check_at - interval '2 hours' where id = any(${old.map(({ attempt }) => attempt.id)}::uuid[])`.execute(
    ctx.db,
  )
  const fresh = await begun(good)
  const taken = (await takeDueAttempts(later(1), 'good', 8)).map(({ id }) => id)
  expect(taken).toHaveLength(8)
  expect(taken).toContain(fresh.attempt.id)
  expect(await takeDueAttempts(later(1), 'good', 100)).toHaveLength(5)
})

test('a hundred refunds of a provider that the shop has no more starve no other', async () => {
  const { ctx } = database
  const gone = createFakePayments('gone')
  const withGone = {
    ...services,
    providers: new Map([...services.providers, ['gone', gone.provider]]),
  }
  const pay = async (fake: FakePayments) => {
    const order = await buy(ctx, [{ item }])
    const { attempt } = await startPaying(ctx, withGone, {
      order: order.publicId,
      accountId: order.accountId,
      provider: fake.provider.code,
      method: 'card',
      feeMinor: 0n,
    })
    const { id } = await attemptOf(attempt)
    // What is too much goes back.
    fake.pay(id, { minor: 1_000n, currency: 'USD' })
    fake.pay(id, { minor: 50n, currency: 'USD' })
    await checkPayment(ctx, withGone, id)
    return order
  }
  for (let made = 0; made < 100; made += 1) await pay(gone)
  await pay(good)
  await submitRefunds(ctx, services.providers)
  expect([good.refunds().length, gone.refunds().length]).toEqual([1, 0])
  await submitRefunds(ctx, withGone.providers)
  expect(gone.refunds()).toHaveLength(100)
})
