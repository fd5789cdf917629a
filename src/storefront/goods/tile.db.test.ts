import { beforeAll, expect, test } from 'vitest'
import { followStock, loadSnapshot, placesOf } from '#features/goods/browse/snapshot.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { present } from '#kernel/assert.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { importSmallCatalogue } from '../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { goodsTile } from './tile.ts'

const database = useDatabase()
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
})

const view = (language: LanguageCode, code = 'USD', of = shop) => ({
  shop: of,
  language,
  currency: present(of.currencyByCode.get(code), code),
  t: translatorOf(language),
})
const vapour = (of = shop) => present(of.catalogue.productByCode.get('vapour-us'), 'vapour-us')

test('a tile is made once for a language and a currency, and says the same as one made anew', () => {
  const tile = goodsTile(view('en'), vapour())
  expect(goodsTile(view('en'), vapour())).toBe(tile)
  expect(goodsTile(view('en', 'USD', { ...shop }), vapour())).toEqual(tile)
  expect(goodsTile(view('de'), vapour())).not.toBe(tile)
  expect(goodsTile(view('en', 'JPY'), vapour())).not.toBe(tile)
})

test('a tile does not outlive the stock of its goods', () => {
  expect(goodsTile(view('en'), vapour()).price).toBe('Sold out')
  const levels = vapour().items.map(({ id, sold }) => ({
    item: id,
    free: 5,
    isToOrder: false,
    sold,
    updatedAt: new Date(0),
  }))
  const { snapshot } = followStock(shop, placesOf(shop.catalogue), levels)
  expect(goodsTile(view('en', 'USD', snapshot), vapour(snapshot)).price).toMatch(/^\$\d/)
})

test('more products than are remembered show right tiles all the same', () => {
  const products = Array.from({ length: 1_100 }, (_, index) => ({
    ...vapour(),
    code: `copy-${index}`,
  }))
  const paths = products.map((product) => goodsTile(view('ja'), product).path)
  expect(paths).toEqual(products.map((product) => goodsTile(view('ja'), product).path))
  expect(new Set(paths).size).toBe(products.length)
})
