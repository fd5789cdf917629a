import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { expireDue } from '#features/buying/order/commands.ts'
import { readVersion } from '#features/buying/order/queries.ts'
import {
  cancelUnpaid,
  checkPayment,
  startPaying,
  sweepPayments,
} from '#features/buying/payment/flows.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { isAppError } from '#kernel/error.ts'
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
import { closeUnmatched, recordUnmatched } from './commands.ts'
import { confirmMatch, matchConfirmed, previewConfirmed, returnUnmatched } from './flows.ts'
import { listUnmatched } from './queries.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = {
  providers: new Map([['fake', fake.provider]]),
  publicUrl: 'https://shop.example',
}
let owner: OperatorCtx
let item: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  item = await addItem(ctx)
  await stock(ctx, item, 'M', 60)
  owner = await firstOwner(ctx)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const hired = () => hire(owner, 'finance')

/** Money at the service under a name that the shop does not know any more. @returns its public id here, and that name */
async function found(
  minor: bigint,
  currency = 'USD',
  ourReference: string = randomUUID(),
  change: Partial<ReturnType<typeof fake.of>> = {},
) {
  await fake.provider.create({
    ourReference,
    amount: { minor, currency },
    orderNumber: '4821300947165',
    startedAt: new Date(),
    returnUrl: 'https://shop.example/order/pay',
    language: 'en',
  })
  fake.pay(ourReference, { minor, currency })
  fake.set(ourReference, change)
  await recordUnmatched(database.ctx, 'fake', fake.of(ourReference))
  const known = await listUnmatched(database.ctx.db, 99)
  const { reference } = fake.of(ourReference)
  return { id: known.find((each) => each.reference === reference)?.publicId ?? '', ourReference }
}

const unpaid = () => buy(database.ctx, [{ item }])
type Order = Awaited<ReturnType<typeof unpaid>>
async function match(
  ctx: OperatorCtx,
  id: string,
  order: Order,
  surplusTo: 'original' | 'store_credit' = 'original',
) {
  const version = await readVersion(database.ctx.db, order.id)
  return matchConfirmed(ctx, [fake.provider], { id, orderNumber: order.number, version, surplusTo })
}
const preview = (ctx: OperatorCtx, id: string, { number }: Order) =>
  previewConfirmed(ctx, [fake.provider], id, number)
/** Approves as the console does: its service is asked first. */
const approve = async (ctx: OperatorCtx, waits: string | null) =>
  approveAct(ctx, waits ?? '', await confirmMatch(ctx, async () => [fake.provider], waits ?? ''))

const stateOf = ({ id }: Order) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'captured_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const strayOf = (publicId: string) =>
  database.ctx.db
    .selectFrom('stray_payment')
    .select(['outcome', 'note', 'attempt_id', 'closed_by'])
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
const codesOf = (ends: readonly PromiseSettledResult<unknown>[]) =>
  ends.flatMap((end) =>
    end.status === 'fulfilled' ? [] : [isAppError(end.reason) ? end.reason.code : end.reason],
  )

test('a payment that was lost pays for its order, under the name that its service knows it by', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id, ourReference } = await found(1_000n)
  expect(await preview(finance, id, order)).toMatchObject({
    missingMinor: 0n,
    surplusMinor: 0n,
    lacking: [],
    isOurs: true,
    weighed: { needsAnother: false },
  })
  expect(await stateOf(order)).toMatchObject({ status: 'pending_payment' })
  expect(await match(finance, id, order)).toBeNull()
  expect(await stateOf(order)).toMatchObject({ status: 'completed', captured_minor: '1000' })
  expect(await strayOf(id)).toMatchObject({
    outcome: 'matched',
    note: order.number,
    attempt_id: ourReference,
    closed_by: finance.actor,
  })
  // What its bank takes back is followed as of any other.
  fake.set(ourReference, { isDisputed: true })
  await checkPayment(database.ctx, services, ourReference)
  expect(await stateOf(order)).toMatchObject({ status: 'processing', hold: 'disputed' })
})

test('an order that was over is opened again; too much goes where it was said', async () => {
  const finance = await hired()
  const order = await unpaid()
  await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  await cancelUnpaid(database.ctx, services, order.accountId, order.publicId, 'left')
  const { id } = await found(1_250n)
  expect(await preview(finance, id, order)).toMatchObject({ surplusMinor: 250n })
  await match(finance, id, order, 'store_credit')
  await submitRefunds(database.ctx, services.providers)
  expect(await stateOf(order)).toMatchObject({ status: 'completed' })
  const { rows } = await sql<{ minor: string }>`
    select spendable_credit(${order.accountId}, 'USD')::text as minor`.execute(database.ctx.db)
  expect(rows).toEqual([{ minor: '250' }])
})

