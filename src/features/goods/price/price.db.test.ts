import { beforeAll, expect, test } from 'vitest'
import { holdSnapshot } from '#features/goods/browse/flows.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { goodsItem } from '#features/goods/browse/view/detail.ts'
import { convertMinor } from '#features/goods/currency/rules.ts'
import { listOffers } from '#features/buying/offer/queries.ts'
import { placeOrder } from '#features/buying/checkout/commands.ts'
import { recountStock } from '#features/goods/stock/commands.ts'
import { setCustomerLevel } from '#features/people/account/commands.ts'
import { offerDemoGoods, setOffers } from '#features/supply/routing/commands.ts'
import { present } from '#kernel/assert.ts'
import { isAppError } from '#kernel/error.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { stock } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { useDemoDatabase } from '../../../../test/support/demo-database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { somebody } from '../../../../test/support/people.ts'
import { addRule, endRule, setOwnPrice } from './commands.ts'
import { priceOf } from './engine/chain.ts'
import { explainPrice, listRules, listWithheld } from './queries.ts'
import { storedSteps } from './rules.ts'

const CODE = 'card:vapour:us:20'
const EVERYTHING = {
  brand: null,
  supplier: null,
  region: null,
  currency: null,
  validFrom: null,
}
const database = useDatabase()
const demo = useDemoDatabase()

const load = () => loadSnapshot(database.ctx.db, 1)
const owner = () => asOperator(database.ctx)
const idOf = async (code: string) =>
  (
    await database.ctx.db
      .selectFrom('item')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).id
async function setTerms(value: unknown): Promise<void> {
  const row = { key: 'prices', value: JSON.stringify(value) }
  await database.ctx.db
    .insertInto('setting')
    .values(row)
    .onConflict((on) => on.column('key').doUpdateSet({ value: row.value }))
    .execute()
}
async function offer(minor: bigint, code = CODE): Promise<void> {
  const { ctx } = database
  await setOffers(ctx, [
    {
      item: await idOf(code),
      supplier: 'hook',
      priority: 0,
      kind: 'topup',
      product: code,
      face: null,
      cost: { minor, currency: 'USD' },
      fields: {},
    },
  ])
}
async function offered(currency = 'USD', roleId = 0) {
  const shop = await load()
  const query = { shop, currency: present(shop.currencyByCode.get(currency), currency), roleId }
  return present((await listOffers(database.ctx.db, query, [{ item: CODE }])).get(CODE), CODE)
}

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await database.ctx.db
    .insertInto('supplier')
    .values({ code: 'hook', created_at: new Date() })
    .execute()
  await stock(
    database.ctx,
    { id: '', code: CODE, brand: 'vapour', product: 'vapour-us' },
    'KEYSB',
    9,
  )
  await recountStock(database.ctx)
})

test('every price of the demo is what it was before there was a chain', async () => {
  await offerDemoGoods(demo.ctx, 'hook')
  const shop = await loadSnapshot(demo.ctx.db, 1)
  let count = 0
  for (const { items } of shop.catalogue.products)
    for (const item of items)
      for (const currency of shop.currencies) {
        const own = item.ownPrices?.get(currency.code)
        const from = present(shop.currencyByCode.get(item.priceCurrency), item.priceCurrency)
        const before = own ?? convertMinor(item.priceMinor, from, currency)
        const { minor } = priceOf(shop.pricing, item, currency)
        if (minor !== before) expect([item.code, currency.code, minor]).toEqual([before])
        count += 1
      }
  expect(count).toBeGreaterThan(50_000)
})

test('with a rule, prices follow a cost on pages and at the order, and end with it', async () => {
  expect((await offered()).priceMinor).toBe(1_900n)
  await offer(1_500n)
  expect((await offered()).priceMinor).toBe(1_900n)
  const id = await addRule(owner(), { ...EVERYTHING, brand: 'vapour', basisPoints: 1_000 })
  expect(await offered()).toMatchObject({ priceMinor: 1_650n, baseMinor: 1_500n })
  await offer(1_600n)
  const shop = await load()
  const view = {
    shop,
    language: 'en',
    currency: present(shop.currencyByCode.get('USD'), 'USD'),
    t: translatorOf('en'),
  } as const
  const { product, item } = await offered()
  expect(goodsItem(view, product, item)).toMatchObject({
    price: { minor: '1760' },
    market_price: { minor: '2000' },
    discount: 12,
  })
  await endRule(owner(), id)
  expect((await offered()).priceMinor).toBe(1_900n)
  await expect(endRule(owner(), id)).rejects.toThrow('not_found')
})

