import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import { listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS } from '#features/goods/browse/rules.ts'
import type { Product } from '#features/goods/catalogue/rules.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { claimKeys, releaseKeys } from '#features/buying/vault/commands.ts'
import { makeKeys, refillBusyShelves } from '#features/buying/vault/jobs.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { present } from '#kernel/assert.ts'
import { transaction } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { addCurrencies, addItem, buy, stock, testVault } from '../../../../test/support/buying.ts'
import { smallCatalogue, writeFolder } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { countStock, recountStock } from './commands.ts'
import { listRecentSales } from './queries.ts'

const database = useDatabase()
const SOON = { timeout: 60_000, interval: 20 }

beforeAll(() => addCurrencies(database.ctx))

const levelOf = async (item: string) => {
  const row = await database.ctx.db
    .selectFrom('stock_level')
    .select(['free', 'sold'])
    .where('item', '=', item)
    .executeTakeFirst()
  return row && { free: Number(row.free), sold: Number(row.sold) }
}

test('a sale that is added up meanwhile has everything counted once more', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'M', 2)
  const recounted = await transaction(ctx, async (tx) => {
    await sql`delete from stock_change`.execute(tx)
    const running = recountStock(ctx)
    await vi.waitFor(async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
        ctx.db,
      )
      expect(rows[0]?.waits).toBe(true)
    }, SOON)
    return { running }
  })
  await recounted.running
  expect(await levelOf(item.id)).toEqual({ free: 2, sold: 0 })
})

test('levels follow what comes, is reserved, given back, delivered and void', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'S', 5)
  await countStock(ctx)
  expect(await levelOf(item.id)).toEqual({ free: 5, sold: 0 })
  const order = await buy(ctx, [{ item, quantity: 2 }])
  const units = (
    await ctx.db.selectFrom('order_unit').select('id').where('order_id', '=', order.id).execute()
  ).map(({ id }) => id)
  await transaction(ctx, (tx) => claimKeys(tx, ctx, item.id, units))
  await countStock(ctx)
  expect(await levelOf(item.id)).toEqual({ free: 3, sold: 0 })
  await ctx.db
    .updateTable('card_key')
    .set({ status: 'delivered', delivered_at: ctx.now() })
    .where('unit_id', '=', units[0] ?? '')
    .execute()
  await transaction(ctx, (tx) => releaseKeys(tx, units))
  await countStock(ctx)
  expect(await levelOf(item.id)).toEqual({ free: 4, sold: 1 })
  await ctx.db.updateTable('card_key').set({ status: 'void' }).where('item', '=', item.id).execute()
  await countStock(ctx)
  expect(await levelOf(item.id)).toEqual({ free: 0, sold: 0 })
  expect(await countStock(ctx)).toMatchObject({ changed: 0, fallen: [] })
})

test('counting anew finds the same, but for keys that have expired', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'E', 4)
  await countStock(ctx)
  expect(await recountStock(ctx)).toBe(0)
  await ctx.db
    .updateTable('card_key')
    .set({ expires_on: '2026-01-01' })
    .where('item', '=', item.id)
    .where('fingerprint', 'in', ({ selectFrom }) =>
      selectFrom('card_key').select('fingerprint').where('item', '=', item.id).limit(1),
    )
    .execute()
  expect(await recountStock(ctx)).toBe(1)
  expect(await levelOf(item.id)).toEqual({ free: 3, sold: 0 })
})

test('several who count at once count each change once', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await Promise.all(
    [...'ABCDEFGH'].flatMap((letter) => [stock(ctx, item, letter, 3), countStock(ctx)]),
  )
  await countStock(ctx)
  expect(await levelOf(item.id)).toEqual({ free: 24, sold: 0 })
})