test('too little is the order’s, which waits for the rest', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id } = await found(700n)
  expect(await preview(finance, id, order)).toMatchObject({ missingMinor: 300n })
  await match(finance, id, order)
  expect(await stateOf(order)).toMatchObject({ status: 'processing', hold: 'underpaid' })
})

test('one payment is one order’s, whoever presses first', async () => {
  const [one, other] = [await hired(), await hired()]
  const [first, second] = [await unpaid(), await unpaid()]
  const { id } = await found(1_000n)
  const ends = await Promise.allSettled([match(one, id, first), match(other, id, second)])
  expect(codesOf(ends)).toEqual(['order_closed'])
  const states = [await stateOf(first), await stateOf(second)].map(({ status }) => status)
  expect(states.toSorted()).toEqual(['completed', 'pending_payment'])
})

test('what is being given back pays for nothing, and what has paid is not given back', async () => {
  const [one, other] = [await hired(), await hired()]
  for (let round = 0; round < 5; round += 1) {
    const order = await unpaid()
    const { id } = await found(1_000n)
    const kept = fake.kept('USD')
    const ends = await Promise.allSettled([
      match(one, id, order),
      returnUnmatched(other, [fake.provider], id),
    ])
    expect(codesOf(ends)).toEqual(['order_closed'])
    const { outcome } = await strayOf(id)
    const { status } = await stateOf(order)
    expect([outcome, status, fake.kept('USD')]).toEqual(
      outcome === 'matched'
        ? ['matched', 'completed', kept]
        : ['returned', 'pending_payment', kept - 1_000n],
    )
  }
})

test('is matched while its order expires, or the order is over and opened again', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id } = await found(1_000n)
  await Promise.allSettled([match(finance, id, order), expireDue(minutesLater(database.ctx, 20))])
  if ((await strayOf(id)).outcome === null) await match(finance, id, order)
  expect(await stateOf(order)).toMatchObject({ status: 'completed' })
})

test('money of another currency, an order that is paid and one that has moved on are refused', async () => {
  const finance = await hired()
  const order = await unpaid()
  const euros = await found(1_000n, 'EUR')
  expect((await refused(match(finance, euros.id, order))).fields).toEqual({
    order: 'not_allowed',
  })
  await closeUnmatched(finance, euros.id, 'another shop of ours')
  const [paying, more] = [await found(1_000n), await found(1_000n)]
  const version = await readVersion(database.ctx.db, order.id)
  await match(finance, paying.id, order)
  const stale = { id: more.id, orderNumber: order.number, version, surplusTo: 'original' as const }
  expect((await refused(matchConfirmed(finance, [fake.provider], stale))).code).toBe(
    'changed_meanwhile',
  )
  expect((await refused(match(finance, more.id, order))).code).toBe('order_closed')
  expect(
    (await refused(previewConfirmed(finance, [fake.provider], more.id, '0000000000000'))).code,
  ).toBe('not_found')
})

test('money under a name that was never the shop’s pays for an order whose buyer has agreed to pay, and for no other', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id } = await found(1_000n, 'USD', 'invoice 12')
  expect((await refused(match(finance, id, order))).code).toBe('order_closed')
  await startPaying(database.ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'fake',
    method: 'card',
    feeMinor: 0n,
  })
  expect(await preview(finance, id, order)).toMatchObject({ isOurs: false })
  await match(finance, id, order)
  expect(await stateOf(order)).toMatchObject({ status: 'completed' })
})

test('what becomes store credit counts as given: above that limit the match waits, and what was given counts on', async () => {
  await sql`insert into setting (key, value) values ('refund_second_person_minor', '500')`.execute(
    database.ctx.db,
  )
  const [finance, other] = [await hired(), await hired()]
  const first = await unpaid()
  const { id } = await found(1_501n)
  const waits = await match(finance, id, first, 'store_credit')
  expect(waits).not.toBeNull()
  expect(await stateOf(first)).toMatchObject({ status: 'pending_payment' })
  await approve(other, waits)
  expect(await stateOf(first)).toMatchObject({ status: 'completed' })
  const given = await database.ctx.db
    .selectFrom('operator_act')
    .select(['kind', 'amount_minor', 'decided_by'])
    .where('order_id', '=', first.id)
    .orderBy('kind')
    .execute()
  expect(given).toEqual([
    { kind: 'held_money', amount_minor: '501', decided_by: other.actor },
    { kind: 'stray_match', amount_minor: '1501', decided_by: other.actor },
  ])

  const second = await unpaid()
  const less = await found(1_500n)
  expect(await match(finance, less.id, second, 'store_credit')).toBeNull()
  // Where it came from is nobody's gift.
  const third = await unpaid()
  const back = await found(31_000n)
  expect(await match(finance, back.id, third)).toBeNull()
})