test('a rule is never changed or taken away, nor is what prices were made of', async () => {
  const { db } = database.ctx
  await addRule(owner(), { ...EVERYTHING, brand: 'vapour', basisPoints: 1_000 })
  await expect(db.updateTable('margin_rule').set({ basis_points: 1 }).execute()).rejects.toThrow(
    'a margin rule ends',
  )
  await expect(db.deleteFrom('margin_rule').execute()).rejects.toThrow('a margin rule ends')
  await expect(db.deleteFrom('price_input').execute()).rejects.toThrow('append-only')
  for (const rule of await listRules(db)) await endRule(owner(), rule.id)
  // A brand that is renamed takes its rules along, be they over.
  await db.updateTable('brand').set({ code: 'vapour-2' }).where('code', '=', 'vapour').execute()
  await db.updateTable('brand').set({ code: 'vapour' }).where('code', '=', 'vapour-2').execute()
})

test('what a rule names must be there, and it begins no earlier than now', async () => {
  const problem = async (rule: Partial<Parameters<typeof addRule>[1]>) =>
    addRule(owner(), { ...EVERYTHING, basisPoints: 1, ...rule }).catch((error: unknown) =>
      isAppError(error) ? error.fields.map(({ field }) => field) : error,
    )
  expect(await problem({ brand: 'nobody' })).toEqual(['brand'])
  expect(await problem({ supplier: 'nobody' })).toEqual(['supplier'])
  expect(await problem({ region: 'zz' })).toEqual(['region'])
  expect(await problem({ currency: 'ZZZ' })).toEqual(['currency'])
  expect(await problem({ validFrom: new Date(0) })).toEqual(['from'])
})

test('the steps stand with the order, and the price of any moment is worked out again after everything has changed', async () => {
  const { ctx } = database
  await offer(1_500n)
  const rule = await addRule(owner(), { ...EVERYTHING, basisPoints: 1_000 })
  await setTerms({
    floor: { basis_points: 100 },
    charm: { JPY: { ending_minor: 80, every_minor: 100 } },
    levels: { 2: { off_basis_points: 500 } },
  })
  const shop = await load()
  const currency = present(shop.currencyByCode.get('JPY'), 'JPY')
  const { accountId, email } = await somebody(ctx, { withPassword: false })
  await setCustomerLevel(owner(), email, 2)
  const placed = await placeOrder(
    ctx,
    {
      shop,
      person: { accountId, roleId: 2 },
      visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
      chosenCountry: null,
      language: 'en',
      currency,
      idempotencyKey: null,
      isForm: false,
    },
    { lines: [{ item: CODE, quantity: 1, fields: {} }] },
  )
  const line = await ctx.db
    .selectFrom('order_line as l')
    .innerJoin('shop_order as o', 'o.id', 'l.order_id')
    .select(['l.price_minor', 'l.price_steps'])
    .where('o.number', '=', placed.number)
    .executeTakeFirstOrThrow()
  const steps = line.price_steps as readonly { readonly kind: string }[]
  expect(steps.map(({ kind }) => kind)).toEqual([
    'cost',
    'rate',
    'margin',
    'level',
    'floor',
    'rounding',
  ])
  expect(line.price_minor).toMatch(/80$/)

  const then = shop.pricing.at
  await offer(900n)
  await endRule(owner(), rule)
  await setTerms({})
  await setOwnPrice(owner(), CODE, 'JPY', 3_333n)
  await ctx.db
    .updateTable('currency')
    .set({ margin_basis_points: 2_000, rounding_increment: 50n })
    .where('code', '=', 'JPY')
    .execute()
  await ctx.db
    .insertInto('currency_rate')
    .values({ currency: 'JPY', per_usd: '99', source: 'by-hand', observed_at: new Date() })
    .execute()
  expect((await offered('JPY')).priceMinor).toBe(3_333n)
  const past = present(
    await explainPrice(ctx.db, CODE, { currency: 'JPY', level: 2, at: then }),
    'then',
  )
  expect(storedSteps(past.priced.steps)).toEqual(line.price_steps)
  const now = await explainPrice(ctx.db, CODE, { currency: 'JPY', level: 0, at: new Date() })
  expect(now?.priced.minor).toBe(3_333n)
  expect(
    await explainPrice(ctx.db, CODE, { currency: 'JPY', level: 0, at: new Date(0) }),
  ).toBeNull()
  await setOwnPrice(owner(), CODE, 'JPY', null)
})

