import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addToCart, removeLines } from '#features/buying/cart/commands.ts'
import { countUnits, readStoredCart } from '#features/buying/cart/queries.ts'
import { lineText, LINES_MAX } from '#features/buying/cart/rules.ts'
import { cancelOrder, expireDue } from '#features/buying/order/commands.ts'
import { listCartOrders } from '#features/buying/order/queries.ts'
import { cancelUnpaid, checkPayment, sweepPayments } from '#features/buying/payment/flows.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { recountStock } from '#features/goods/stock/commands.ts'
import { present } from '#kernel/assert.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { sha256 } from '#platform/secrets.ts'
import { stock, violations } from '../../../../test/support/buying.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { beginPaying, paidAt } from '../../../../test/support/paying.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { placeOrder } from './commands.ts'

const CARD = 'card:vapour:us:20'
const PACK = 'game:dragon-quarry:global:1200'
const database = useDatabase()
const fake = createFakePayments()
const services = paidAt(fake)
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  const item = { id: '', code: CARD, brand: 'vapour', product: 'vapour-us' }
  await stock(database.ctx, item, 'KEYSA', 60)
  await recountStock(database.ctx)
})
beforeEach(async () => {
  shop = await loadSnapshot(database.ctx.db, 1)
})

const currency = () => present(shop.currencyByCode.get('USD'), 'USD')
const shopper = async () => (await somebody(database.ctx, { withPassword: false })).accountId

const add = (accountId: string, item: string, quantity: number, userId?: string) =>
  addToCart(database.ctx, { shop, currency: currency(), roleId: 0 }, accountId, {
    item,
    quantity,
    fields: userId === undefined ? {} : { user_id: userId },
  })

const place = (accountId: string, select: readonly string[] | null = null) =>
  placeOrder(
    database.ctx,
    {
      shop,
      person: { accountId, roleId: 0 },
      visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
      chosenCountry: 'US',
      language: 'en',
      currency: currency(),
      idempotencyKey: null,
      isForm: false,
    },
    { cart: select },
  )

const lines = async (accountId: string) => {
  const { lines: kept } = await readStoredCart(database.ctx.db, accountId, 0)
  return kept
}
/** Item, quantity and account of each line, newest first. */
const shown = async (accountId: string) =>
  (await lines(accountId)).map(({ itemCode, quantity, fields }) => [
    itemCode,
    quantity,
    fields['user_id'] ?? null,
  ])

