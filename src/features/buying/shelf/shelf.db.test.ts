import { beforeAll, expect, test } from 'vitest'
import {
  claimKeys,
  moveKeys,
  seeKey,
  SEEN_A_DAY,
  setBatchTerms,
} from '#features/buying/vault/commands.ts'
import { findByCode } from '#features/buying/vault/flows.ts'
import { listKeys } from '#features/buying/vault/queries.ts'
import { countStock, recountStock } from '#features/goods/stock/commands.ts'
import { tellOfLooks } from '#features/office/alert/commands.ts'
import { createFirstOwner } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import { transaction } from '#platform/ctx.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  testVault,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { setLowDays, writeShelves } from './commands.ts'
import { followShelves } from './jobs.ts'
import { getShelf, listShelfBatches, listShelves, sumShelves } from './queries.ts'

const database = useDatabase()
const owner = () => asOperator(database.ctx)

beforeAll(() => addCurrencies(database.ctx))

const count = async () => {
  await countStock(database.ctx)
  await writeShelves(database.ctx)
}
const shelfOf = (item: TestItem) =>
  getShelf(database.ctx.db, { now: database.ctx.now(), language: 'en' }, item.code)
const batchesOf = (item: TestItem) => listShelfBatches(database.ctx.db, item.code, null, 10)
const batchOf = async (item: TestItem) => present((await batchesOf(item))[0], 'batch')
const keysOf = (batch: string, status: 'free' | 'quarantined' | 'void') =>
  listKeys(database.ctx.db, { batch, status, after: null, limit: 100 })

/** So many of an item's keys are delivered to somebody. */
async function sell(item: TestItem, quantity: number) {
  const { ctx } = database
  const order = await buy(ctx, [{ item, quantity }])
  const units = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', order.id)
    .execute()
  const ids = units.map(({ id }) => id)
  await transaction(ctx, (tx) => claimKeys(tx, ctx, item.id, ids))
  await ctx.db
    .updateTable('card_key')
    .set({ status: 'delivered', delivered_at: ctx.now() })
    .where('unit_id', 'in', ids)
    .execute()
  return order
}

test('a shelf tells what is free, reserved and sold, how long it lasts and what it cost', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  expect(await shelfOf(item)).toMatchObject({ free: 0, version: 0 })
  await stock(ctx, item, 'A', 20)
  await sell(item, 4)
  const order = await buy(ctx, [{ item, quantity: 1 }])
  const { id: unit } = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await transaction(ctx, (tx) => claimKeys(tx, ctx, item.id, [unit]))
  await count()
  const batch = await batchOf(item)
  const none = { supplier: null, cost: null }
  const bought = { supplier: 'K-Hub US', cost: { minor: 905n, currency: 'USD' } }
  await setBatchTerms(owner(), batch.id, { was: none, is: bought })
  expect(await shelfOf(item)).toMatchObject({
    free: 15,
    reserved: 1,
    sold: 4,
    coverHours: 90,
    isLow: false,
    values: [{ currency: 'USD', minor: 16n * 905n }],
    withoutCost: 0,
  })
  expect(await batchOf(item)).toMatchObject({ ...bought, free: 15, reserved: 1, sold: 4, void: 0 })
  // Who still had the page without the cost overwrites nothing.
  const other = { supplier: null, cost: { minor: 1n, currency: 'USD' } }
  const late = setBatchTerms(owner(), batch.id, { was: none, is: other })
  expect((await refused(late)).code).toBe('changed_meanwhile')
  const unknown = { supplier: null, cost: { minor: 1n, currency: 'XXX' } }
  expect(
    await refused(setBatchTerms(owner(), batch.id, { was: bought, is: unknown })),
  ).toMatchObject({ fields: { cost_currency: 'not_allowed' } })
})

test('what is counted by changes is what counting every key anew finds', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'C', 8)
  await stock(ctx, item, 'D', 3)
  await sell(item, 2)
  const batch = await batchOf(item)
  await moveKeys(owner(), 'quarantine', { batch: batch.id }, 'odd')
  const [first] = await keysOf(batch.id, 'quarantined')
  await moveKeys(owner(), 'void', { keys: [present(first, 'key').id] }, 'used')
  await count()
  const before = [await shelfOf(item), await batchesOf(item)]
  await recountStock(ctx)
  await writeShelves(ctx)
  expect([await shelfOf(item), await batchesOf(item)]).toEqual(before)
  await ctx.db.deleteFrom('key_batch_level').execute()
  await ctx.db.deleteFrom('key_sale_day').execute()
  await followShelves(ctx)
  expect([await shelfOf(item), await batchesOf(item)]).toEqual(before)
})