test('a price that leaves too little over its cost is not sold: on its page, in the cart, at the order', async () => {
  const { ctx } = database
  await offer(1_890n)
  await setTerms({ floor: { basis_points: 200 } })
  const { product, item, priceMinor, withheld } = await offered()
  expect({ priceMinor, withheld }).toEqual({ priceMinor: null, withheld: 'below_floor' })
  const shop = await load()
  const currency = present(shop.currencyByCode.get('USD'), 'USD')
  expect(
    goodsItem({ shop, language: 'en', currency, t: translatorOf('en') }, product, item),
  ).toMatchObject({ in_stock: false, price: null })
  const { accountId } = await somebody(ctx, { withPassword: false })
  await expect(
    placeOrder(
      ctx,
      {
        shop,
        person: { accountId, roleId: 0 },
        visitor: { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: '' },
        chosenCountry: null,
        language: 'en',
        currency,
        idempotencyKey: null,
        isForm: false,
      },
      { lines: [{ item: CODE, quantity: 1, fields: {} }] },
    ),
  ).rejects.toMatchObject({ fields: [{ field: 'lines.0.item', reason: 'sold_out' }] })
  expect(await listWithheld(ctx.db)).toContainEqual({ code: CODE, currencies: ['USD'] })
  await setTerms({})
  expect(await listWithheld(ctx.db)).toEqual([])
  expect((await offered()).priceMinor).toBe(1_900n)
})

test('a cost of a supplier that is switched off counts no more', async () => {
  const { ctx } = database
  await offer(1_000n)
  await addRule(owner(), { ...EVERYTHING, supplier: 'hook', basisPoints: 0 })
  expect((await offered()).priceMinor).toBe(1_000n)
  await ctx.db.updateTable('supplier').set({ status: 'off' }).execute()
  expect((await offered()).priceMinor).toBe(1_900n)
  const past = await explainPrice(ctx.db, CODE, { currency: 'USD', level: 0, at: new Date() })
  expect(past?.priced.minor).toBe(1_900n)
  await ctx.db.updateTable('supplier').set({ status: 'on' }).execute()
})

test('a rule that begins by itself is in the pages then', async () => {
  const { ctx, url } = database
  for (const rule of await listRules(ctx.db)) await endRule(owner(), rule.id)
  const holder = await holdSnapshot({
    db: ctx.db,
    databaseUrl: url,
    log: ctx.log,
    onChange: () => {},
  })
  const price = () => {
    const shop = holder.current()
    const item = shop.catalogue.products
      .flatMap(({ items }) => items)
      .find(({ code }) => code === CODE)
    return priceOf(
      shop.pricing,
      present(item, CODE),
      present(shop.currencyByCode.get('USD'), 'USD'),
    ).minor
  }
  const soon = new Date(Date.now() + 1_500)
  await addRule(owner(), { ...EVERYTHING, basisPoints: 2_500, validFrom: soon })
  const known = () => holder.current().pricing.changesAt?.getTime() === soon.getTime()
  await expect.poll(() => known() || price() === 1_250n).toBe(true)
  const before = price()
  if (Date.now() < soon.getTime()) expect(before).toBe(1_900n)
  await expect.poll(price).toBe(1_250n)
  await holder.close()
})
