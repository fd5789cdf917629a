import { beforeAll, beforeEach, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  acceptLanguage: 'de-DE,de;q=0.9',
}
const LEVELS = {
  1: { off_basis_points: 0, name: { en: 'Silver' } },
  2: { off_basis_points: 1_000, name: { en: 'Gold', id: 'Emas' } },
  3: { off_basis_points: 1_000 },
}
let shop: ShopSnapshot
let calls: PersonalCalls

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await database.ctx.db
    .insertInto('setting')
    .values({ key: 'prices', value: JSON.stringify({ levels: LEVELS }) })
    .execute()
  calls = createPersonalCalls({ ctx: database.ctx, snapshot: () => shop, services: testServices })
})

beforeEach(async () => {
  shop = await loadSnapshot(database.ctx.db, 1)
})

/** Somebody signed in, of a level. */
async function shopper(level: number): Promise<string> {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  await ctx.db.updateTable('account').set({ role_id: level }).where('id', '=', accountId).execute()
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return `${sessionCookieName(true)}=${token}`
}

interface Prices {
  readonly level: number
  readonly level_name: string
  readonly title: string
  readonly list: readonly {
    readonly item: string
    readonly price: { readonly minor: string } | null
    readonly market_price: { readonly minor: string } | null
    readonly discount: number
    readonly unit_price: string | null
  }[]
}

async function prices(
  cookieHeader: string | undefined,
  code: string,
  more: Record<string, string> = {},
) {
  const { status, envelope } = await calls.run({
    method: 'GET',
    path: 'goods/prices',
    params: new URLSearchParams({ lang: 'en', currency_code: 'USD', code, ...more }),
    cookieHeader,
    visitor,
  })
  return { status, data: envelope.data as Prices }
}

const minorOf = ({ list }: Prices, item: string) =>
  list.find((each) => each.item === item)?.price?.minor

test('a level has its share off every item, and its own price where one is set', async () => {
  const gold = await shopper(2)
  const { data } = await prices(gold, 'vapour-us')
  const retail = shop.catalogue.productByCode.get('vapour-us')?.items ?? []
  expect(data).toMatchObject({ level: 2, level_name: 'Gold', title: 'Your price, Gold' })
  expect(data.list.map(({ item }) => item)).toEqual(retail.map(({ code }) => code))
  for (const item of retail)
    expect(minorOf(data, item.code)).toBe(String((item.priceMinor * 90n) / 100n))

  const { data: silver } = await prices(await shopper(1), 'vapour-us')
  expect(silver.list.map(({ item, price }) => [item, price?.minor])).toEqual([
    ['card:vapour:us:10', '940'],
  ])
})

test('a level is named in the language of its shopper, in English where that has no name of its own', async () => {
  const gold = await shopper(2)
  const of = async (cookie: string, lang: string) =>
    (await prices(cookie, 'vapour-us', { lang })).data
  expect(await of(gold, 'id')).toMatchObject({ level_name: 'Emas', title: 'Harga kamu, Emas' })
  expect(await of(gold, 'de')).toMatchObject({ level_name: 'Gold', title: 'Dein Preis, Gold' })
  expect(await of(await shopper(3), 'de')).toMatchObject({ level_name: '', title: 'Dein Preis' })
})

test('whoever has no level gets no prices of one, and whoever is not signed in no answer', async () => {
  const { data } = await prices(await shopper(0), 'vapour-us')
  expect(data).toMatchObject({ level: 0, list: [] })
  expect((await prices(undefined, 'vapour-us')).status).toBe(401)
  expect((await prices(await shopper(2), 'nothing-here')).status).toBe(404)
})

async function tiles(cookieHeader: string | undefined, codes: string) {
  const { status, envelope } = await calls.run({
    method: 'GET',
    path: 'goods/tile_prices',
    params: new URLSearchParams({ lang: 'en', currency_code: 'USD', codes }),
    cookieHeader,
    visitor,
  })
  const data = envelope.data as TilePrices | null
  return { status, list: data?.list ?? [], code: envelope.code }
}
interface TilePrices {
  readonly list: readonly {
    readonly code: string
    readonly price: { readonly minor: string } | null
    readonly discount: number
  }[]
}

test('tiles are told the lowest price of the level, of what is in stock, and nothing that all see', async () => {
  const gold = await shopper(2)
  const { list } = await tiles(gold, 'vapour-us,dragon-quarry-global,nothing-here,vapour-us')
  const lowest = (code: string) =>
    shop.catalogue.productByCode
      .get(code)
      ?.items.filter(({ stock, free }) => stock !== 0 && free === null)
      .map(({ priceMinor }) => (priceMinor * 90n) / 100n)
      .toSorted((a, b) => (a < b ? -1 : 1))[0]
  for (const { code, price } of list) expect(price?.minor).toBe(String(lowest(code)))
  // The shop has no key of the card.
  expect(list.map(({ code }) => code)).toEqual(['dragon-quarry-global'])
  expect((await tiles(await shopper(0), 'vapour-us')).list).toEqual([])
  expect((await tiles(undefined, 'vapour-us')).status).toBe(401)
  const many = Array.from({ length: 61 }, (_, index) => `a-${index}`).join()
  expect((await tiles(gold, many)).code).toBe(2422)
})

test('what is saved is measured at the price of the level', async () => {
  const gold = await shopper(2)
  const { data } = await prices(gold, 'vapour-us')
  for (const { price, market_price: market, discount } of data.list) {
    if (market === null) continue
    const [own, compared] = [Number(price?.minor), Number(market.minor)]
    expect(discount).toBe(Math.round(((compared - own) * 100) / compared))
  }
  const compared = data.list.filter(({ market_price: market }) => market !== null)
  const listed = shop.catalogue.productByCode
    .get('vapour-us')
    ?.items.filter(({ marketMinor }) => marketMinor !== null)
  expect(compared).toHaveLength(listed?.length ?? -1)
})

test('the cart says whose price it is, and what others pay', async () => {
  const cart = async (cookieHeader: string) => {
    const { envelope } = await calls.run({
      method: 'POST',
      path: 'cart/add',
      params: new URLSearchParams({ lang: 'en', currency_code: 'USD' }),
      body: { item: 'card:vapour:us:10', quantity: 1 },
      cookieHeader,
      visitor,
    })
    return (envelope.data as { list: Record<string, unknown>[] }).list[0]
  }
  expect(await cart(await shopper(1))).toMatchObject({
    level_text: 'Your price, Silver',
    price: { minor: '940' },
    retail_price: { minor: '950' },
  })
  expect(await cart(await shopper(0))).toMatchObject({ level_text: '', retail_price: null })
})
