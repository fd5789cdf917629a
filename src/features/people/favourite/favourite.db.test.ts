import { beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from '../../../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { productCard, type ShopView } from '#features/goods/browse/views.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { listNotices } from '#features/people/notice/queries.ts'
import { present } from '#kernel/assert.ts'
import { transaction } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { addFavourite, eraseFavourite, removeFavourite } from './commands.ts'
import { watchFavourites } from './jobs.ts'
import { collectFigures, exportFavourite } from './queries.ts'
import { FAVOURITES_MAX } from './rules.ts'
import { listFavourites } from './views.ts'

const database = useDatabase()
let shop: ShopSnapshot
let view: ShopView

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await readShop()
})

async function readShop(): Promise<void> {
  shop = await loadSnapshot(database.ctx.db, (shop?.version ?? 0) + 1)
  view = {
    shop,
    language: 'en',
    currency: shop.currencyByCode.get('USD') ?? US_DOLLAR,
    t: translatorOf('en'),
  }
}

const codes = async (account: string) =>
  (await listFavourites(database.ctx.db, view, account, { page: 1, limit: 100 })).list.map(
    (card) => card.code,
  )

describe('favourites', () => {
  test('are listed newest first, as the cards of every list, and paged', async () => {
    const { ctx } = database
    const account = await addAccount(ctx)
    let minutes = 0
    const later = { ...ctx, now: () => new Date(Date.UTC(2026, 10, 20, 10, (minutes += 1))) }
    for (const code of ['vapour-us', 'us-bell', 'dragon-quarry-global'])
      await addFavourite(later, shop, account, code)
    await addFavourite(later, shop, account, 'vapour-us')
    expect(await codes(account)).toEqual(['dragon-quarry-global', 'us-bell', 'vapour-us'])
    const second = await listFavourites(ctx.db, view, account, { page: 2, limit: 2 })
    expect(second).toEqual({
      list: [productCard(view, present(shop.catalogue.productByCode.get('vapour-us'), 'product'))],
      total: 3,
      page: 2,
      limit: 2,
      pages: 2,
    })
    expect((await listFavourites(ctx.db, view, account, { page: 99, limit: 20 })).list).toEqual([])
    expect(await codes(await addAccount(ctx)), 'of somebody else').toEqual([])
  })

  test('what the shop does not sell cannot be one', async () => {
    const account = await addAccount(database.ctx)
    for (const code of ['nothing', '', '__proto__', "x' or 1=1", '\0']) {
      await expect(addFavourite(database.ctx, shop, account, code)).rejects.toMatchObject({
        code: 'not_found',
      })
      await removeFavourite(database.ctx, shop, account, code)
    }
  })

  test('the figures are how many are on sale and the largest discount among them', async () => {
    const { ctx } = database
    const account = await addAccount(ctx)
    expect(await collectFigures(ctx.db, shop, account)).toEqual({
      collect_num: 0,
      collect_max_discount: 0,
    })
    await addFavourite(ctx, shop, account, 'us-bell')
    expect(await collectFigures(ctx.db, shop, account)).toEqual({
      collect_num: 1,
      collect_max_discount: 0,
    })
    await addFavourite(ctx, shop, account, 'vapour-us')
    expect(await collectFigures(ctx.db, shop, account)).toEqual({
      collect_num: 2,
      collect_max_discount: 5,
    })
    await removeFavourite(ctx, shop, account, 'us-bell')
    await removeFavourite(ctx, shop, account, 'us-bell')
    expect(await codes(account)).toEqual(['vapour-us'])
  })

  test('what is withdrawn is kept but not shown, and can be removed', async () => {
    const { ctx } = database
    const account = await addAccount(ctx)
    await addFavourite(ctx, shop, account, 'us-bell')
    await ctx.db
      .updateTable('product')
      .set({ status: 'suspended' })
      .where('code', '=', 'us-bell')
      .execute()
    await readShop()
    expect(await codes(account)).toEqual([])
    expect(await collectFigures(ctx.db, shop, account)).toEqual({
      collect_num: 0,
      collect_max_discount: 0,
    })
    await expect(addFavourite(ctx, shop, account, 'us-bell')).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await exportFavourite(ctx.db, account)).toHaveLength(1)
    await removeFavourite(ctx, shop, account, 'us-bell')
    expect(await exportFavourite(ctx.db, account)).toEqual([])
    await ctx.db
      .updateTable('product')
      .set({ status: 'active' })
      .where('code', '=', 'us-bell')
      .execute()
    await readShop()
  })

  test('a hundred additions at once give one row, and the limit holds however they come', async () => {
    const { ctx } = database
    const account = await addAccount(ctx)
    await Promise.all(
      Array.from({ length: 100 }, () => addFavourite(ctx, shop, account, 'vapour-us')),
    )
    expect(await exportFavourite(ctx.db, account)).toHaveLength(1)
    await fillTo(account, FAVOURITES_MAX - 1)
    const results = await Promise.allSettled(
      ['us-bell', 'dragon-quarry-global'].map((code) => addFavourite(ctx, shop, account, code)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'check_fields', fields: [{ field: 'code', reason: 'too_many' }] },
    })
    await addFavourite(ctx, shop, account, 'vapour-us')
    expect(await exportFavourite(ctx.db, account)).toHaveLength(FAVOURITES_MAX)
  })

  test('nothing is added to an account that is going, and erasing leaves nothing', async () => {
    const { ctx } = database
    const leaving = await addAccount(ctx, { status: 'cancelling' })
    await expect(addFavourite(ctx, shop, leaving, 'vapour-us')).rejects.toMatchObject({
      code: 'unauthorised',
    })
    const account = await addAccount(ctx)
    await addFavourite(ctx, shop, account, 'vapour-us')
    await transaction(ctx, (tx) => eraseFavourite(tx, account))
    expect(await exportFavourite(ctx.db, account)).toEqual([])
  })
})

