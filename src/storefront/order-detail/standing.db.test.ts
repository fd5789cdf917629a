import { beforeAll, expect, test } from 'vitest'
import { bankTransfers } from '#features/buying/bank-transfer/commands.ts'
import { findStoredOrder } from '#features/buying/order/view/stored.ts'
import { orderView } from '#features/buying/order/views.ts'
import { cancelUnpaid, checkPayment } from '#features/buying/payment/flows.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { present } from '#kernel/assert.ts'
import { getLanguage } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { buy, type TestItem } from '../../../test/support/buying.ts'
import { importSmallCatalogue } from '../../../test/support/catalogue-folder.ts'
import { minutesLater } from '../../../test/support/clock.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { createFakePayments } from '../../../test/support/fake-payment.ts'
import { beginPaying } from '../../../test/support/paying.ts'
import { testServices } from '../../../test/support/services.ts'
import { standingOf } from './standing.ts'

const database = useDatabase()
const fake = createFakePayments()
const services = () => ({
  ...testServices.payments,
  providers: new Map([
    ['fake', fake.provider],
    [BANK_TRANSFER, bankTransfers(database.ctx)],
  ]),
})
let item: TestItem

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  const code = 'card:vapour:us:10'
  const { id } = await database.ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  item = { id, code, brand: 'vapour', product: 'vapour-us' }
})

type Made = Awaited<ReturnType<typeof buy>>

/** What comes by hand, which is not delivered by the payment itself. */
const order = () => buy(database.ctx, [{ item, delivery: 'direct_charge' }])

const pay = async (made: Made, provider: string) =>
  (await beginPaying(database.ctx, services(), made, { provider })).id

async function decline(made: Made) {
  const attempt = await pay(made, 'fake')
  fake.set(attempt, { status: 'failed' })
  await checkPayment(database.ctx, services(), attempt)
}

async function standing(made: Made, ctx: Ctx = database.ctx) {
  const stored = present(await findStoredOrder(ctx.db, made.accountId, made.publicId), 'an order')
  const page = {
    shop: await loadSnapshot(ctx.db, 1),
    t: translatorOf('en'),
    language: getLanguage('en'),
    ctx,
    timeZone: 'UTC',
  }
  const view = orderView({ ...page, language: 'en', now: ctx.now() }, stored)
  return { heading: view.heading, ...standingOf(page, view, stored) }
}

test('a payment that failed is the headline, with what is known of the money and until when to try again', async () => {
  const made = await order()
  expect(await standing(made)).toMatchObject({ heading: 'Not paid yet', money: null })
  await decline(made)
  expect(await standing(made)).toMatchObject({
    heading: 'Payment didn’t go through',
    sign: { tone: 'bad', icon: 'x' },
    money: 'You haven’t been charged.',
    next: expect.stringMatching(/^Pay by .+ or the order expires\.$/),
  })
})

test('that no money was taken is not said while a payment is open, nor where a transfer may be on its way', async () => {
  const { ctx } = database
  const [card, transfer] = [await order(), await order()]
  await pay(card, 'fake')
  expect((await standing(card)).money).toBeNull()
  await pay(transfer, BANK_TRANSFER)
  await cancelUnpaid(ctx, services(), transfer.accountId, transfer.publicId)
  expect(await standing(transfer)).toMatchObject({ heading: 'Order cancelled', money: null })
  const untried = await order()
  await cancelUnpaid(ctx, services(), untried.accountId, untried.publicId)
  expect((await standing(untried)).money).toBe('You haven’t been charged.')
})

test('time since payment is shown on the scale of what was measured or estimated, and on none where nothing was', async () => {
  const { ctx } = database
  await ctx.db
    .updateTable('brand')
    .set({ typical_minutes: null })
    .where('code', '=', item.brand)
    .execute()
  const made = await order()
  const attempt = await pay(made, 'fake')
  fake.pay(attempt, { minor: 1_000n, currency: 'USD' })
  await checkPayment(ctx, services(), attempt)
  expect(await standing(made)).toMatchObject({
    scale: null,
    sign: { tone: 'info', icon: 'bolt' },
    next: 'You can close this page. We’ll let you know when it’s delivered.',
  })
  await ctx.db
    .updateTable('product')
    .set({ typical_minutes: 1_440 })
    .where('code', '=', item.product)
    .execute()
  expect((await standing(made, minutesLater(ctx, 5))).scale).toMatchObject({
    measured: 'Usually delivered within 24 hr (our estimate)',
    since: '5 min since payment',
    marks: [{ at: 94, text: '24 hr' }],
    late: null,
  })
  expect((await standing(made, minutesLater(ctx, 2_870))).scale).toMatchObject({ late: null })
  expect((await standing(made, minutesLater(ctx, 2_890))).scale).toMatchObject({
    late: expect.stringContaining('longer than we estimated'),
  })
  await ctx.db
    .updateTable('product')
    .set({ typical_minutes: null })
    .where('code', '=', item.product)
    .execute()
  await ctx.db
    .insertInto('delivery_time')
    .values({ brand: item.brand, deliveries: 20, p50_seconds: 200, p95_seconds: 1_000 })
    .execute()
  const { scale } = await standing(made, minutesLater(ctx, 5))
  expect(scale).toMatchObject({
    measured: 'Recent deliveries: half within 4 min, 95% within 17 min',
    since: '5 min since payment',
    marks: [{ text: '4 min' }, { at: 94, text: '17 min' }],
    late: null,
  })
  expect(scale?.elapsed).toBeGreaterThan(scale?.marks[0]?.at ?? 100)
  expect((await standing(made, minutesLater(ctx, 18))).scale).toMatchObject({
    elapsed: expect.closeTo(100, 0),
    late: expect.stringContaining('longer than 95%'),
  })
})
