import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { judge } from '#features/buying/gate/rules.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { setOffers } from '#features/supply/routing/commands.ts'
import { present } from '#kernel/assert.ts'
import { secret } from '#platform/secret.ts'
import { dtone } from '#providers/supply/dtone/service.ts'
import type { Faces, SupplyProduct } from '#providers/supply/provider.ts'
import { reloadly } from '#providers/supply/reloadly/service.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { useDemoDatabase } from '../../../../test/support/demo-database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { acceptCost, publishDrafts, setSyncMode } from './commands.ts'
import { syncCatalogue } from './flows.ts'
import { showListings } from './queries.ts'
import { SYNC_MODES } from './rules.ts'

const database = useDatabase()
const demo = useDemoDatabase()
let sandbox: RunningSupplySandbox
const CODE = 'acme'
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const single = (cost: bigint): Faces => ({ kind: 'single', face: null, cost: usd(cost) })
const fixed = (
  ...amounts: readonly (readonly [face: bigint, cost: bigint, name?: string])[]
): Faces => ({
  kind: 'fixed',
  amounts: amounts.map(([face, cost, name]) => ({
    face: usd(face),
    cost: usd(cost),
    ...(name === undefined ? {} : { name }),
  })),
})
const range = (min: bigint, max: bigint, percent = 90n): Faces => ({
  kind: 'range',
  min: usd(min),
  max: usd(max),
  price: { face: usd(100n), cost: usd(percent), feeMinor: 0n },
})
const product = (id: string, more: Partial<SupplyProduct>): SupplyProduct => ({
  id,
  kind: 'recharge',
  name: 'Bell USA',
  brand: 'Bell USA',
  country: 'US',
  faces: single(100n),
  fields: [],
  stock: null,
  ...more,
})
const run = (...products: readonly SupplyProduct[]) => runAt(CODE, products)
const runAt = (code: string, products: readonly SupplyProduct[]) =>
  syncCatalogue(
    asOperator(database.ctx),
    { code, catalogue: async () => ({ products, unread: [], next: null }) },
    { isDry: false, appliesJumps: false },
  )
const boss = () => asOperator(database.ctx)
const listings = () => showListings(database.ctx.db, { supplier: CODE, status: null, held: false })
const itemAt = async (id: string, face = '') =>
  present(
    (await listings()).find((each) => each.product === id && each.face === face)?.item,
    `${id} ${face}`,
  )
const rowOf = async (code: string) =>
  database.ctx.db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .leftJoin('supplier_offer as o', (join) =>
      join.onRef('o.item', '=', 'i.id').on('o.supplier', '=', CODE),
    )
    .select([
      'i.kind',
      'i.name',
      'i.status',
      'i.face_minor',
      'i.face_min_minor',
      'i.face_max_minor',
      'i.face_step_minor',
      'i.data_mb',
      'i.days',
      'i.buyer_countries',
      'i.blocked_countries',
      'i.locked_fields',
      'p.code as product',
      'p.region',
      'p.region_name',
      'p.countries',
      'p.face_currency',
      'p.min_age',
      'b.kind as brand_kind',
      'b.type',
      'b.delivery',
      'b.recharge',
      'o.kind as offer_kind',
      'o.cost_minor',
      'o.face_minor as offer_face',
      'o.fixed',
      'o.is_on',
    ])
    .where('i.code', '=', code)
    .executeTakeFirstOrThrow()

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  sandbox = await startSupplySandbox()
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  const { db } = database.ctx
  await db.deleteFrom('supplier_product').execute()
  await db.deleteFrom('supplier_offer').execute()
})

