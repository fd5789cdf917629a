import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SHORTFALLS } from '#features/base/ledger/rules.ts'
import {
  bankTransfers,
  recordReceipt,
  recordReturn,
} from '#features/buying/bank-transfer/commands.ts'
import { expireDue } from '#features/buying/order/commands.ts'
import { readVersion } from '#features/buying/order/queries.ts'
import { cancelUnpaid, checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { lateMoneySetting } from '#features/buying/payment/schema.ts'
import { endHolds } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { countRefused, hasKeepable } from '#features/buying/refund/queries.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { getBalance } from '../../../../test/support/books.ts'
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
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  acceptMoneyAtDesk,
  readEffect,
  refundAtDesk,
  repeatRefundAtDesk,
  returnMoneyAtDesk,
} from './commands.ts'

const BANK = 'bank-transfer'
const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  providers: new Map([
    ['fake', fake.provider],
    [BANK, bankTransfers(database.ctx)],
  ]),
  publicUrl: 'https://shop.example',
})
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const HOUR = 60
let owner: OperatorCtx
let card: TestItem
let topUp: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  card = await addItem(ctx)
  await stock(ctx, card, 'L', 80)
  topUp = await addItem(ctx, { delivery: 'direct_charge' })
  owner = await firstOwner(ctx)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

/** Somebody of the team for days, who chose their own password. */
const hired = (role: OperatorRole) => hire(owner, role)

const nothingAlone = () =>
  sql`insert into setting (key, value) values ('refund_second_person_minor', '0'), ('note_second_person_minor', '0')`.execute(
    database.ctx.db,
  )

const insertSettings = (of: Readonly<Record<string, string>>) =>
  database.ctx.db
    .insertInto('setting')
    .values(Object.entries(of).map(([key, value]) => ({ key, value })))
    .execute()

/** What somebody answers for: given alone, or approved. */
const givenBy = async ({ actor }: OperatorCtx) => {
  const acts = await database.ctx.db
    .selectFrom('operator_act')
    .select(['kind', 'amount_minor'])
    .where('decided_by', '=', actor)
    .execute()
  return acts.map((act) => `${act.kind} ${act.amount_minor}`)
}

type Order = Awaited<ReturnType<typeof begun>>

/** An order whose payment has begun. */
async function begun(item: TestItem = card, quantity = 1, provider = 'fake') {
  const delivery = item === topUp ? ('direct_charge' as const) : ('card_key' as const)
  const made = await buy(database.ctx, [{ item, quantity, delivery }])
  await startPaying(database.ctx, services(), {
    order: made.publicId,
    accountId: made.accountId,
    provider,
    method: provider,
    feeMinor: 0n,
  })
  const { id: attempt } = await database.ctx.db
    .selectFrom('payment_attempt')
    .select('id')
    .where('order_id', '=', made.id)
    .executeTakeFirstOrThrow()
  return { ...made, attempt }
}

async function paid(order: Order, minor: bigint, ctx: Ctx = database.ctx): Promise<void> {
  fake.pay(order.attempt, usd(minor))
  await checkPayment(ctx, services(), order.attempt)
}

/** Its buyer has cancelled it, and then pays all the same. */
async function paidLate(minor = 1_000n, item: TestItem = card, quantity = 1) {
  const order = await begun(item, quantity)
  await cancelUnpaid(database.ctx, services(), order.accountId, order.publicId, 'left')
  expect(await stateOf(order)).toMatchObject({ status: 'cancelled' })
  await paid(order, minor)
  expect(await refundsOf(order)).toMatchObject([{ status: 'requested', purpose: 'surplus' }])
  return order
}

const seen = async (order: { readonly id: string; readonly number: string }) => ({
  order: order.number,
  version: await readVersion(database.ctx.db, order.id),
  key: randomUUID(),
})
const accept = async (
  ctx: OperatorCtx,
  order: Order,
  surplusTo: 'original' | 'store_credit' = 'original',
) => acceptMoneyAtDesk(ctx, { ...(await seen(order)), surplusTo })
const told = (ctx: OperatorCtx, order: Order) =>
  readEffect(ctx, {
    order: order.number,
    act: 'accept_money',
    units: null,
    destination: 'original',
  })
const stateOf = ({ id }: { readonly id: string }) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'ended', 'captured_minor', 'refunded_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const refundsOf = ({ id }: { readonly id: string }) =>
  database.ctx.db
    .selectFrom('refund')
    .select(['public_id', 'amount_minor', 'status', 'purpose', 'destination', 'check_at'])
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
const acceptedOf = ({ id }: { readonly id: string }) =>
  database.ctx.db
    .selectFrom('accepted_payment')
    .select(['was', 'shortfall_minor'])
    .where('order_id', '=', id)
    .execute()
