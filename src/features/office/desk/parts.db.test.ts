import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SHORTFALLS } from '#features/base/ledger/rules.ts'
import { readVersion } from '#features/buying/order/queries.ts'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { repeatRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { bookTaxes } from '#features/buying/sales-invoice/jobs.ts'
import { listInvoices } from '#features/buying/sales-invoice/queries.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
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
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { acceptMoneyAtDesk, readEffect, refundAtDesk } from './commands.ts'

const database = useDatabase()
const [one, two] = [createFakePayments('fake'), createFakePayments('other')]
const services = {
  providers: new Map([one, two].map(({ provider }) => [provider.code, provider])),
  publicUrl: 'https://shop.example',
}
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
let owner: OperatorCtx
let card: TestItem
let topUp: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  card = await addItem(ctx)
  await stock(ctx, card, 'P', 20)
  topUp = await addItem(ctx, { delivery: 'direct_charge' })
  owner = await firstOwner(ctx)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

/** An order of two for 20.00, of which each of two services has brought a part, the second first. */
async function inParts(first: bigint, second: bigint, item: TestItem = card) {
  const delivery = item === topUp ? ('direct_charge' as const) : ('card_key' as const)
  const made = await buy(database.ctx, [{ item, quantity: 2, delivery }])
  const attempts: string[] = []
  for (const { provider, set } of [one, two]) {
    await startPaying(database.ctx, services, {
      order: made.publicId,
      accountId: made.accountId,
      provider: provider.code,
      method: provider.code,
      feeMinor: 0n,
    })
    const { id } = await database.ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', made.id)
      .where('provider', '=', provider.code)
      .executeTakeFirstOrThrow()
    attempts.push(id)
    set(id, { status: 'failed', failure: 'declined' })
    await checkPayment(database.ctx, services, id)
  }
  const [a = '', b = ''] = attempts
  two.pay(b, usd(second))
  await checkPayment(database.ctx, services, b)
  one.pay(a, usd(first))
  await checkPayment(database.ctx, services, a)
  return { ...made, a, b }
}
type Order = Awaited<ReturnType<typeof inParts>>

const seen = async ({ id, number }: Order) => ({
  order: number,
  version: await readVersion(database.ctx.db, id),
  key: randomUUID(),
})
const accept = async (ctx: OperatorCtx, order: Order) =>
  acceptMoneyAtDesk(ctx, { ...(await seen(order)), surplusTo: 'original' })
const told = (order: Order) =>
  readEffect(owner, {
    order: order.number,
    act: 'accept_money',
    units: null,
    destination: 'original',
  })
const giveBack = async (order: Order, units: readonly string[] | null, ctx = owner) =>
  refundAtDesk(ctx, {
    ...(await seen(order)),
    units,
    destination: 'original',
    reason: 'goodwill',
  })
const send = () => submitRefunds(database.ctx, services.providers)
const stateOf = ({ id }: Order) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold', 'captured_minor', 'refunded_minor', 'shortfall_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const unitsOf = async ({ id }: Order) => {
  const units = await database.ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
  return units.map((unit) => unit.public_id)
}
const kept = () => [one.kept('USD'), two.kept('USD')]

describe('money that came for an order in parts', () => {
  test('is added up: all of it pays in one act, and nothing is lacking once it is whole', async () => {
    const before = await getBalance(database.ctx.db, SHORTFALLS, 'USD')
    const order = await inParts(1_400n, 600n)
    expect(await stateOf(order)).toMatchObject({ status: 'processing', hold: 'underpaid' })
    expect((await told(order)).accepted).toMatchObject({
      keptMinor: 2_000n,
      parts: [
        { provider: 'fake', minor: 1_400n },
        { provider: 'other', minor: 600n },
      ],
      shortfallMinor: 0n,
      surplusMinor: 0n,
    })
    expect(await accept(owner, order)).toEqual({ waits: null })
    expect(await stateOf(order)).toMatchObject({ status: 'completed', shortfall_minor: '0' })
    expect(await getBalance(database.ctx.db, SHORTFALLS, 'USD')).toBe(before)
    const [first, second] = kept()
    await send()
    expect(kept()).toEqual([first, second])
  })

  test('goes back to where each part came from, whole or unit by unit', async () => {
    for (const isWhole of [true, false]) {
      const before = kept()
      const order = await inParts(1_400n, 600n)
      await accept(owner, order)
      const units = await unitsOf(order)
      await giveBack(order, isWhole ? null : units.slice(0, 1))
      await send()
      if (!isWhole) {
        expect(await stateOf(order)).toMatchObject({ refunded_minor: '1000' })
        await giveBack(order, units.slice(1))
        await send()
      }
      expect(kept()).toEqual(before)
      expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '2000' })
    }
  })

  test('is lacking only what all of it lacks, and only that much more than the price goes back', async () => {
    const short = await inParts(900n, 800n)
    expect((await told(short)).accepted).toMatchObject({
      keptMinor: 1_700n,
      shortfallMinor: 300n,
    })
    await accept(owner, short)
    const before = kept()
    await giveBack(short, null)
    await send()
    expect(kept()).toEqual([(before[0] ?? 0n) - 900n, (before[1] ?? 0n) - 800n])
    const much = await inParts(1_500n, 700n)
    expect((await told(much)).accepted).toMatchObject({ shortfallMinor: 0n, surplusMinor: 200n })
    const held = kept()
    await accept(owner, much)
    await send()
    expect(kept()).toEqual([held[0], (held[1] ?? 0n) - 200n])
  })

  test('waits whole for another person, who gives all of it back or none', async () => {
    const [finance, other] = [await hire(owner, 'finance'), await hire(owner, 'finance')]
    const order = await inParts(1_400n, 600n)
    await accept(owner, order)
    await database.ctx.db
      .insertInto('setting')
      .values({ key: 'refund_second_person_minor', value: '0' })
      .execute()
    const before = kept()
    const refused = await giveBack(order, null, finance)
    await send()
    expect(kept()).toEqual(before)
    await refuseAct(other, refused.waits ?? '', 'no')
    await send()
    expect(kept()).toEqual(before)
    const approved = await giveBack(order, null, finance)
    await approveAct(other, approved.waits ?? '')
    await send()
    expect(kept()).toEqual([(before[0] ?? 0n) - 1_400n, (before[1] ?? 0n) - 600n])
  })

  test('has one credit note of all of it, also where one of the payments refuses its part and it is handed out anew', async () => {
    const { ctx } = database
    const seller = { name: 'Example Trading Ltd', address: ['1 High Street'], tax_id: 'IE1234567A' }
    for (const refusing of [one, two]) {
      await ctx.db
        .insertInto('setting')
        .values({ key: 'invoice', value: JSON.stringify(seller) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const before = kept()
      const order = await inParts(1_400n, 600n)
      await accept(owner, order)
      await giveBack(order, null)
      refusing.faults.push('refuse')
      await send()
      const failed = await ctx.db
        .selectFrom('refund')
        .select('public_id')
        .where('order_id', '=', order.id)
        .where('status', '=', 'failed')
        .executeTakeFirstOrThrow()
      await repeatRefund(owner, failed.public_id, 'original')
      await send()
      expect(kept()).toEqual(before)
      await bookTaxes(ctx, 'Europe/Berlin')
      const notes = await listInvoices(ctx.db, order.id)
      expect(notes.map(({ kind, grossMinor }) => [kind, grossMinor])).toEqual([
        ['invoice', 2_000n],
        ['credit_note', 2_000n],
      ])
      expect(notes[1]?.content).toMatchObject({ fee_minor: '0', lines: [{ quantity: 2 }] })
    }
  })

  test('of which a bank takes one part is a loss of that part, and the rest is delivered; all of it taken, nothing is', async () => {
    const order = await inParts(1_400n, 600n, topUp)
    await accept(owner, order)
    expect(await stateOf(order)).toMatchObject({ status: 'waiting_for_shipment' })
    two.set(order.b, { reversed: usd(600n) })
    await checkPayment(database.ctx, services, order.b)
    expect(await stateOf(order)).toMatchObject({
      status: 'waiting_for_shipment',
      refunded_minor: '600',
    })
    one.set(order.a, { reversed: usd(1_400n) })
    await checkPayment(database.ctx, services, order.a)
    expect(await stateOf(order)).toMatchObject({ status: 'refunded', refunded_minor: '2000' })
  })
})