test('an operator’s amounts and bundles are the shop’s, with the country that a purchase needs; new ones stand beside them until they are shown', async () => {
  const report = await run(
    product('bell', { faces: fixed([1_000n, 940n], [3_000n, 2_800n]) }),
    product('bell-data', {
      kind: 'data',
      name: 'Bell Data',
      brand: 'Bell Data',
      faces: fixed([200n, 150n, '500 MB, 1 day'], [900n, 700n, '5 GB, 30 days']),
    }),
  )
  expect(report).toMatchObject({ matchedByName: 2, drafts: 2, unmatched: 0, newOffers: 2 })
  expect(await itemAt('bell', '1000 USD')).toBe('air:us-bell:10')
  expect(await rowOf('air:us-bell:10')).toMatchObject({
    offer_kind: 'recharge',
    cost_minor: '940',
    offer_face: '1000',
    fixed: { country: 'US' },
  })
  expect(await itemAt('bell-data', '200 USD')).toBe('data:us-bell:500mb-1d')
  const draft = await itemAt('bell', '3000 USD')
  expect(await rowOf(draft)).toMatchObject({
    product: 'us-bell',
    kind: 'airtime',
    name: '',
    status: 'suspended',
    face_minor: '3000',
    fixed: { country: 'US' },
  })
  const bundle = await itemAt('bell-data', '900 USD')
  expect(await rowOf(bundle)).toMatchObject({ kind: 'data', data_mb: 5_000, days: 30 })
  await publishDrafts(boss(), CODE, null)
  const shop = await loadSnapshot(database.ctx.db, 1)
  expect(shop.catalogue.productByCode.get('us-bell')?.items.map(({ code }) => code)).toEqual([
    'air:us-bell:10',
    'data:us-bell:500mb-1d',
    draft,
    bundle,
  ])
})

test('an operator that the shop has not is drafted with its country and calling code; one of no country is not', async () => {
  const report = await run(
    product('nova', { name: 'Nova', brand: 'Nova', faces: range(150n, 5_030n) }),
    product('nowhere', { name: 'Nowhere', brand: 'Nowhere', country: null }),
  )
  expect(report).toMatchObject({ drafts: 1, unmatched: 1, ranges: 1 })
  const code = await itemAt('nova')
  const row = await rowOf(code)
  expect(row).toMatchObject({
    kind: 'airtime',
    face_minor: '1000',
    face_min_minor: '200',
    face_max_minor: '5000',
    face_step_minor: '100',
    brand_kind: 'recharge',
    type: 3,
    region: 'us',
    countries: ['US'],
    face_currency: 'USD',
    cost_minor: '900',
    offer_face: '1000',
    fixed: { country: 'US' },
  })
  expect(row.recharge).toMatchObject({
    country: 'US',
    calling_code: '+1',
    airtime: { kind: 'range', min: '2.00', max: '50.00' },
  })
  await publishDrafts(boss(), CODE, code)
  const shop = await loadSnapshot(database.ctx.db, 1)
  const item = shop.catalogue.productByCode.get(row.product)?.items[0]
  expect(item?.free).toEqual({ minMinor: 200n, maxMinor: 5_000n, stepMinor: 100n })
  // What the range costs follows as its face; a jump waits, and is taken as such.
  expect(
    await run(product('nova', { brand: 'Nova', faces: range(150n, 5_030n, 92n) })),
  ).toMatchObject({ costs: 1 })
  expect(
    await run(product('nova', { brand: 'Nova', faces: range(150n, 5_030n, 20n) })),
  ).toMatchObject({ costs: 0, held: 1 })
  await acceptCost(boss(), { supplier: CODE, product: 'nova', face: '' })
  expect(await rowOf(code)).toMatchObject({ cost_minor: '200', offer_face: '1000' })
})