/** What repeats a refund, without looking whether it may. */
const askAnew = (publicId: string) =>
  sql`insert into refund (id, public_id, order_id, attempt_id, purpose, destination, status, currency, amount_minor, reason, requested_by, provider, created_at, updated_at)
    select ${database.ctx.newId()}, ${newPublicId(database.ctx)}, order_id, attempt_id, purpose, destination, 'requested', currency, amount_minor, reason, requested_by, provider, now(), now()
    from refund where public_id = ${publicId}`.execute(database.ctx.db)
const unitsOf = async ({ id }: { readonly id: string }) => {
  const units = await database.ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
  return units.map((unit) => unit.public_id)
}
/** Two top-ups that less was taken for. */
async function takenShort(minor: bigint) {
  const order = await begun(topUp, 2)
  await paid(order, minor)
  expect(await accept(owner, order)).toEqual({ waits: null })
  return order
}
async function giveBack(order: Order, unit = ''): Promise<void> {
  const wish = { units: [unit], destination: 'original', reason: 'goodwill' } as const
  await refundAtDesk(owner, { ...(await seen(order)), ...wish })
  await submitRefunds(database.ctx, services().providers)
}
const shortfalls = () => getBalance(database.ctx.db, SHORTFALLS, 'USD')
/** What became of two things that are begun at once: the codes of those that were refused. */
const codesOf = (ends: readonly PromiseSettledResult<unknown>[]) =>
  ends.flatMap((end) =>
    end.status === 'fulfilled' ? [] : [isAppError(end.reason) ? end.reason.code : end.reason],
  )

