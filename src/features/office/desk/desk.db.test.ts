import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claimUnit, handOverUnit, releaseUnit } from '#features/buying/fulfilment/commands.ts'
import { notifyBuyers } from '#features/buying/order-notification/commands.ts'
import { changeOrder, eraseOrder } from '#features/buying/order/commands.ts'
import {
  exportOrder,
  getOrderByNumber,
  lockOrderById,
  readVersion,
} from '#features/buying/order/queries.ts'
import { cancelUnpaid, checkPayment } from '#features/buying/payment/flows.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { setOperatorStatus, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
  unitIdsOf,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { beginPaying, paidAt, payFor } from '../../../../test/support/paying.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  completeAtDesk,
  decideDoubtAtDesk,
  failAtDesk,
  noteAtDesk,
  readEffect,
  refundAtDesk,
  releaseAtDesk,
  replaceAtDesk,
  requeueAtDesk,
  returnMoneyAtDesk,
  sendMailAtDesk,
} from './commands.ts'
import { cancelAtDesk } from './flows.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
let owner: OperatorCtx
let card: TestItem
let topUp: TestItem

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  card = await addItem(ctx)
  await stock(ctx, card, 'A', 80)
  topUp = await addItem(ctx, { delivery: 'direct_charge' })
  owner = await firstOwner(ctx)
})
afterEach(async () => {
  await database.ctx.db.deleteFrom('setting').execute()
  expect(await violations(database.ctx)).toEqual([])
})

const hired = (role: OperatorRole) => hire(owner, role)

async function nothingAlone(): Promise<void> {
  await sql`insert into setting (key, value) values ('refund_second_person_minor', '0'), ('note_second_person_minor', '0')`.execute(
    database.ctx.db,
  )
}

async function unpaid(quantity = 1, delivery: 'card_key' | 'direct_charge' = 'card_key') {
  const item = delivery === 'card_key' ? card : topUp
  return buy(database.ctx, [{ item, quantity, delivery }])
}

async function bought(
  quantity = 1,
  delivery: 'card_key' | 'direct_charge' = 'card_key',
  minor = BigInt(quantity) * 1_000n,
) {
  const { ctx } = database
  const order = await unpaid(quantity, delivery)
  await payFor(ctx, fake, order, minor)
  return { ...order, units: await unitIdsOf(ctx, order.id) }
}

/** An act on the order as it is now. */
async function seen(order: { readonly id: string; readonly number: string }) {
  return {
    order: order.number,
    version: await readVersion(database.ctx.db, order.id),
    key: randomUUID(),
  }
}

const cancelled = (ctx: OperatorCtx, act: Awaited<ReturnType<typeof seen>>) =>
  cancelAtDesk(ctx, act, (account, order) => cancelUnpaid(ctx, services, account, order, 'left'))
const whole = { units: null, destination: 'original', reason: 'goodwill' } as const
const stateOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const refundsOf = (id: string) =>
  database.ctx.db
    .selectFrom('refund')
    .select(['public_id', 'amount_minor', 'approved_by', 'status'])
    .where('order_id', '=', id)
    .execute()
const unitOf = (publicId: string) =>
  database.ctx.db
    .selectFrom('order_unit')
    .select(['id', 'status', 'claimed_by', 'proof'])
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()

