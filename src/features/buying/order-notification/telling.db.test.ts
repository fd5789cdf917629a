import { beforeAll, expect, test } from 'vitest'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { paidAt, payFor } from '../../../../test/support/paying.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { ORDER_NOTICES } from '#features/people/notice/rules.ts'
import { listUnsent } from '#features/people/mail/queries.ts'
import { outgoingMail } from '#features/people/mail/schema.ts'
import { transaction } from '#platform/ctx.ts'
import { notifyBuyers } from './commands.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let card: TestItem
let topUp: TestItem

beforeAll(async () => {
  await addCurrencies(database.ctx)
  card = await addItem(database.ctx)
  topUp = await addItem(database.ctx, { delivery: 'direct_charge' })
  await database.ctx.db
    .updateTable('brand')
    .set({ typical_minutes: 15 })
    .where('code', '=', topUp.brand)
    .execute()
  await database.ctx.db
    .insertInto('translation')
    .values({
      subject: 'brand',
      subject_code: card.brand,
      field: 'name',
      language: 'ar',
      text: 'بطاقة',
      origin: 'human',
      english_hash: '0'.repeat(16),
    })
    .execute()
  await stock(database.ctx, card, 'A', 60)
})

type Bought = Awaited<ReturnType<typeof buy>>

const pay = (order: Bought, minor: bigint, currency = 'USD') =>
  payFor(database.ctx, fake, order, minor, { currency })

async function told(order: Bought) {
  const rows = await database.ctx.db
    .selectFrom('outgoing_mail')
    .select(['id', 'language'])
    .where('account_id', '=', order.accountId)
    .orderBy('id')
    .execute()
  const notices = await database.ctx.db
    .selectFrom('notice')
    .select('kind')
    .where('account_id', '=', order.accountId)
    .where('kind', '<>', 'welcome')
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const mails = (await listUnsent(database.ctx.db, ids))
    .map((row) => outgoingMail.parse(row))
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  expect(notices.map(({ kind }) => kind)).toEqual(mails.map(({ kind }) => kind))
  return mails.map(({ kind, params }) => ({ kind, ...params.order }))
}

test("an order paid and delivered is told once, in the buyer's language, without a key, however often and at once it is told", async () => {
  const order = await buy(database.ctx, [{ item: card, quantity: 2 }])
  await database.ctx.db
    .updateTable('shop_order')
    .set({ language: 'ar' })
    .where('id', '=', order.id)
    .execute()
  await pay(order, 2_000n)
  await Promise.all(Array.from({ length: 8 }, () => notifyBuyers(database.ctx)))
  const [mail, ...more] = await told(order)
  expect(more).toEqual([])
  expect(mail).toMatchObject({
    kind: 'order_delivered',
    variant: 'keys',
    number: order.number,
    id: order.publicId,
    minutes: null,
  })
  expect(mail?.goods?.join()).toContain('بطاقة')
  expect(mail?.lines).toMatchObject([{ name: 'بطاقة', amount: mail?.total, picture: null }])
  expect(mail?.lines?.[0]?.detail).toMatch(/^2 × ./)
  expect(mail?.fee).toBe('')
  const keys = await database.ctx.db
    .selectFrom('card_key')
    .select('last_four')
    .where('status', '=', 'delivered')
    .execute()
  expect(keys).toHaveLength(2)
  const { rows } = {
    rows: await database.ctx.db
      .selectFrom('outgoing_mail')
      .select(['params', 'language'])
      .where('account_id', '=', order.accountId)
      .execute(),
  }
  expect(rows[0]?.language).toBe('ar')
  expect(JSON.stringify(rows[0]?.params)).not.toMatch(/A0{6,}/)
  expect(await notifyBuyers(database.ctx)).toBe(0)
})