test('a card without keys is sold out, and comes back with them, while the snapshot stays the same but for what changed', async () => {
  const { ctx, url } = database
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
  const told: Product[][] = []
  let changes = 0
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: url,
    log: ctx.log,
    stockPauseMs: 50,
    onChange: () => (changes += 1),
    onStock: (products) => told.push([...products]),
  })
  try {
    const first = holder.current()
    const card = present(
      first.catalogue.products.find(({ brand }) => brand.code === 'vapour'),
      'a card',
    )
    const codes = () =>
      listProducts(
        holder.current(),
        { ...ALL_GOODS, inStock: true },
        'en',
        present(first.currencyByCode.get('USD'), 'USD'),
      ).list.map(({ code }) => code)
    expect(card.items.every((item) => item.stock === 0)).toBe(true)
    expect(codes()).not.toContain(card.code)

    const item = present(card.items[0], 'an item')
    const stockable = present(await findStockable(ctx.db, item.code), 'stockable')
    await makeKeys(ctx, testVault, [{ ...stockable, count: 40 }])
    await countStock(ctx)
    await vi.waitFor(() => expect(codes()).toContain(card.code), SOON)
    expect(changes).toBe(1)
    expect(holder.current().productSearch).toBe(first.productSearch)
    expect(holder.current().catalogue).toBe(first.catalogue)
    expect(item.stock).toBe(40)

    await ctx.db
      .updateTable('card_key')
      .set({ status: 'void' })
      .where('item', '=', item.id)
      .where('pick', '>', ({ selectFrom }) =>
        selectFrom('card_key')
          .select('pick')
          .where('item', '=', item.id)
          .orderBy('pick')
          .offset(9)
          .limit(1),
      )
      .execute()
    await countStock(ctx)
    await vi.waitFor(() => expect(item.stock).toBe(10), SOON)
    expect(told).toEqual([[card]])
    expect(changes).toBe(1)

    await ctx.db
      .updateTable('card_key')
      .set({ status: 'void' })
      .where('item', '=', item.id)
      .execute()
    await countStock(ctx)
    await vi.waitFor(() => expect(codes()).not.toContain(card.code), SOON)
    expect(changes).toBe(2)
  } finally {
    await holder.close()
  }
})

test('a demo shelf that sells fast is filled again as soon as it was counted, one that is being stocked is left alone', async () => {
  const { ctx } = database
  const [busy, stocked] = [await addItem(ctx), await addItem(ctx)]
  await stock(ctx, busy, 'V', 8)
  await stock(ctx, stocked, 'W', 5)
  expect((await countStock(ctx)).fallen).toEqual([])
  await ctx.db
    .updateTable('card_key')
    .set({ status: 'void' })
    .where(
      'id',
      'in',
      ctx.db.selectFrom('card_key').select('id').where('item', '=', busy.id).limit(2),
    )
    .execute()
  const { fallen } = await countStock(ctx)
  expect(fallen).toEqual([busy.id])
  await refillBusyShelves(ctx, testVault, fallen)
  const again = await countStock(ctx)
  expect(again).toMatchObject({ changed: 1, fallen: [] })
  expect([await levelOf(busy.id), await levelOf(stocked.id)]).toMatchObject([
    { free: 66 },
    { free: 5 },
  ])
})

test('keys expire by the day in UTC, whatever the time zone of the server is', async () => {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'Z', 3)
  const noon = new Date('2026-11-22T12:00:00Z')
  await ctx.db
    .updateTable('card_key')
    .set({ expires_on: '2026-11-23' })
    .where('item', '=', item.id)
    .execute()
  await sql
    .raw(
      `alter database ${new URL(database.url).pathname.slice(1)} set timezone to 'Pacific/Kiritimati'`,
    )
    .execute(ctx.db)
  const db = openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 5_000 })
  await recountStock({ db, now: () => noon })
  expect(await levelOf(item.id)).toEqual({ free: 3, sold: 0 })
  await recountStock({ db, now: () => new Date('2026-11-23T00:00:00Z') })
  expect(await levelOf(item.id)).toEqual({ free: 0, sold: 0 })
  await db.destroy()
})

test('what was delivered within 90 days counts as sold lately, by item, and nothing else does', async () => {
  const { ctx } = database
  const [item, other] = [await addItem(ctx), await addItem(ctx)]
  const unitsOf = async (bought: typeof item, quantity: number) => {
    const order = await buy(ctx, [{ item: bought, quantity, delivery: 'direct_charge' }])
    const rows = await ctx.db
      .selectFrom('order_unit')
      .select('id')
      .where('order_id', '=', order.id)
      .execute()
    return rows.map(({ id }) => id)
  }
  const deliver = (units: readonly string[], daysAgo: number) =>
    ctx.db
      .updateTable('order_unit')
      .set({
        status: 'delivered',
        delivered_at: new Date(ctx.now().getTime() - daysAgo * 86_400_000),
      })
      .where('id', 'in', units)
      .execute()
  const units = await unitsOf(item, 5)
  await deliver(units.slice(0, 2), 1)
  await deliver(units.slice(2, 3), 89)
  await deliver(units.slice(3, 4), 91)
  await unitsOf(other, 2)
  const sales = await listRecentSales(ctx.db)
  expect([sales.get(item.id), sales.get(other.id)]).toEqual([3, undefined])
})