describe('a refund', () => {
  test('is told before it is done, changes nothing until then, and is done once however often it is sent', async () => {
    const support = await hired('support')
    const order = await bought(2)
    const act = { ...(await seen(order)), ...whole }
    const told = await readEffect(support, {
      order: order.number,
      act: 'refund',
      units: null,
      destination: 'original',
    })
    expect(told).toMatchObject({
      version: act.version,
      money: usd(2_000n),
      to: 'original',
      provider: 'fake',
      units: order.units,
      codes: { delivered: 2, seen: 0 },
      needsAnother: false,
      limits: { permission: 'order.refund', counted: { roleLimit: 2_000n } },
    })
    expect(await refundsOf(order.id)).toEqual([])
    const [first, second] = await Promise.all([
      refundAtDesk(support, act),
      refundAtDesk(support, act),
    ])
    expect(second).toEqual(first)
    expect(await refundAtDesk(support, act)).toEqual(first)
    expect(await refundsOf(order.id)).toMatchObject([
      { public_id: first.refund, amount_minor: '2000', approved_by: 'system' },
    ])
    expect((await refused(refundAtDesk(support, { ...act, reason: 'other' }))).code).toBe(
      'conflict',
    )
  })

  test('asked for by two people at once is one: the second is told', async () => {
    const order = await bought(2)
    const [one, other] = [await hired('orders'), await hired('finance')]
    const read = await seen(order)
    const results = await Promise.allSettled([
      refundAtDesk(one, { ...read, ...whole, units: order.units.slice(0, 1) }),
      refundAtDesk(other, { ...read, key: randomUUID(), ...whole, units: order.units.slice(1) }),
    ])
    const lost = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { code: string }] : [],
    )
    expect(lost.map(({ code }) => code)).toEqual(['changed_meanwhile'])
    expect(await refundsOf(order.id)).toHaveLength(1)
  })

  test('of an order that has changed since it was read is refused, with nothing done', async () => {
    const orders = await hired('orders')
    const order = await bought()
    const act = { ...(await seen(order)), ...whole }
    await transaction(database.ctx, async (tx) =>
      changeOrder(tx, database.ctx, await lockOrderById(tx, order.id), {}, { reason: 'looked_at' }),
    )
    expect((await refused(refundAtDesk(orders, act))).code).toBe('changed_meanwhile')
    expect(await refundsOf(order.id)).toEqual([])
    // The key stands for nothing: it may be sent again with what is read now.
    expect(
      await refundAtDesk(orders, { ...act, ...(await seen(order)), key: act.key }),
    ).toMatchObject({ waits: null })
  })

  test('above the limit waits for somebody else with a limit of their own, and is done once approved', async () => {
    const [asker, approver] = [await hired('support'), await hired('finance')]
    const order = await bought(3)
    const told = await readEffect(asker, {
      order: order.number,
      act: 'refund',
      units: null,
      destination: 'original',
    })
    expect(told.needsAnother).toBe(true)
    const { waits } = await refundAtDesk(asker, { ...(await seen(order)), ...whole })
    expect(await refundsOf(order.id)).toMatchObject([{ approved_by: null }])
    expect((await refused(approveAct(asker, waits ?? ''))).code).toBe('needs_another')
    expect((await refused(approveAct(await hired('support'), waits ?? ''))).params).toMatchObject({
      limit: 'order.refund',
    })
    expect((await refused(approveAct(await hired('catalogue'), waits ?? ''))).code).toBe(
      'forbidden',
    )
    await approveAct(approver, waits ?? '')
    expect(await refundsOf(order.id)).toMatchObject([{ approved_by: approver.actor }])
  })

  test('is nobody else’s who was shut out, or has another role, since they opened the page', async () => {
    const order = await bought()
    const orders = await hired('orders')
    const act = { ...(await seen(order)), ...whole }
    await setOperatorStatus(owner, orders.operator.name, 'disabled')
    expect((await refused(refundAtDesk(orders, act))).code).toBe('unauthorised')
    await setOperatorStatus(owner, orders.operator.name, 'active')
    await sql`update operator set role = 'catalogue' where id = ${orders.operator.id}`.execute(
      database.ctx.db,
    )
    expect((await refused(refundAtDesk(orders, act))).params).toMatchObject({
      permission: 'order.refund',
    })
    expect(await refundsOf(order.id)).toEqual([])
  })

  test('takes no unit of another order', async () => {
    const [order, other] = [await bought(), await bought()]
    const orders = await hired('orders')
    const act = { ...(await seen(order)), ...whole, units: other.units }
    expect((await refused(refundAtDesk(orders, act))).code).toBe('not_found')
  })
})