test('money of which any went back or is disputed by now pays for nothing', async () => {
  const finance = await hired()
  const order = await unpaid()
  const gone: readonly Partial<ReturnType<typeof fake.of>>[] = [
    { refundedMinor: 1_000n },
    { refundedMinor: 1n },
    { reversed: { minor: 400n, currency: 'USD' } },
    { isDisputed: true },
  ]
  for (const change of gone) {
    const { id, ourReference } = await found(1_000n)
    fake.set(ourReference, change)
    expect((await refused(preview(finance, id, order))).code).toBe('order_closed')
    expect((await refused(match(finance, id, order))).code).toBe('order_closed')
    expect(await strayOf(id)).toMatchObject({ outcome: null })
  }
  expect(await stateOf(order)).toMatchObject({ status: 'pending_payment', captured_minor: '0' })
})

test('money that its bank had taken in part when it was found is not matched, and goes out once', async () => {
  const finance = await hired()
  const order = await unpaid()
  const ourReference = randomUUID()
  const taken = { reversed: { minor: 400n, currency: 'USD' } }
  const { id } = await found(1_400n, 'USD', ourReference, taken)
  expect((await refused(match(finance, id, order))).code).toBe('order_closed')
  const kept = fake.kept('USD')
  expect(await returnUnmatched(finance, [fake.provider], id)).toBeNull()
  expect(fake.kept('USD')).toBe(kept - 1_000n)
})

test('nothing is matched while its service does not say how the money stands', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id } = await found(1_000n)
  fake.faults.push('lost_request')
  expect((await refused(preview(finance, id, order))).code).toBe('payment_unreachable')
  fake.faults.push('lost_request')
  expect((await refused(match(finance, id, order))).code).toBe('payment_unreachable')
  fake.faults.push('refuse')
  expect((await refused(match(finance, id, order))).code).toBe('order_closed')
  expect(await match(finance, id, order)).toBeNull()
})

test('what happens to money while it is matched is found by asking again', async () => {
  const finance = await hired()
  const order = await unpaid()
  const { id, ourReference } = await found(1_000n)
  await match(finance, id, order)
  fake.set(ourReference, { isDisputed: true })
  await sweepPayments(database.ctx, services)
  expect(await stateOf(order)).toMatchObject({ status: 'processing', hold: 'disputed' })
})

test('above the limit it waits for somebody else, who decides about what was asked for', async () => {
  await sql`insert into setting (key, value) values ('note_second_person_minor', '0')`.execute(
    database.ctx.db,
  )
  const [finance, other] = [await hired(), await hired()]
  const order = await unpaid()
  const { id, ourReference } = await found(1_000n)
  const waits = await match(finance, id, order)
  expect(waits).not.toBeNull()
  expect(await strayOf(id)).toMatchObject({ outcome: null })
  expect((await refused(approveAct(other, waits ?? ''))).code).toBe('changed_meanwhile')
  fake.set(ourReference, { isDisputed: true })
  expect((await refused(approve(other, waits))).code).toBe('order_closed')
  expect(await stateOf(order)).toMatchObject({ status: 'pending_payment' })
  fake.set(ourReference, { isDisputed: false })
  await approve(other, waits)
  expect(await stateOf(order)).toMatchObject({ status: 'completed' })
  expect(await strayOf(id)).toMatchObject({ outcome: 'matched' })
})

test('money that is too little alone pays with what the order holds already, and nothing is lacking', async () => {
  const finance = await hired()
  const order = await unpaid()
  const [first, second] = [await found(700n), await found(400n)]
  await match(finance, first.id, order)
  expect(await preview(finance, second.id, order)).toMatchObject({
    broughtMinor: 1_100n,
    missingMinor: 0n,
    surplusMinor: 100n,
  })
  await match(finance, second.id, order)
  expect(await stateOf(order)).toMatchObject({ status: 'completed', captured_minor: '1100' })
  const back = await database.ctx.db
    .selectFrom('refund')
    .select(['amount_minor', 'purpose'])
    .where('order_id', '=', order.id)
    .execute()
  expect(back).toEqual([{ amount_minor: '100', purpose: 'surplus' }])
})