test('shelves come with the shortest cover first, a page at a time, and low ones apart', async () => {
  const { ctx } = database
  const [empty, busy, calm] = [await addItem(ctx), await addItem(ctx), await addItem(ctx)]
  await stock(ctx, busy, 'E', 10)
  await sell(busy, 8)
  await stock(ctx, calm, 'F', 3)
  await count()
  const page = async (view: 'all' | 'low', after: { coverHours: number; item: string } | null) =>
    listShelves(ctx.db, ctx.now(), { view, search: undefined, after, limit: 1, language: 'en' })
  const walked: string[] = []
  for (let after: Parameters<typeof page>[1] = null; ; ) {
    const [shelf] = await page('all', after)
    if (!shelf) break
    walked.push(shelf.itemCode)
    after = { coverHours: shelf.coverHours ?? 8_760_000, item: shelf.item }
  }
  const mine = walked.filter((code) => [empty, busy, calm].some((item) => item.code === code))
  expect(mine).toEqual([empty.code, busy.code, calm.code])
  expect(new Set(walked).size).toBe(walked.length)
  const found = await listShelves(ctx.db, ctx.now(), {
    view: 'low',
    search: busy.brand.toUpperCase(),
    after: null,
    limit: 10,
    language: 'en',
  })
  expect(found.map(({ itemCode }) => itemCode)).toEqual([busy.code])
  const [shelf] = found
  await setLowDays(owner(), { itemCode: busy.code, lowDays: 0, version: shelf?.version ?? 0 })
  expect(await shelfOf(busy)).toMatchObject({ isLow: false, lowDays: 0, version: 1 })
  const late = setLowDays(owner(), { itemCode: busy.code, lowDays: 9, version: 0 })
  expect((await refused(late)).code).toBe('changed_meanwhile')
  expect((await sumShelves(ctx.db)).shelves).toBe(walked.length)
})

test('a batch is kept back, put on sale again, and taken off for good, with what is being paid', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'G', 6)
  const batch = (await batchOf(item)).id
  const selection = { batch }
  expect(await moveKeys(owner(), 'quarantine', selection, 'odd')).toEqual({
    moved: 6,
    isDone: true,
  })
  expect(await keysOf(batch, 'free')).toEqual([])
  expect(await moveKeys(owner(), 'release', selection, 'fine')).toEqual({ moved: 6, isDone: true })
  const order = await buy(ctx, [{ item }])
  const { id: unit } = await ctx.db
    .selectFrom('order_unit')
    .select('id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  await transaction(ctx, (tx) => claimKeys(tx, ctx, item.id, [unit]))
  expect(await moveKeys(owner(), 'void', selection, 'stolen')).toEqual({ moved: 6, isDone: true })
  expect((await refused(moveKeys(owner(), 'release', selection, 'sorry'))).code).toBe('conflict')
  const [key] = await keysOf(batch, 'void')
  const single = { keys: [present(key, 'key').id] }
  expect(await moveKeys(owner(), 'release', single, 'sorry')).toEqual({ moved: 0, isDone: true })
  const reader = asOperator(ctx, 'rea', 'read-only')
  expect((await refused(moveKeys(reader, 'void', selection, 'x'))).params).toMatchObject({
    permission: 'key.import',
  })
})

test('a key is found by its code however it is typed, and the search keeps nothing of it', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'H', 2)
  const sold = await sell(item, 1)
  const found = await findByCode(owner(), ' h000-0000 0000 ')
  expect(found).toMatchObject([
    { itemCode: item.code, lastFour: '0000', status: 'delivered', orderNumber: sold.number },
  ])
  expect(await findByCode(owner(), 'H99999999999')).toEqual([])
  const trail = await ctx.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(trail)).not.toMatch(/h0{3}|H0{3}/)
})

test('a code is seen so often a day, each look written down without what it says', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'I', 1)
  const [key] = await keysOf((await batchOf(item)).id, 'free')
  const look = { key: present(key, 'key').id, reason: 'claim', network: '203.0.113.0/24' }
  const sam = asOperator(ctx, 'sam')
  expect(await seeKey(sam, testVault, look)).toEqual({ code: 'I00000000000' })
  const rest = await Promise.allSettled(
    Array.from({ length: SEEN_A_DAY }, () => seeKey(sam, testVault, look)),
  )
  expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(SEEN_A_DAY - 1)
  expect((await refused(seeKey(sam, testVault, look))).code).toBe('too_many_requests')
  const { now } = minutesLater(ctx, 24 * 60 + 1)
  expect(await seeKey({ ...sam, now }, testVault, look)).toEqual({ code: 'I00000000000' })
  const stranger = asOperator(ctx, 'bao', 'catalogue')
  expect((await refused(seeKey(stranger, testVault, look))).params).toMatchObject({
    permission: 'key.see',
  })
  const seen = await ctx.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'key_seen')
    .execute()
  expect(seen).toHaveLength(SEEN_A_DAY + 1)
  expect(JSON.stringify(seen)).not.toContain('I00000000000')
  const looks = await ctx.db
    .selectFrom('key_access')
    .selectAll()
    .where('key_id', '=', look.key)
    .execute()
  expect(looks).toHaveLength(SEEN_A_DAY + 1)
})

test('owners are told once a day that codes were looked at, and nothing of them', async () => {
  const { ctx } = database
  const mara = await createFirstOwner(ctx, { name: 'mara', password: 'correct horse battery' })
  await ctx.db
    .updateTable('operator')
    .set({ email: 'mara@shop.example' })
    .where('id', '=', mara.id)
    .execute()
  const item = await addItem(ctx)
  await stock(ctx, item, 'Z', 1)
  const [key] = await keysOf((await batchOf(item)).id, 'free')
  const look = { key: present(key, 'key').id, reason: 'claim', network: '203.0.113.0/24' }
  await seeKey(asOperator(ctx, 'lou'), testVault, look)
  expect(await tellOfLooks(ctx)).toBe(0)
  const { now } = minutesLater(ctx, 24 * 60)
  expect(await tellOfLooks({ ...ctx, now })).toBe(1)
  const mail = await ctx.db
    .selectFrom('outgoing_mail')
    .selectAll()
    .where('recipient', '=', 'mara@shop.example')
    .executeTakeFirstOrThrow()
  expect(mail.params).toMatchObject({ alert: { matters: [{ label: 'keys_seen' }] } })
  expect(JSON.stringify(mail)).not.toContain('Z0000')
})