describe('a faulty code', () => {
  const keysOf = (unit: string) =>
    sql<{ id: string; status: string; unit_id: string | null }>`
      select k.id, k.status, k.unit_id from card_key k where k.unit_id = (select id from order_unit where public_id = ${unit})
        or k.id in (select old_key_id from key_replacement r join order_unit u on u.id = r.unit_id where u.public_id = ${unit}) order by k.status desc`
      .execute(database.ctx.db)
      .then(({ rows }) => rows)

  test('is void once another is given, which counts, and its buyer is told', async () => {
    const support = await hired('support')
    const order = await bought(3)
    const [unit = '', second = '', third = ''] = order.units
    const [before] = await keysOf(unit)
    const act = { ...(await seen(order)), unit, reason: 'redeemed already' }
    expect(await replaceAtDesk(support, act)).toEqual({ waits: null })
    expect(await replaceAtDesk(support, act)).toEqual({ waits: null })
    const [old, now] = await keysOf(unit)
    expect(old).toMatchObject({ id: before?.id, status: 'void', unit_id: null })
    expect(now).toMatchObject({ status: 'delivered' })
    expect(await stateOf(order.id)).toEqual({ status: 'completed', hold: null })
    await notifyBuyers(database.ctx)
    const mails = await database.ctx.db
      .selectFrom('outgoing_mail')
      .select('kind')
      .where('account_id', '=', order.accountId)
      .orderBy('id')
      .execute()
    expect(mails.map(({ kind }) => kind)).toEqual(['order_delivered', 'order_delivered'])
    const give = async (one: string) =>
      replaceAtDesk(support, { ...(await seen(order)), unit: one, reason: 'faulty' })
    expect((await give(second)).waits).toBeNull()
    // 20.00 a day to one shopper: the third is more than their role may give.
    const { waits } = await give(third)
    expect(waits).not.toBeNull()
    await approveAct(await hired('finance'), waits ?? '')
    expect((await keysOf(third)).map(({ status }) => status)).toEqual(['void', 'delivered'])
  })

  test('cannot be had where none is free, was never handed over, or is another by now', async () => {
    const scarce = await addItem(database.ctx)
    await stock(database.ctx, scarce, 'S', 1)
    const orders = await hired('orders')
    const short = await buy(database.ctx, [{ item: scarce }])
    const { id } = await beginPaying(database.ctx, services, short)
    const [unit = ''] = await unitIdsOf(database.ctx, short.id)
    const act = async () => ({ ...(await seen(short)), unit, reason: 'faulty' })
    expect((await refused(replaceAtDesk(orders, await act()))).code).toBe('order_closed')
    fake.pay(id, usd(1_000n))
    await checkPayment(database.ctx, services, id)
    expect((await refused(replaceAtDesk(orders, await act()))).code).toBe('out_of_stock')
    const [before] = await keysOf(unit)
    expect(before?.status).toBe('delivered')

    await nothingAlone()
    await stock(database.ctx, scarce, 'T', 2)
    const { waits } = await replaceAtDesk(orders, await act())
    await database.ctx.db.deleteFrom('setting').execute()
    await replaceAtDesk(await hired('finance'), await act())
    expect((await refused(approveAct(await hired('finance'), waits ?? ''))).code).toBe(
      'changed_meanwhile',
    )
  })

  test('the database lets no key leave its unit otherwise', async () => {
    const order = await bought()
    const [key] = await keysOf(order.units[0] ?? '')
    await expect(
      sql`update card_key set status = 'void', unit_id = null, claimed_at = null where id = ${key?.id}`.execute(
        database.ctx.db,
      ),
    ).rejects.toThrow('bound')
  })
})

