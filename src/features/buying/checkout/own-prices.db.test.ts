import { expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { goodsItem } from '#features/goods/browse/view/detail.ts'
import { recountStock } from '#features/goods/stock/commands.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { exportCatalogue } from '#features/goods/transfer/flows.ts'
import { present } from '#kernel/assert.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { stock, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { somebody } from '../../../../test/support/people.ts'
import { findItem, listOffers } from '../offer/queries.ts'
import { placeOrder } from './commands.ts'

/** A denomination of 20 USD at 19.00, with 2,800 yen of its own; converted it is 2,931, as the margin is 1.5 %. */
const CODE = 'card:vapour:us:20'
const BRAND = 'brands/gift_card/vapour.json'
const database = useDatabase()
let shop: ShopSnapshot

function catalogueWith(prices: Readonly<Record<string, string>>) {
  const goods = smallCatalogue()
  const item = goods[BRAND].products[0]?.items[1]
  Object.assign(present(item, 'an item'), { prices })
  return goods
}

const currencyOf = (code: string) => present(shop.currencyByCode.get(code), code)
const found = () => present(findItem(shop, CODE), CODE)
const shown = (code: string) => {
  const view = { shop, language: 'en', currency: currencyOf(code), t: translatorOf('en') } as const
  return goodsItem(view, found().product, found().item)
}

test('a catalogue brings prices of its own', async () => {
  const report = await importCatalogue(database.ctx, writeFolder(catalogueWith({ JPY: '2800' })))
  expect(report.faults).toEqual([])
  await stock(
    database.ctx,
    { id: '', code: CODE, brand: 'vapour', product: 'vapour-us' },
    'KEYSA',
    3,
  )
  await recountStock(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
})

test('a price of its own is shown in its currency, beside what it is compared with; others see the price converted', () => {
  expect(shown('JPY')).toMatchObject({
    price: { minor: '2800', currency: 'JPY' },
    market_price: { minor: '3086' },
    discount: 9,
  })
  expect(shown('USD')).toMatchObject({ price: { minor: '1900' }, discount: 5 })
})

test('an order takes what was shown', async () => {
  const { ctx } = database
  const offers = await listOffers(ctx.db, { shop, currency: currencyOf('JPY'), roleId: 0 }, [
    { item: CODE },
  ])
  expect(offers.get(CODE)).toMatchObject({ priceMinor: 2_800n, baseCurrency: 'JPY' })
  const { accountId } = await somebody(ctx, { withPassword: false })
  const placed = await placeOrder(
    ctx,
    {
      shop,
      person: { accountId, roleId: 0 },
      visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
      chosenCountry: null,
      language: 'en',
      currency: currencyOf('JPY'),
      idempotencyKey: null,
      isForm: false,
    },
    { lines: [{ item: CODE, quantity: 2, fields: {} }] },
  )
  const line = await ctx.db
    .selectFrom('order_line as l')
    .innerJoin('shop_order as o', 'o.id', 'l.order_id')
    .select(['l.price_minor', 'l.base_minor', 'l.base_currency', 'o.currency', 'o.total_minor'])
    .where('o.number', '=', placed.number)
    .executeTakeFirstOrThrow()
  expect(line).toEqual({
    price_minor: '2800',
    base_minor: '2800',
    base_currency: 'JPY',
    currency: 'JPY',
    total_minor: '5600',
  })
  expect(await violations(ctx)).toEqual([])
})

test('nothing is ordered that costs more than somebody agreed to', async () => {
  const { ctx } = database
  const { accountId } = await somebody(ctx, { withPassword: false })
  const order = (totalMax: bigint) =>
    placeOrder(
      ctx,
      {
        shop,
        person: { accountId, roleId: 0 },
        visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
        chosenCountry: null,
        language: 'en',
        currency: currencyOf('JPY'),
        idempotencyKey: null,
        isForm: false,
        totalMax,
      },
      { lines: [{ item: CODE, quantity: 2, fields: {} }] },
    )
  await expect(order(5_599n)).rejects.toMatchObject({ code: 'price_changed' })
  expect(
    await ctx.db.selectFrom('shop_order').where('account_id', '=', accountId).execute(),
  ).toEqual([])
  expect((await order(5_600n)).number).toBeTruthy()
})

test('prices of its own survive export and import, change with the folder, and go with it', async () => {
  const { ctx } = database
  const folder = temporaryFolder()
  await exportCatalogue(ctx, folder)
  const again = await importCatalogue(ctx, folder)
  expect([again.faults, again.changeCount]).toEqual([[], 0])
  const without = await importCatalogue(ctx, writeFolder(smallCatalogue()))
  expect(without.changes.get('item')).toMatchObject({ updated: 1 })
  shop = await loadSnapshot(ctx.db, 2)
  expect(shown('JPY').price?.minor).toBe('2931')
})

test.each([
  [{ EUR: '9' }, 'prices.EUR: there is no currency EUR'],
  [{ USD: '18' }, 'prices.USD: the price itself is in this currency'],
  [{ JPY: '0' }, 'prices.JPY: a price is above zero'],
  [{ JPY: '12.5' }, 'prices.JPY: '],
])('prices %o are refused', async (prices, fault) => {
  const { faults } = await importCatalogue(database.ctx, writeFolder(catalogueWith(prices)))
  expect(faults.map(({ path, message }) => `${path}: ${message}`).join()).toContain(fault)
})