test("a mail names goods and counts their unit as the buyer's language does", async () => {
  const { db } = database.ctx
  const pack = await addItem(database.ctx, { delivery: 'direct_charge' })
  await db
    .insertInto('unit')
    .values({ key: 'diamonds', name: 'Diamonds', is_proper: false })
    .execute()
  const words = { name: 'Алмазы', one: '{n} алмаз', many: '{n} алмазов', other: '{n} алмаза' }
  await db
    .insertInto('translation')
    .values(
      Object.entries({ ...words, few: '{n} алмаза' }).map(([field, text]) => ({
        subject: 'unit' as const,
        subject_code: 'diamonds',
        field,
        language: 'ru' as const,
        text,
        origin: 'data' as const,
        english_hash: '0'.repeat(16),
      })),
    )
    .execute()
  await db
    .updateTable('brand')
    .set({ unit: 'diamonds', name: 'Dragon Quarry' })
    .where('code', '=', pack.brand)
    .execute()
  await db
    .updateTable('item')
    .set({ kind: 'pack', name: '78 + 1 Diamonds', units: '78', bonus: '1' })
    .where('id', '=', pack.id)
    .execute()
  const order = await buy(database.ctx, [{ item: pack, quantity: 2, delivery: 'direct_charge' }])
  await db.updateTable('shop_order').set({ language: 'ru' }).where('id', '=', order.id).execute()
  await pay(order, 2_000n)
  await notifyBuyers(database.ctx)
  const [mail] = await told(order)
  expect(mail?.goods).toEqual(['2 × Алмазы Dragon Quarry: 78 алмазов + 1 алмаз'])
})

test('goods delivered by hand are told with the time they usually take', async () => {
  const order = await buy(database.ctx, [{ item: topUp, delivery: 'direct_charge' }])
  await pay(order, 1_000n)
  await notifyBuyers(database.ctx)
  expect(await told(order)).toMatchObject([
    {
      kind: 'order_paid_by_hand',
      variant: '',
      total: '$10.00',
      minutes: { count: 15, isMeasured: false },
    },
  ])
  await database.ctx.db
    .insertInto('delivery_time')
    .values({ brand: topUp.brand, deliveries: 20, p50_seconds: 130, p95_seconds: 700 })
    .execute()
  const later = await buy(database.ctx, [{ item: topUp, delivery: 'direct_charge' }])
  await pay(later, 1_000n)
  await notifyBuyers(database.ctx)
  expect(await told(later)).toMatchObject([{ minutes: { count: 3, isMeasured: true } }])
  await database.ctx.db
    .updateTable('product')
    .set({ typical_minutes: 1_440 })
    .where('code', '=', topUp.product)
    .execute()
  const slow = await buy(database.ctx, [{ item: topUp, delivery: 'direct_charge' }])
  await pay(slow, 1_000n)
  await notifyBuyers(database.ctx)
  expect(await told(slow)).toMatchObject([{ minutes: { count: 1_440, isMeasured: false } }])
})

test('of an order that is held for a closer look nobody hears that it is being delivered', async () => {
  const order = await buy(database.ctx, [{ item: topUp, delivery: 'direct_charge' }])
  await pay(order, 1_000n)
  await transaction(database.ctx, async (tx) => {
    const locked = await lockOrderById(tx, order.id)
    await changeOrder(
      tx,
      database.ctx,
      locked,
      { hold: 'risk' },
      { reason: 'risk', isToTell: true },
    )
  })
  await notifyBuyers(database.ctx)
  expect(await told(order)).toMatchObject([{ kind: 'order_payment_problem', variant: 'risk' }])
})

test('goods of both kinds are told as partly there', async () => {
  const order = await buy(database.ctx, [
    { item: card },
    { item: topUp, delivery: 'direct_charge' },
  ])
  await pay(order, 2_000n)
  await notifyBuyers(database.ctx)
  expect(await told(order)).toMatchObject([{ kind: 'order_paid_by_hand', variant: 'partly' }])
})

test('too little, another currency and too much are each told with what happens next', async () => {
  const short = await buy(database.ctx, [{ item: card }])
  await pay(short, 400n)
  const foreign = await buy(database.ctx, [{ item: card }])
  await pay(foreign, 1_000n, 'EUR')
  await notifyBuyers(database.ctx)
  expect(await told(short)).toMatchObject([{ kind: 'order_payment_problem', variant: 'underpaid' }])
  expect(await told(foreign)).toMatchObject([
    { kind: 'order_payment_problem', variant: 'wrong_currency' },
  ])
})