describe('a delivery by hand', () => {
  test('belongs to who took it up, until they hand it over', async () => {
    const [one, other] = [await hired('orders'), await hired('orders')]
    const { units } = await bought(1, 'direct_charge')
    const [unit = ''] = units
    await claimUnit(one, unit)
    expect((await refused(claimUnit(other, unit))).code).toBe('conflict')
    const done = { unit, proof: 'R-1', key: randomUUID() }
    expect((await refused(completeAtDesk(other, done))).code).toBe('conflict')
    expect((await refused(handOverUnit(other, unit, other.operator.name))).code).toBe('conflict')
    const support = await hired('support')
    expect((await refused(handOverUnit(one, unit, support.operator.name))).code).toBe(
      'check_fields',
    )
    await handOverUnit(one, unit, other.operator.name)
    expect(await unitOf(unit)).toMatchObject({ claimed_by: other.operator.name })
    expect((await refused(completeAtDesk(one, { ...done, key: randomUUID() }))).code).toBe(
      'conflict',
    )
    expect(await completeAtDesk(other, done)).toEqual({ waits: null })
    expect(await completeAtDesk(other, done)).toEqual({ waits: null })
    expect(await unitOf(unit)).toMatchObject({ status: 'delivered', proof: 'R-1' })
  })

  test('counts: above the limit somebody else approves what was delivered, or that it cannot be', async () => {
    await nothingAlone()
    const one = await hired('orders')
    const { units, id } = await bought(2, 'direct_charge')
    const [first = '', second = ''] = units
    await claimUnit(one, first)
    const told = await readEffect(one, {
      order: (
        await database.ctx.db
          .selectFrom('shop_order')
          .select('number')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).number,
      act: 'complete',
      units: [first],
      destination: 'original',
    })
    expect(told).toMatchObject({ money: usd(1_000n), to: 'nowhere', needsAnother: true })
    const { waits } = await completeAtDesk(one, { unit: first, proof: 'R-2', key: randomUUID() })
    expect(await unitOf(first)).toMatchObject({ status: 'delivering', proof: null })
    await approveAct(await hired('orders'), waits ?? '')
    expect(await unitOf(first)).toMatchObject({ status: 'delivered', proof: 'R-2' })
    await claimUnit(one, second)
    const failed = await failAtDesk(one, {
      unit: second,
      failure: 'wrong_account',
      key: randomUUID(),
    })
    expect(await unitOf(second)).toMatchObject({ status: 'delivering' })
    await approveAct(await hired('orders'), failed.waits ?? '')
    expect(await unitOf(second)).toMatchObject({ status: 'failed' })
  })

  test('is decided before anything else is done with the unit, where an act about it waits', async () => {
    await nothingAlone()
    const [one, other] = [await hired('orders'), await hired('orders')]
    const { units } = await bought(2, 'direct_charge')
    const [done = '', failed = ''] = units
    for (const unit of units) await claimUnit(one, unit)
    const key = randomUUID
    const complete = (unit: string) => completeAtDesk(one, { unit, proof: 'R-3', key: key() })
    const fail = (unit: string) => failAtDesk(one, { unit, failure: 'other', key: key() })
    const asked = [await complete(done), await fail(failed)]
    for (const unit of units) {
      expect((await refused(releaseUnit(one, unit))).code).toBe('conflict')
      const handed = handOverUnit(one, unit, other.operator.name)
      expect((await refused(handed)).code).toBe('conflict')
    }
    expect((await refused(fail(done))).code).toBe('conflict')
    expect((await refused(complete(failed))).code).toBe('conflict')
    for (const unit of units)
      expect(await unitOf(unit)).toMatchObject({
        status: 'delivering',
        claimed_by: one.operator.name,
      })
    // Refused, it is free again.
    await refuseAct(other, asked[0]?.waits ?? '', 'not seen there')
    await handOverUnit(one, done, other.operator.name)
    expect(await unitOf(done)).toMatchObject({ claimed_by: other.operator.name })
  })

  test('in doubt is decided by anybody who may deliver, once', async () => {
    const one = await hired('orders')
    const order = await bought(1, 'direct_charge')
    const [unit = ''] = order.units
    const decide = async (outcome: 'delivered' | 'failed') =>
      decideDoubtAtDesk(one, { ...(await seen(order)), unit, outcome, proof: 'seen there' })
    expect((await refused(decide('delivered'))).code).toBe('order_closed')
    await claimUnit(await hired('orders'), unit)
    await sql`update order_unit set status = 'in_doubt' where public_id = ${unit}`.execute(
      database.ctx.db,
    )
    await transaction(database.ctx, async (tx) =>
      changeOrder(
        tx,
        database.ctx,
        await lockOrderById(tx, order.id),
        {},
        { reason: 'delivery_in_doubt' },
      ),
    )
    expect(await decide('delivered')).toEqual({ waits: null })
    expect(await unitOf(unit)).toMatchObject({ status: 'delivered', proof: 'seen there' })
    expect((await refused(decide('failed'))).code).toBe('order_closed')
  })
})