/** Favourites of products that exist but are of no interest otherwise. */
async function fillTo(account: string, count: number): Promise<void> {
  const { db } = database.ctx
  const has = (await exportFavourite(db, account)).length
  const names = Array.from({ length: count - has }, (_, index) => `filler-${index}`)
  await db
    .insertInto('region')
    .values(names.map((code, position) => ({ code, name: code, position })))
    .execute()
  await db
    .insertInto('product')
    .values(
      names.map((code, position) => ({
        code,
        brand: 'vapour',
        region: code,
        position,
        status: 'suspended',
        source: 'test',
      })),
    )
    .execute()
  await db
    .insertInto('favourite')
    .values(names.map((product) => ({ account_id: account, product, created_at: new Date(0) })))
    .execute()
}

describe('the watch on prices', () => {
  const told = async (account: string) =>
    (await listNotices(database.ctx.db, account, 1, 100)).notices.map(({ kind, params }) => ({
      kind,
      params,
    }))
  const setPrice = (minor: string) =>
    database.ctx.db
      .updateTable('item')
      .set({ price_minor: minor, market_minor: '2000' })
      .where('product', '=', 'vapour-us')
      .execute()

  test('tells once when a discount begins or grows, never when it shrinks', async () => {
    const { ctx } = database
    await setPrice('2000')
    await readShop()
    const [early, late, other] = [
      await addAccount(ctx),
      await addAccount(ctx),
      await addAccount(ctx),
    ]
    await addFavourite(ctx, shop, early, 'vapour-us')
    await addFavourite(ctx, shop, other, 'us-bell')
    await watchFavourites(ctx)
    expect(await told(early), 'nothing has changed').toEqual([])

    await setPrice('1800')
    await readShop()
    await addFavourite(ctx, shop, late, 'vapour-us')
    await Promise.all([watchFavourites(ctx), watchFavourites(ctx)])
    await watchFavourites(ctx)
    const ten = {
      kind: 'price_drop',
      params: { product: 'vapour-us', name: 'Vapour Gift Card', percent: 10 },
    }
    expect(await told(early)).toEqual([ten])
    expect(await told(late), 'they saw it when they chose it').toEqual([])
    expect(await told(other)).toEqual([])

    await setPrice('1900')
    await watchFavourites(ctx)
    expect(await told(early)).toEqual([ten])
    await setPrice('1700')
    await watchFavourites(ctx)
    expect(await told(early)).toEqual([{ ...ten, params: { ...ten.params, percent: 15 } }, ten])
    expect(await told(late)).toHaveLength(1)
  })
})