test('what any amount is sold at follows its supplier, and goes off where nothing of it is taken any more', async () => {
  const quark = (min: bigint, max: bigint) =>
    product('quark', { name: 'Quark', brand: 'Quark', faces: range(min, max) })
  await run(quark(150n, 5_030n))
  const code = await itemAt('quark')
  await publishDrafts(boss(), CODE, code)
  const bounds = async () => {
    const row = await rowOf(code)
    return [row.face_min_minor, row.face_max_minor, row.face_step_minor].map(Number)
  }
  expect(await run(quark(150n, 5_030n))).toMatchObject({ bounds: 0 })
  expect(await run(quark(500n, 3_000n))).toMatchObject({ bounds: 1, lines: [] })
  expect(await bounds()).toEqual([500, 3_000, 100])
  expect(await run(quark(500n, 10_000n))).toMatchObject({ bounds: 1 })
  expect(await bounds()).toEqual([500, 10_000, 100])
  // By the owner's word: what the supplier takes of it no more is not bought there.
  await database.ctx.db
    .updateTable('item')
    .set({ locked_fields: ['free_amount'] })
    .where('code', '=', code)
    .execute()
  expect(await run(quark(500n, 20_000n))).toMatchObject({ bounds: 0, lines: [] })
  expect(await run(quark(900n, 20_000n))).toMatchObject({
    bounds: 0,
    switched: 0,
    lines: [{ product: 'quark', why: 'range' }],
  })
  expect(await bounds()).toEqual([500, 10_000, 100])
  const isBought = async () =>
    (
      await database.ctx.db
        .selectFrom('supplier_offer as o')
        .innerJoin('item as i', 'i.id', 'o.item')
        .select('o.is_on')
        .where('i.code', '=', code)
        .executeTakeFirst()
    )?.is_on
  expect(await isBought()).toBe(false)
  // It is found again once all of it is taken.
  await run(quark(500n, 20_000n))
  expect(await isBought()).toBe(true)
})

test('a range is bought for the single amounts that the shop sells, unless they are listed by themselves', async () => {
  const any = product('bell-any', { faces: range(500n, 2_000n) })
  expect(await run(any)).toMatchObject({ matchedByName: 1, drafts: 1 })
  expect(await itemAt('bell-any', '1000 USD')).toBe('air:us-bell:10')
  expect(await rowOf('air:us-bell:10')).toMatchObject({ cost_minor: '900', offer_face: '1000' })
  await database.ctx.db.deleteFrom('supplier_product').execute()
  await database.ctx.db.deleteFrom('supplier_offer').execute()
  await run(any, product('bell-ten', { faces: fixed([1_000n, 880n]) }))
  expect(await itemAt('bell-ten', '1000 USD')).toBe('air:us-bell:10')
  expect((await rowOf('air:us-bell:10')).cost_minor).toBe('880')
  expect((await listings()).some(({ face, product: id }) => id === 'bell-any' && face !== '')).toBe(
    false,
  )
})

test('cards made to order: those that the shop has are bought once paid, others are drafts, of a range the usual amounts', async () => {
  const card = { kind: 'giftcard', name: 'Vapour US', brand: 'Vapour Gift Card' } as const
  const report = await run(
    product('v', { ...card, faces: fixed([1_000n, 930n], [5_000n, 4_600n]) }),
    product('m', {
      ...card,
      name: 'Moon',
      brand: 'Moon',
      country: null,
      faces: range(700n, 6_000n),
    }),
    product('k', {
      kind: 'key',
      name: 'Star Raid Key',
      brand: 'PC',
      country: null,
      faces: single(700n),
    }),
  )
  expect(report).toMatchObject({ matchedByName: 1, newOffers: 1, unmatched: 0 })
  const known = await itemAt('v', '1000 USD')
  expect(known).toBe('card:vapour:us:10')
  expect(await rowOf(known)).toMatchObject({
    offer_kind: 'giftcard',
    cost_minor: '930',
    is_on: true,
  })
  expect(await rowOf(await itemAt('v', '5000 USD'))).toMatchObject({
    product: 'vapour-us',
    kind: 'value',
    status: 'suspended',
  })
  const moon = (await listings()).filter(({ product: id }) => id === 'm')
  expect(moon.map(({ face }) => face).toSorted()).toEqual(
    ['1000 USD', '1500 USD', '2000 USD', '2500 USD', '5000 USD'].toSorted(),
  )
  expect(await rowOf(await itemAt('m', '1000 USD'))).toMatchObject({
    brand_kind: 'gift_card',
    delivery: 'card_key',
    region: 'global',
    countries: null,
    face_currency: 'USD',
    offer_kind: 'giftcard',
    cost_minor: '900',
  })
  expect(await rowOf(await itemAt('k'))).toMatchObject({ brand_kind: 'game_key', kind: 'edition' })
  expect(
    await run(
      product('m', {
        ...card,
        name: 'Moon',
        brand: 'Moon',
        country: null,
        faces: range(700n, 6_000n),
      }),
    ),
  ).toMatchObject({ known: 5, drafts: 0 })
})