test('an order that is held goes on, with a note, or waits for somebody else', async () => {
  const orders = await hired('orders')
  const order = await bought(1, 'direct_charge')
  const hold = () =>
    transaction(database.ctx, async (tx) =>
      changeOrder(
        tx,
        database.ctx,
        await lockOrderById(tx, order.id),
        { hold: 'risk' },
        { reason: 'risk' },
      ),
    )
  expect((await refused(releaseAtDesk(orders, { ...(await seen(order)), note: '' }))).code).toBe(
    'order_closed',
  )
  await hold()
  expect(await releaseAtDesk(orders, { ...(await seen(order)), note: 'Known for years.' })).toEqual(
    {
      waits: null,
    },
  )
  expect(await stateOf(order.id)).toMatchObject({ hold: null })
  await nothingAlone()
  await hold()
  const { waits } = await releaseAtDesk(orders, { ...(await seen(order)), note: '' })
  expect(await stateOf(order.id)).toMatchObject({ hold: 'risk' })
  await approveAct(await hired('finance'), waits ?? '')
  expect(await stateOf(order.id)).toMatchObject({ hold: null })
})

test('what is not paid is cancelled, and its buyer told; what is paid is not', async () => {
  const orders = await hired('orders')
  const order = await unpaid()
  const act = await seen(order)
  await cancelled(orders, act)
  await cancelled(orders, act)
  expect(await stateOf(order.id)).toMatchObject({ status: 'cancelled' })
  const paid = await bought()
  expect((await refused(cancelled(orders, await seen(paid)))).code).toBe('order_closed')
  const support = await hired('support')
  expect((await refused(cancelled(support, await seen(order)))).code).toBe('forbidden')
})

test('money that did not pay goes back, once', async () => {
  const finance = await hired('finance')
  const order = await bought(1, 'card_key', 400n)
  expect(await stateOf(order.id)).toMatchObject({ hold: 'underpaid' })
  const act = await seen(order)
  const told = await readEffect(finance, {
    order: order.number,
    act: 'return_money',
    units: null,
    destination: 'original',
  })
  expect(told).toMatchObject({ money: usd(400n), to: 'original', needsAnother: false })
  expect(await returnMoneyAtDesk(finance, act)).toEqual({ waits: null })
  expect(await returnMoneyAtDesk(finance, act)).toEqual({ waits: null })
  expect(await refundsOf(order.id)).toMatchObject([{ amount_minor: '400' }])
})