describe('money that came late', () => {
  test('pays for its order once somebody accepts it: told before, once, and nothing goes back', async () => {
    const orders = await hired('orders')
    const order = await paidLate()
    const effect = await told(orders, order)
    expect(effect).toMatchObject({
      money: usd(1_000n),
      needsAnother: false,
      limits: { permission: 'order.decide' },
      accepted: {
        keptMinor: 1_000n,
        neededMinor: 1_000n,
        shortfallMinor: 0n,
        surplusMinor: 0n,
        was: 'cancelled',
        lacking: [],
      },
    })
    expect(await stateOf(order)).toMatchObject({ status: 'processing' })
    const act = { ...(await seen(order)), surplusTo: 'original' as const }
    expect(await acceptMoneyAtDesk(orders, act)).toEqual({ waits: null })
    expect(await acceptMoneyAtDesk(orders, act)).toEqual({ waits: null })
    expect(await stateOf(order)).toMatchObject({ status: 'completed', hold: null, ended: null })
    expect(await acceptedOf(order)).toEqual([{ was: 'cancelled', shortfall_minor: '0' }])
    await submitRefunds(database.ctx, services().providers)
    expect(await refundsOf(order)).toMatchObject([{ status: 'rejected' }])
    expect((await refused(accept(orders, order))).code).toBe('order_closed')
    const trail = await database.ctx.db
      .selectFrom('audit_log')
      .select(['action', 'actor'])
      .where('subject_code', '=', order.number)
      .where('action', '=', 'money_accepted')
      .execute()
    expect(trail).toEqual([{ action: 'money_accepted', actor: orders.actor }])
  })

  test('is accepted by one of two at once, and the other is told', async () => {
    const [one, other] = [await hired('orders'), await hired('orders')]
    const order = await paidLate()
    const act = await seen(order)
    const ends = await Promise.allSettled(
      [one, other].map((ctx, index) =>
        acceptMoneyAtDesk(ctx, { ...act, key: `${act.key}${index}`, surplusTo: 'original' }),
      ),
    )
    expect(codesOf(ends)).toEqual(['changed_meanwhile'])
    expect(await acceptedOf(order)).toHaveLength(1)
  })

  test('either goes back or is accepted where both happen at once', async () => {
    const orders = await hired('orders')
    for (let round = 0; round < 5; round += 1) {
      const order = await paidLate()
      const kept = fake.kept('USD')
      const [accepted] = await Promise.allSettled([
        accept(orders, order),
        submitRefunds(database.ctx, services().providers),
      ])
      await submitRefunds(minutesLater(database.ctx, HOUR), services().providers)
      const { status } = await stateOf(order)
      if (accepted.status === 'fulfilled') {
        expect([status, fake.kept('USD')]).toEqual(['completed', kept])
      } else {
        expect(['order_closed', 'changed_meanwhile']).toContain(codesOf([accepted])[0])
        expect([status, fake.kept('USD')]).toEqual(['refunded', kept - 1_000n])
      }
    }
  })

  test('counts whole where it is a little short as well, so that a missing cent lets nobody off', async () => {
    await insertSettings({ note_second_person_minor: '500' })
    const [finance, other] = [await hired('finance'), await hired('finance')]
    const order = await paidLate(999n)
    expect(await told(finance, order)).toMatchObject({ money: usd(1_000n), needsAnother: true })
    const { waits } = await accept(finance, order)
    expect(waits).not.toBeNull()
    await approveAct(other, waits ?? '')
    expect(await acceptedOf(order)).toEqual([{ was: 'cancelled', shortfall_minor: '1' }])
    expect((await givenBy(other)).toSorted()).toEqual(['late_accept 1000', 'short_accept 1'])
  })

  test('of which more is left for store credit than one may give waits for somebody else', async () => {
    await insertSettings({ refund_second_person_minor: '500' })
    const [finance, orders] = [await hired('finance'), await hired('orders')]
    const order = await paidLate(31_000n)
    const { waits } = await accept(finance, order, 'store_credit')
    expect(waits).not.toBeNull()
    expect(await acceptedOf(order)).toEqual([])
    expect((await refused(approveAct(orders, waits ?? ''))).code).toBe('forbidden')
    const low = await paidLate(1_400n)
    expect(await accept(finance, low, 'store_credit')).toEqual({ waits: null })
    expect((await givenBy(finance)).toSorted()).toEqual(['late_accept 1000', 'short_accept 400'])
  })

  test('that its bank has taken, while its refund was in doubt, cannot be accepted', async () => {
    const orders = await hired('orders')
    const order = await paidLate()
    fake.faults.push('lost_request')
    await submitRefunds(database.ctx, services().providers)
    expect(await refundsOf(order)).toMatchObject([{ status: 'unknown' }])
    fake.set(order.attempt, { reversed: usd(1_000n) })
    await checkPayment(database.ctx, services(), order.attempt)
    await submitRefunds(minutesLater(database.ctx, HOUR), services().providers)
    expect(await refundsOf(order)).toMatchObject([{ status: 'failed' }])
    expect((await refused(accept(orders, order))).code).toBe('order_closed')
    expect(await hasKeepable(database.ctx.db, order.number)).toBe(false)
  })

  test('that is back already cannot be accepted', async () => {
    const orders = await hired('orders')
    const order = await paidLate()
    await submitRefunds(database.ctx, services().providers)
    expect((await refused(told(orders, order))).code).toBe('order_closed')
    expect((await refused(accept(orders, order))).code).toBe('order_closed')
  })

  test('of an order that is expiring pays for it once, by whichever comes first', async () => {
    const orders = await hired('orders')
    const order = await begun()
    fake.pay(order.attempt, usd(400n))
    await checkPayment(database.ctx, services(), order.attempt)
    const late = minutesLater(database.ctx, 20)
    await Promise.allSettled([expireDue(late), endHolds(late), accept(orders, order)])
    expect(await stateOf(order)).toMatchObject({ status: 'completed', ended: null })
  })

  test('of goods that are gone is not accepted: that is told before, and nothing is half done', async () => {
    const orders = await hired('orders')
    const rare = await addItem(database.ctx)
    await stock(database.ctx, rare, 'R', 1)
    const order = await paidLate(1_000n, rare)
    const other = await begun(rare)
    await paid(other, 1_000n)
    expect((await told(orders, order)).accepted).toMatchObject({ lacking: [rare.code] })
    expect((await refused(accept(orders, order))).code).toBe('out_of_stock')
    expect(await acceptedOf(order)).toEqual([])
    expect(await refundsOf(order)).toMatchObject([{ status: 'requested' }])
  })

  test('that is more than was asked leaves the rest to its buyer, as credit where that is chosen', async () => {
    const orders = await hired('orders')
    const order = await paidLate(1_300n)
    expect((await told(orders, order)).accepted).toMatchObject({ surplusMinor: 300n })
    await accept(orders, order, 'store_credit')
    await submitRefunds(database.ctx, services().providers)
    expect(await refundsOf(order)).toMatchObject([
      { status: 'rejected' },
      { status: 'succeeded', destination: 'store_credit', amount_minor: '300' },
    ])
    const { rows } = await sql<{ minor: string }>`
      select spendable_credit(${order.accountId}, 'USD')::text as minor`.execute(database.ctx.db)
    expect(rows).toEqual([{ minor: '300' }])
  })

  test('is given as store credit where its buyer would rather have that, and not back as well', async () => {
    const orders = await hired('orders')
    const order = await paidLate()
    const effect = await readEffect(orders, {
      order: order.number,
      act: 'return_money',
      units: null,
      destination: 'store_credit',
    })
    expect(effect).toMatchObject({ money: usd(1_000n), to: 'store_credit' })
    const kept = fake.kept('USD')
    await returnMoneyAtDesk(orders, { ...(await seen(order)), destination: 'store_credit' })
    await submitRefunds(database.ctx, services().providers)
    expect(fake.kept('USD')).toBe(kept)
    expect(await stateOf(order)).toMatchObject({ status: 'refunded' })
    expect(await refundsOf(order)).toMatchObject([
      { status: 'rejected' },
      { status: 'succeeded', destination: 'store_credit', amount_minor: '1000' },
    ])
  })

  test('waits as long as the owner says before it goes back', async () => {
    const { db } = database.ctx
    await db.insertInto('setting').values({ key: lateMoneySetting.key, value: '24' }).execute()
    const order = await paidLate()
    await submitRefunds(minutesLater(database.ctx, 23 * HOUR), services().providers)
    expect(await refundsOf(order)).toMatchObject([{ status: 'requested' }])
    await submitRefunds(minutesLater(database.ctx, 25 * HOUR), services().providers)
    expect(await refundsOf(order)).toMatchObject([{ status: 'succeeded' }])
  })

  test('by transfer is kept until somebody says that they have sent it back, and not both', async () => {
    const finance = await hired('finance')
    for (const isSentFirst of [false, true]) {
      const order = await begun(card, 1, BANK)
      await cancelUnpaid(database.ctx, services(), order.accountId, order.publicId, 'left')
      await recordReceipt(finance, {
        orderNumber: order.number,
        money: usd(1_000n),
        reference: `late ${order.number}`,
      })
      await checkPayment(database.ctx, services(), order.attempt)
      await submitRefunds(database.ctx, services().providers)
      const [refund] = await refundsOf(order)
      expect(refund).toMatchObject({ status: 'submitted' })
      const publicId = refund?.public_id ?? ''
      const before = await countRefused(database.ctx.db)
      if (isSentFirst) {
        await recordReturn(finance, publicId)
        expect((await refused(accept(finance, order))).code).toBe('order_closed')
        continue
      }
      await accept(finance, order)
      expect(await stateOf(order)).toMatchObject({ status: 'completed' })
      expect((await refused(recordReturn(finance, publicId))).code).toBe('not_found')
      expect(await countRefused(database.ctx.db)).toBe(before)
      const again = { ...(await seen(order)), refund: publicId, destination: 'original' as const }
      expect((await refused(repeatRefundAtDesk(finance, again))).code).toBe('order_closed')
      // Nor by a release that does not know of it.
      await expect(askAnew(publicId)).rejects.toThrow('has paid for its order')
    }
    await submitRefunds(minutesLater(database.ctx, HOUR), services().providers)
  })
})