test('a refund is told with amount and destination once the provider has confirmed it', async () => {
  const order = await buy(database.ctx, [{ item: card }])
  await pay(order, 1_000n)
  await notifyBuyers(database.ctx)
  await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: null,
    destination: 'original',
    reason: 'faulty',
    requestedBy: 'system',
    approvedBy: 'system',
  })
  await notifyBuyers(database.ctx)
  expect(await told(order)).toMatchObject([{ kind: 'order_delivered' }])
  await submitRefunds(database.ctx, services.providers)
  await notifyBuyers(database.ctx)
  expect(await told(order)).toMatchObject([
    { kind: 'order_delivered' },
    { kind: 'order_refunded', amount: '$10.00', variant: 'original' },
  ])
})

test('many orders are told in batches by two workers, each once', async () => {
  const orders = []
  for (let index = 0; index < 30; index += 1) orders.push(await buy(database.ctx, [{ item: card }]))
  await Promise.all(orders.map((order) => pay(order, 1_000n)))
  const counts = await Promise.all([notifyBuyers(database.ctx), notifyBuyers(database.ctx)])
  expect(counts[0] + counts[1]).toBe(30)
  for (const order of orders) expect(await told(order)).toHaveLength(1)
})

const DONE = { to: 'completed', details: {} }
const EVENTS: readonly (readonly [string, { to: string; details: Record<string, unknown> }])[] = [
  ['paid', DONE],
  ['paid', { to: 'waiting_for_shipment', details: {} }],
  ['paid', { to: 'shipping', details: {} }],
  ['paid', { to: 'processing', details: {} }],
  ['delivered', { to: 'completed', details: { line: 1, units: 1 } }],
  ['refunded', { to: 'completed', details: { amount_minor: '500', currency: 'USD' } }],
  ['unit_failed', { to: 'processing', details: { line: 1, units: 1, amount_minor: '1000' } }],
  ['input_needed', { to: 'processing', details: { line: 1, units: 1 } }],
  ['case_decided', { to: 'processing', details: { decision: 'refund' } }],
  ['paid_twice', { to: 'completed', details: { amount_minor: '2000', currency: 'USD' } }],
  ['underpaid', { to: 'processing', details: {} }],
  ['disputed', { to: 'processing', details: {} }],
  ['cancelled', { to: 'cancelled', details: {} }],
]

test('of every kind, mail and notice tell the same of the same goods', async () => {
  const order = await buy(database.ctx, [
    { item: card },
    { item: topUp, delivery: 'direct_charge' },
  ])
  for (const [reason, { to, details }] of EVENTS) {
    await database.ctx.db
      .insertInto('order_event')
      .values({
        id: database.ctx.newId(),
        order_id: order.id,
        at: database.ctx.now(),
        actor: 'system',
        request_id: 'test',
        from_status: 'pending_payment',
        to_status: to,
        reason,
        details: JSON.stringify(details),
        is_to_tell: true,
      })
      .execute()
    await notifyBuyers(database.ctx)
  }
  const mails = await told(order)
  const notices = await database.ctx.db
    .selectFrom('notice')
    .select(['kind', 'params'])
    .where('account_id', '=', order.accountId)
    .where('kind', '<>', 'welcome')
    .orderBy('id')
    .execute()
  expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(ORDER_NOTICES))
  const [cardName, topUpName] = await namesOf(order)
  for (const [index, { kind, params }] of notices.entries()) {
    const mail = mails[index]
    const notice = params as Record<string, any>
    expect(notice).toMatchObject({ number: mail?.number, order: mail?.id, variant: mail?.variant })
    expect(notice['amount'] === null ? '' : `$${Number(notice['amount'].minor) / 100}.00`).toBe(
      mail?.amount,
    )
    // What the notice names is in the mail; where goods are still to come it is those.
    expect(mail?.goods?.some((goods) => goods.includes(` ${notice['name']}: `))).toBe(true)
    const isOfTopUp = [
      'order_paid_by_hand',
      'order_credited',
      'order_failed_unit',
      'order_input_needed',
    ].includes(kind)
    expect(notice['name']).toBe(isOfTopUp ? topUpName : cardName)
  }
})

async function namesOf({ id }: Bought): Promise<string[]> {
  const lines = await database.ctx.db
    .selectFrom('order_line')
    .select('product_name')
    .where('order_id', '=', id)
    .orderBy('position')
    .execute()
  return lines.map((line) => line.product_name)
}