test('what works in one country is drafted for it alone, also where the shop has no region of it', async () => {
  const game = { kind: 'topup', name: 'Ice 60', brand: 'Ice Saga' } as const
  await run(product('aq', { ...game, country: 'ATA' }), product('us', { ...game, country: 'US' }))
  expect(await rowOf(await itemAt('us'))).toMatchObject({ region: 'us', countries: ['US'] })
  expect(await rowOf(await itemAt('aq'))).toMatchObject({
    region: 'global',
    region_name: 'Antarctica',
    countries: ['AQ'],
  })
})

test('a listing that says another country by now is not bought there any more, and the report says why', async () => {
  const game = { kind: 'topup', name: 'Dragon Quarry', brand: 'Dragon Quarry' } as const
  const item = 'game:dragon-quarry:global:1200'
  const code = { ...game, country: null, faces: single(900n) }
  expect(await run(product(item, code))).toMatchObject({ matchedById: 1 })
  expect(await rowOf(item)).toMatchObject({ is_on: true })
  const moved = await run(product(item, { ...code, country: 'US' }))
  expect(moved).toMatchObject({ known: 0, unmatched: 1, drafts: 0 })
  expect(moved.lines).toEqual([{ product: item, why: 'country' }])
  expect(await rowOf(item)).toMatchObject({ is_on: false })
  // And the reverse: what says no country is not what works in one.
  const bell = await run(product('air:us-bell:10', { country: null }))
  expect(bell).toMatchObject({ matchedById: 0, drafts: 0 })
  expect(bell.lines).toEqual([{ product: 'air:us-bell:10', why: 'country' }])
})

test('who may buy it comes into what the gate reads: of an owner’s item what both allow, kept from imports; an age is raised', async () => {
  const { db } = database.ctx
  const limits = { buyerCountries: ['US'], blockedCountries: ['AQ'], minAge: 18 }
  const item = 'card:vapour:us:20'
  const listing = (more: Partial<SupplyProduct> = {}) =>
    product(item, {
      kind: 'giftcard',
      name: 'Vapour',
      brand: 'Vapour',
      faces: single(1_800n),
      ...more,
    })
  await run(listing())
  expect(await rowOf(item)).toMatchObject({ buyer_countries: null, min_age: null })
  expect(await run(listing({ limits }))).toMatchObject({ limits: 1 })
  const row = await rowOf(item)
  expect(row).toMatchObject({ buyer_countries: ['US'], blocked_countries: ['AQ'], min_age: 18 })
  expect(row.locked_fields).toEqual(
    expect.arrayContaining(['blocked_countries', 'buyer_countries']),
  )
  const verdict = (country: string, provenAge: number | null) =>
    judge({
      lines: [
        {
          minAge: row.min_age,
          buyerCountries: row.buyer_countries,
          blockedCountries: row.blocked_countries,
        },
      ],
      country: { code: country, isOnSale: true },
      provenAge,
      isNameListed: false,
      isEmailListed: false,
      screening: null,
      uses: [],
    })
  expect(verdict('AQ', 30).reasons).toEqual(['country'])
  expect(verdict('US', null).reasons).toEqual(['age'])
  expect(verdict('US', 18).verdict).toBe('pass')
  // An import says what it says, and a supplier that allows more loosens nothing of the owner's.
  await importSmallCatalogue(database.ctx)
  await run(listing({ limits: { buyerCountries: null, blockedCountries: [], minAge: 12 } }))
  expect(await rowOf(item)).toMatchObject({ buyer_countries: ['US'], min_age: 18 })
  const nobody = await run(listing({ limits: { ...limits, buyerCountries: ['AQ'] } }))
  expect(nobody.lines).toEqual([{ product: item, why: 'limits' }])
  expect(await rowOf(item)).toMatchObject({ is_on: false, buyer_countries: ['US'] })
  const own = product('own', {
    kind: 'topup',
    name: 'Own 1',
    brand: 'Own',
    country: null,
    limits,
  })
  await run(own)
  const made = await itemAt('own')
  expect(await rowOf(made)).toMatchObject({ buyer_countries: ['US'], min_age: 18 })
  await run({ ...own, limits: { buyerCountries: null, blockedCountries: ['US'], minAge: null } })
  expect(await rowOf(made)).toMatchObject({ buyer_countries: null, blocked_countries: ['US'] })
  await setSyncMode(boss(), { supplier: CODE, product: 'own', face: '' }, 'limits', SYNC_MODES[2])
  await run(own)
  expect(await rowOf(made)).toMatchObject({ blocked_countries: ['US'] })
  expect(
    await db
      .selectFrom('supplier_product')
      .select('min_age')
      .where('product', '=', 'own')
      .execute(),
  ).toEqual([{ min_age: 18 }])
})