const rowOf = (publicId: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()

const begin = async (accountId: string, publicId: string, ctx: Ctx = database.ctx) =>
  (await beginPaying(ctx, services, { publicId, accountId })).id

async function pay(order: string, attempt: string, ctx: Ctx = database.ctx): Promise<void> {
  fake.pay(attempt, { minor: BigInt((await rowOf(order)).total_minor), currency: 'USD' })
  await checkPayment(ctx, services, attempt)
}

test('what is being paid is an order of the cart until its money is there, and never comes back then', async () => {
  const accountId = await shopper()
  await add(accountId, CARD, 2)
  const { publicId } = await place(accountId)
  const { id } = await rowOf(publicId)
  expect(await lines(accountId)).toEqual([])
  expect(await listCartOrders(database.ctx.db, accountId)).toEqual([id])
  const attempt = await begin(accountId, publicId)
  expect(await listCartOrders(database.ctx.db, accountId)).toEqual([id])
  await pay(publicId, attempt)
  expect(await listCartOrders(database.ctx.db, accountId)).toEqual([])
  expect(await lines(accountId)).toEqual([])
  expect(await violations(database.ctx)).toEqual([])
})

test('an order that is cancelled gives its lines back as they were, and they make a new order', async () => {
  const accountId = await shopper()
  await add(accountId, PACK, 1, '12345')
  await add(accountId, CARD, 2)
  const before = await lines(accountId)
  const select = before.map(({ publicId }) => publicId)
  const first = await place(accountId, select)
  await cancelOrder(database.ctx, accountId, first.publicId)
  const back = await lines(accountId)
  const kept = ({
    itemCode,
    quantity,
    fields,
    seenMinor,
    shownMinor,
    seenCurrency,
  }: (typeof back)[number]) => ({ itemCode, quantity, fields, seenMinor, shownMinor, seenCurrency })
  expect(back.map(kept)).toEqual(before.map(kept))
  // Cancelling twice gives nothing twice.
  await cancelOrder(database.ctx, accountId, first.publicId)
  expect(await countUnits(database.ctx.db, accountId)).toBe(3)

  // The names of before stand for the order of before, in a tab that was left open.
  expect(await place(accountId, select)).toMatchObject({ publicId: first.publicId })
  const second = await place(
    accountId,
    back.map(({ publicId }) => publicId),
  )
  expect(second.publicId).not.toBe(first.publicId)
  expect(await lines(accountId)).toEqual([])
})

test.each([
  ['before paying began', false],
  ['with a payment that nobody made', true],
])('an order that expires %s gives its lines back', async (_, isBegun) => {
  const accountId = await shopper()
  await add(accountId, CARD, 1)
  const { publicId } = await place(accountId)
  const late = minutesLater(database.ctx, 60)
  if (isBegun) {
    await begin(accountId, publicId)
    await sweepPayments(late, services)
  }
  await expireDue(late)
  expect((await rowOf(publicId)).status).toBe('expired')
  expect(await shown(accountId)).toEqual([[CARD, 1, null]])
})

test('many orders that expire at once give each its own back', async () => {
  const shoppers = await Promise.all(Array.from({ length: 12 }, shopper))
  for (const accountId of shoppers) {
    await add(accountId, PACK, 1, '12345')
    await place(accountId)
    await add(accountId, PACK, 2, '54321')
    await place(accountId)
  }
  await Promise.all([
    expireDue(minutesLater(database.ctx, 60)),
    expireDue(minutesLater(database.ctx, 60)),
  ])
  for (const accountId of shoppers)
    expect((await shown(accountId)).toSorted()).toEqual([
      [PACK, 1, '12345'],
      [PACK, 2, '54321'],
    ])
})

test('what was added again meanwhile is one line with what comes back, of 100 at most', async () => {
  const accountId = await shopper()
  await add(accountId, PACK, 60, '12345')
  const first = await place(accountId)
  await add(accountId, PACK, 2, '12345')
  expect(await shown(accountId)).toEqual([[PACK, 2, '12345']])
  await cancelOrder(database.ctx, accountId, first.publicId)
  expect(await shown(accountId)).toEqual([[PACK, 62, '12345']])
  const second = await place(accountId)
  await add(accountId, PACK, 60, '12345')
  await cancelOrder(database.ctx, accountId, second.publicId)
  expect(await shown(accountId)).toEqual([[PACK, 100, '12345']])
})

test('money that arrives soon after the order expired takes the lines out again, and nothing else', async () => {
  const accountId = await shopper()
  await add(accountId, CARD, 1)
  const { publicId } = await place(accountId)
  const attempt = await begin(accountId, publicId)
  await sweepPayments(minutesLater(database.ctx, 16), services)
  await expireDue(minutesLater(database.ctx, 16))
  await add(accountId, PACK, 1, '12345')
  expect((await shown(accountId)).map(([item]) => item).toSorted()).toEqual([CARD, PACK])
  await pay(publicId, attempt, minutesLater(database.ctx, 20))
  expect((await rowOf(publicId)).status).toBe('completed')
  expect(await shown(accountId)).toEqual([[PACK, 1, '12345']])
  expect(await violations(database.ctx)).toEqual([])
})

test('goods bought past the cart come into none', async () => {
  const accountId = await shopper()
  const { publicId } = await placeOrder(
    database.ctx,
    {
      shop,
      person: { accountId, roleId: 0 },
      visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
      chosenCountry: 'US',
      language: 'en',
      currency: currency(),
      idempotencyKey: null,
      isForm: false,
    },
    { lines: [{ item: CARD, quantity: 1, fields: {} }] },
  )
  expect(await listCartOrders(database.ctx.db, accountId)).toEqual([])
  await cancelOrder(database.ctx, accountId, publicId)
  expect(await lines(accountId)).toEqual([])
})

test('paid and cancelled at the same moment, a cart is bought or back, never both and never neither', async () => {
  for (let round = 0; round < 10; round += 1) {
    const accountId = await shopper()
    await add(accountId, CARD, 1)
    const { publicId } = await place(accountId)
    const attempt = await begin(accountId, publicId)
    fake.pay(attempt, { minor: BigInt((await rowOf(publicId)).total_minor), currency: 'USD' })
    await Promise.all([
      checkPayment(database.ctx, services, attempt),
      cancelUnpaid(database.ctx, services, accountId, publicId).catch((error: unknown) => {
        if (!isAppError(error)) throw error
      }),
    ])
    const { settled_at: settledAt, ended } = await rowOf(publicId)
    expect([settledAt !== null, ended !== null, (await lines(accountId)).length]).toEqual(
      settledAt === null ? [false, true, 1] : [true, false, 0],
    )
  }
  expect(await violations(database.ctx)).toEqual([])
})

test('two tabs: one cancels while the other adds, removes and pays, and every unit is in one place', async () => {
  for (let round = 0; round < 10; round += 1) {
    const accountId = await shopper()
    await add(accountId, PACK, 1, '12345')
    await add(accountId, PACK, 1, '54321')
    const { publicId } = await place(accountId)
    await add(accountId, PACK, 1, '99999')
    const [other] = await lines(accountId)
    await Promise.all([
      cancelOrder(database.ctx, accountId, publicId),
      add(accountId, PACK, 1, '54321'),
      place(accountId, [present(other, 'a line').publicId]),
    ])
    const [second] = await listCartOrders(database.ctx.db, accountId)
    const ordered = await database.ctx.db
      .selectFrom('order_line')
      .select('quantity')
      .where('order_id', '=', present(second, 'the order of the other tab'))
      .execute()
    expect(ordered).toEqual([{ quantity: 1 }])
    expect((await shown(accountId)).toSorted()).toEqual([
      [PACK, 1, '12345'],
      [PACK, 2, '54321'],
    ])
  }
})

test('a full cart stays one with what is being paid, and takes it back', async () => {
  const accountId = await shopper()
  for (let index = 0; index < LINES_MAX; index += 1)
    await add(accountId, PACK, 1, String(10_000 + index))
  const chosen = (await lines(accountId)).slice(0, 20).map(({ publicId }) => publicId)
  const { publicId } = await place(accountId, chosen)
  expect(await refused(add(accountId, PACK, 1, '99999'))).toMatchObject({
    code: 'cart_full',
    params: { held: 'yes' },
  })
  await cancelOrder(database.ctx, accountId, publicId)
  const back = await lines(accountId)
  expect(back).toHaveLength(LINES_MAX)
  expect(await refused(add(accountId, PACK, 1, '99999'))).toMatchObject({
    code: 'cart_full',
    params: { held: 'no' },
  })
  // There is room again once something has been taken out, or paid.
  await removeLines(database.ctx, accountId, [present(back[0], 'a line').publicId])
  await add(accountId, PACK, 1, '99999')
})

test('the database knows a line by its account fields as the program does', async () => {
  const fields = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,12}$/),
    fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.includes('\0')),
    { maxKeys: 6 },
  )
  await fc.assert(
    fc.asyncProperty(fields, async (each) => {
      const { rows } = await sql<{
        hash: string
      }>`select encode(cart_fields_hash(${JSON.stringify(each)}::jsonb), 'hex') as hash`.execute(
        database.ctx.db,
      )
      expect(rows[0]?.hash).toBe(sha256(lineText(each, null)).toString('hex'))
    }),
    { numRuns: 200 },
  )
  const odd = { a: '"\\\b\f\n\r\t\u0001\u001f\u007f/\u2028<é😀' }
  const { rows } = await sql<{
    hash: Buffer
  }>`select cart_fields_hash(${JSON.stringify(odd)}::jsonb) as hash`.execute(database.ctx.db)
  expect(rows[0]?.hash).toEqual(sha256(lineText(odd, null)))
})