describe('cancelling what is paid in part', () => {
  const cancelling = { act: 'cancel', units: null, destination: 'original' } as const

  test('gives the money back, which counts as any that does', async () => {
    const finance = await hired('finance')
    const order = await bought(1, 'card_key', 400n)
    const told = await readEffect(finance, { order: order.number, ...cancelling })
    expect(told).toMatchObject({ money: usd(400n), to: 'original', needsAnother: false })
    const act = await seen(order)
    expect(await cancelled(finance, act)).toEqual({ waits: null })
    expect(await cancelled(finance, act)).toEqual({ waits: null })
    expect(await refundsOf(order.id)).toMatchObject([{ amount_minor: '400' }])
    const next = await bought(1, 'card_key', 400n)
    const after = await readEffect(finance, { order: next.number, ...cancelling })
    expect(after.limits).toMatchObject({
      permission: 'order.refund',
      counted: { counted: { toAll: 400n } },
    })
  })

  test('waits for somebody else above the limit, and is done once', async () => {
    await nothingAlone()
    const finance = await hired('finance')
    const order = await bought(1, 'card_key', 400n)
    const told = await readEffect(finance, { order: order.number, ...cancelling })
    expect(told.needsAnother).toBe(true)
    const { waits } = await cancelled(finance, await seen(order))
    expect(waits).not.toBeNull()
    expect(await refundsOf(order.id)).toEqual([])
    await approveAct(await hired('finance'), waits ?? '')
    expect(await refundsOf(order.id)).toMatchObject([{ amount_minor: '400' }])
  })

  test('gives nothing back that came while it was being cancelled', async () => {
    const finance = await hired('finance')
    const order = await unpaid()
    const late = cancelAtDesk(finance, await seen(order), async (account, publicId) => {
      await payFor(database.ctx, fake, order, 400n)
      await cancelUnpaid(database.ctx, services, account, publicId, 'left')
    })
    expect((await refused(late)).code).toBe('changed_meanwhile')
    expect(await refundsOf(order.id)).toEqual([])
    expect(await stateOf(order.id)).toMatchObject({ hold: 'underpaid' })
  })
})

test('nothing that waits for nothing is tried again', async () => {
  const orders = await hired('orders')
  const order = await bought()
  expect((await refused(requeueAtDesk(orders, await seen(order)))).code).toBe('order_closed')
})

test('notes are for colleagues, come with what a shopper takes along, and leave with them', async () => {
  const [support, catalogue] = [await hired('support'), await hired('catalogue')]
  const order = await bought()
  const note = { order: order.number, key: randomUUID(), text: 'Called on Monday.' }
  expect(await noteAtDesk(support, note)).toEqual(await noteAtDesk(support, note))
  expect((await refused(noteAtDesk(catalogue, { ...note, key: randomUUID() }))).code).toBe(
    'forbidden',
  )
  expect(await exportOrder(database.ctx.db, order.accountId)).toMatchObject([
    { notes: [{ text: 'Called on Monday.' }] },
  ])
  await transaction(database.ctx, (tx) => eraseOrder(tx, order.accountId))
  expect(
    await database.ctx.db
      .selectFrom('order_note')
      .select('id')
      .where('order_id', '=', (await getOrderByNumber(database.ctx.db, order.number)).id)
      .execute(),
  ).toEqual([])
})

test('a mail is sent again to the address its shopper has by now; of what was never sent there is none', async () => {
  const support = await hired('support')
  const order = await bought()
  await notifyBuyers(database.ctx)
  await sql`update account set email = 'new@shopper.example' where id = ${order.accountId}`.execute(
    database.ctx.db,
  )
  const mail = { order: order.number, key: randomUUID(), kind: 'order_delivered' } as const
  await sendMailAtDesk(support, mail)
  await sendMailAtDesk(support, mail)
  const sent = await database.ctx.db
    .selectFrom('outgoing_mail')
    .select('recipient')
    .where('account_id', '=', order.accountId)
    .orderBy('id')
    .execute()
  expect(sent.map(({ recipient }) => recipient === 'new@shopper.example')).toEqual([false, true])
  const other = { ...mail, key: randomUUID(), kind: 'order_refunded' } as const
  expect((await refused(sendMailAtDesk(support, other))).code).toBe('not_found')
})