describe('a part of the price', () => {
  test('is taken for the whole: the rest is the shop’s own cost, and a refund gives back what was paid', async () => {
    const finance = await hired('finance')
    const before = await shortfalls()
    const order = await begun(card, 2)
    await paid(order, 1_700n)
    expect(await told(finance, order)).toMatchObject({
      money: usd(300n),
      limits: { permission: 'order.refund' },
      accepted: { keptMinor: 1_700n, neededMinor: 2_000n, shortfallMinor: 300n, was: 'open' },
    })
    expect(await accept(finance, order)).toEqual({ waits: null })
    expect(await stateOf(order)).toMatchObject({ status: 'completed', captured_minor: '1700' })
    expect(await shortfalls()).toBe(before - 300n)
    const kept = fake.kept('USD')
    await refundAtDesk(finance, {
      ...(await seen(order)),
      units: null,
      destination: 'original',
      reason: 'goodwill',
    })
    await submitRefunds(database.ctx, services().providers)
    expect(fake.kept('USD')).toBe(kept - 1_700n)
    expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '1700' })
  })

  test('counts as given by whoever accepts it, and is not theirs without the power to refund', async () => {
    const finance = await hired('finance')
    const order = await begun()
    await paid(order, 400n)
    await accept(finance, order)
    const next = await begun()
    await paid(next, 400n)
    expect((await told(finance, next)).limits?.counted.counted.toAll).toBe(600n)
    const support = await hired('support')
    expect((await refused(accept(support, next))).code).toBe('forbidden')
  })

  test('waits for somebody else above the limit, keeps the money here meanwhile, and is done once', async () => {
    await nothingAlone()
    const [finance, other] = [await hired('finance'), await hired('finance')]
    const order = await begun()
    await paid(order, 400n)
    expect((await told(finance, order)).needsAnother).toBe(true)
    const { waits } = await accept(finance, order)
    expect(waits).not.toBeNull()
    expect(await stateOf(order)).toMatchObject({ hold: 'underpaid' })
    expect((await refused(approveAct(finance, waits ?? ''))).code).toBe('needs_another')
    await Promise.allSettled([approveAct(other, waits ?? ''), approveAct(other, waits ?? '')])
    await approveAct(other, waits ?? '')
    expect(await stateOf(order)).toMatchObject({ status: 'completed' })
    expect(await acceptedOf(order)).toEqual([{ was: 'open', shortfall_minor: '600' }])
  })

  test('is bound to what was asked for: with other money an approval does nothing', async () => {
    await nothingAlone()
    const [finance, other] = [await hired('finance'), await hired('finance')]
    const order = await begun()
    await paid(order, 400n)
    const { waits } = await accept(finance, order)
    await paid(order, 100n)
    expect((await refused(approveAct(other, waits ?? ''))).code).toBe('changed_meanwhile')
    await refuseAct(other, waits ?? '', 'ask again')
    expect(await acceptedOf(order)).toEqual([])
  })

  test('that a bank takes back whole leaves nothing owed, and comes back to it where the bank gives it back', async () => {
    const finance = await hired('finance')
    const order = await begun(topUp)
    await paid(order, 900n)
    await accept(finance, order)
    expect(await stateOf(order)).toMatchObject({ status: 'waiting_for_shipment' })
    fake.set(order.attempt, { reversed: usd(900n) })
    await checkPayment(database.ctx, services(), order.attempt)
    expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '900' })
    expect(await violations(database.ctx)).toEqual([])
    fake.set(order.attempt, { reversed: null })
    await checkPayment(database.ctx, services(), order.attempt)
    expect(await stateOf(order)).toMatchObject({
      status: 'waiting_for_shipment',
      refunded_minor: '0',
    })
  })

  test('of several units goes back with each of them in proportion, and all of it is what was paid', async () => {
    const order = await takenShort(1_001n)
    const [one, other] = await unitsOf(order)
    await giveBack(order, one)
    await giveBack(order, other)
    expect(await refundsOf(order)).toMatchObject([
      { status: 'succeeded', amount_minor: '501' },
      { status: 'succeeded', amount_minor: '500' },
    ])
    expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '1001' })
  })

  test('is taken back by the bank after one of its units was given back, and no unit is delivered for nothing', async () => {
    const order = await takenShort(1_000n)
    const [one] = await unitsOf(order)
    await giveBack(order, one)
    fake.set(order.attempt, { reversed: usd(1_000n) })
    await checkPayment(database.ctx, services(), order.attempt)
    expect(await refundsOf(order)).toMatchObject([
      { purpose: 'goods', amount_minor: '500' },
      { purpose: 'reversal', amount_minor: '500' },
    ])
    expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '1000' })
  })

  test('that is too little to be given back with each unit is not taken', async () => {
    const order = await begun(topUp, 2)
    await paid(order, 1n)
    expect((await refused(told(owner, order))).code).toBe('order_closed')
    expect((await refused(accept(owner, order))).code).toBe('order_closed')
  })

  test('is not taken by whoever has seen an order of before', async () => {
    const finance = await hired('finance')
    const order = await begun()
    await paid(order, 400n)
    const act = await seen(order)
    await paid(order, 100n)
    const stale = acceptMoneyAtDesk(finance, { ...act, surplusTo: 'original' })
    expect((await refused(stale)).code).toBe('changed_meanwhile')
  })
})

test('late money that waits for an approval stays, and goes back once that is refused', async () => {
  await nothingAlone()
  const [orders, other] = [await hired('orders'), await hired('orders')]
  const order = await paidLate()
  const { waits } = await accept(orders, order)
  expect(waits).not.toBeNull()
  await submitRefunds(minutesLater(database.ctx, HOUR), services().providers)
  expect(await refundsOf(order)).toMatchObject([{ status: 'requested' }])
  await refuseAct(other, waits ?? '', 'no')
  await submitRefunds(database.ctx, services().providers)
  expect(await refundsOf(order)).toMatchObject([{ status: 'succeeded' }])
})