test('what one supplier calls by a number is not what another calls by the same', async () => {
  const game = { kind: 'topup', country: null } as const
  await run(product('77', { ...game, name: 'Alpha 60', brand: 'Alpha' }))
  const other = await runAt('zeta', [product('77', { ...game, name: 'Omega 60', brand: 'Omega' })])
  expect(other).toMatchObject({ matchedById: 0, matchedByName: 0, drafts: 1 })
  const same = await runAt('zeta', [
    product('77', { ...game, name: 'Omega 60', brand: 'Omega' }),
    product('78', { ...game, name: 'Alpha 60', brand: 'Alpha' }),
  ])
  expect(same).toMatchObject({ known: 1, matchedByName: 1 })
})

test('offers of an owner keep what they say', async () => {
  const { id } = await database.ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', 'air:us-bell:10')
    .executeTakeFirstOrThrow()
  const offer = {
    item: id,
    supplier: CODE,
    priority: 3,
    kind: 'recharge' as const,
    product: 'bell',
    face: usd(1_000n),
    cost: usd(950n),
    fields: {},
    fixed: { country: 'US', plan: 'x' },
  }
  await setOffers(database.ctx, [offer])
  expect(await run(product('bell', { faces: fixed([1_000n, 940n]) }))).toMatchObject({
    matchedById: 1,
    costs: 1,
  })
  expect(await rowOf('air:us-bell:10')).toMatchObject({ cost_minor: '940', fixed: offer.fixed })
})

test('Reloadly and DT One: the demo’s operators and bundles are found in their lists by name, and nothing of one country is another’s', async () => {
  const open = async (service: typeof reloadly) =>
    service.open(
      Object.fromEntries(
        Object.entries(service.sandbox(sandbox.originOf(service.code), SANDBOX_SECRET)).map(
          ([name, value]) => [name, secret(value)],
        ),
      ),
      demo.ctx.now,
    )
  for (const service of [reloadly, dtone]) {
    const report = await syncCatalogue(asOperator(demo.ctx), await open(service), {
      isDry: false,
      appliesJumps: false,
    })
    const rows = await demo.ctx.db
      .selectFrom('supplier_product as l')
      .innerJoin('item as i', 'i.id', 'l.item')
      .innerJoin('product as p', 'p.code', 'i.product')
      .select(['l.product', 'l.kind', 'l.country', 'l.status', 'l.matched_by', 'p.countries'])
      .where('l.supplier', '=', service.code)
      .execute()
    expect(
      rows.filter(({ kind, status }) => kind !== 'giftcard' && status === 'mapped').length,
    ).toBeGreaterThan(2_500)
    expect(report.unmatched).toBeLessThan(100)
    for (const { country, countries, product: id } of rows)
      expect([id, countries]).toEqual([id, country === null ? null : [country]])
  }
})
