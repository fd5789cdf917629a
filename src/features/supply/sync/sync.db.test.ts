import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { setOffers } from '#features/supply/routing/commands.ts'
import { present } from '#kernel/assert.ts'
import type { CataloguePage, SupplyProduct } from '#providers/supply/provider.ts'
import { SupplyUnavailable } from '#providers/supply/provider.ts'
import { hook } from '#providers/supply/hook/service.ts'
import { secret } from '#platform/secret.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { useDemoDatabase } from '../../../../test/support/demo-database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import {
  acceptCost,
  excludeListing,
  lockListingByOperator,
  mapListing,
  publishDrafts,
  setSyncMode,
  withdrawOffer,
} from './commands.ts'
import { SCENARIOS } from '../../../sandbox/supply/scenarios.ts'
import { syncCatalogue } from './flows.ts'
import { countHeldCosts, showListings } from './queries.ts'

const database = useDatabase()
const demo = useDemoDatabase()
let sandbox: RunningSupplySandbox
const CODE = 'acme'
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const pack = (id: string, cost: bigint, more: Partial<SupplyProduct> = {}): SupplyProduct => ({
  id,
  kind: 'topup',
  name: `Star Saga ${id} gems`,
  brand: 'Star Saga',
  country: null,
  faces: { kind: 'single', face: null, cost: usd(cost) },
  fields: [{ name: 'User ID', type: 'number', isRequired: true, options: [] }],
  stock: null,
  ...more,
})
const listing = (
  pages: readonly (readonly SupplyProduct[] | Error)[],
  unread: readonly string[] = [],
) => ({
  code: CODE,
  catalogue: async (cursor: string | null): Promise<CataloguePage> => {
    const index = Number(cursor ?? 0)
    const page = pages[index]
    if (page instanceof Error) throw page
    return {
      products: page ?? [],
      unread,
      next: index + 1 < pages.length ? String(index + 1) : null,
    }
  },
})
const run = (
  pages: Parameters<typeof listing>[0],
  options: { isDry?: boolean; appliesJumps?: boolean; unread?: readonly string[] } = {},
) =>
  syncCatalogue(asOperator(database.ctx), listing(pages, options.unread), {
    isDry: options.isDry ?? false,
    appliesJumps: options.appliesJumps ?? false,
  })
const boss = () => asOperator(database.ctx)
const at = (product: string) => ({ supplier: CODE, product, face: '' })
const listed = async (product: string) =>
  present(
    (await showListings(database.ctx.db, { supplier: CODE, status: null, held: false })).find(
      (each) => each.product === product,
    ),
    product,
  )
const offerOf = async (code: string) =>
  database.ctx.db
    .selectFrom('supplier_offer as o')
    .innerJoin('item as i', 'i.id', 'o.item')
    .select(['o.cost_minor', 'o.is_on', 'o.product', 'o.priority', 'i.status'])
    .where('i.code', '=', code)
    .executeTakeFirst()
const everything = async () =>
  JSON.stringify(
    await Promise.all(
      (
        [
          'supplier',
          'supplier_product',
          'supplier_offer',
          'item',
          'brand',
          'product',
          'audit_log',
        ] as const
      ).map(async (table) =>
        (await database.ctx.db.selectFrom(table).selectAll().execute())
          .map((row) => JSON.stringify(row))
          .toSorted(),
      ),
    ),
  )
const itemOf = async (product: string) => present((await listed(product)).item, product)

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

test('what is new becomes drafts that nobody sees, until somebody shows them; a dry run writes nothing and says the same', async () => {
  const { db } = database.ctx
  const pages = [[pack('g-60', 90n)], [pack('g-300', 400n), pack('pin', 5n, { kind: 'recharge' })]]
  const before = await everything()
  const dry = await run(pages, { isDry: true })
  expect(await everything()).toBe(before)
  expect(await run(pages)).toEqual(dry)
  expect(dry).toMatchObject({ listed: 3, drafts: 2, unmatched: 1 })
  const visible = async () => (await loadSnapshot(db, 1)).catalogue.itemCount
  const count = await visible()
  const item = await itemOf('g-60')
  expect(await offerOf(item)).toMatchObject({ cost_minor: '90', is_on: true, status: 'suspended' })
  await publishDrafts(boss(), CODE, item)
  expect(await visible()).toBe(count + 1)
  const shop = await loadSnapshot(db, 1)
  expect(shop.catalogue.brandByCode.get('acme-star-saga')?.fields).toMatchObject([
    { key: 'user_id', kind: 'digits', label: 'User ID', required: true },
  ])
  expect(await run(pages)).toMatchObject({ drafts: 0, known: 2, costs: 0, gone: 0 })
  await publishDrafts(boss(), CODE, null)
  expect(await visible()).toBe(count + 2)
  await expect(publishDrafts(boss(), CODE, null)).rejects.toThrow('not_found')
})

test('costs follow, and one that jumps waits for a person', async () => {
  await run([[pack('j', 1_000n)]])
  const item = await itemOf('j')
  expect(await run([[pack('j', 1_200n)]])).toMatchObject({ costs: 1, held: 0 })
  expect(await run([[pack('j', 1_441n)]])).toMatchObject({ costs: 0, held: 1 })
  expect((await offerOf(item))?.cost_minor).toBe('1200')
  expect(await countHeldCosts(database.ctx.db)).toBe(1)
  // Back to what it was: nothing waits any more.
  await run([[pack('j', 1_200n)]])
  expect(await countHeldCosts(database.ctx.db)).toBe(0)
  await run([[pack('j', 100n)]])
  await acceptCost(boss(), at('j'))
  expect((await offerOf(item))?.cost_minor).toBe('100')
  await expect(acceptCost(boss(), at('j'))).rejects.toThrow('not_found')
  expect(await run([[pack('j', 9_000n)]], { appliesJumps: true })).toMatchObject({ costs: 1 })
  expect((await offerOf(item))?.cost_minor).toBe('9000')
})

test('what is listed no more goes off sale, and comes back with its listing; a list that cannot be read changes nothing', async () => {
  const both = [[pack('stays', 100n), pack('goes', 100n)]]
  await run(both)
  const item = await itemOf('goes')
  await publishDrafts(boss(), CODE, null)
  await expect(run([[pack('stays', 100n)], new SupplyUnavailable('down')])).rejects.toThrow('down')
  // What could not be read is not gone.
  expect(await run([[pack('stays', 100n)]], { unread: ['?'] })).toMatchObject({
    gone: 0,
    unread: 1,
  })
  expect(await run([[pack('stays', 100n)]])).toMatchObject({ gone: 1 })
  expect(await offerOf(item)).toMatchObject({ is_on: false, status: 'suspended' })
  expect(await run([[pack('stays', 100n)]])).toMatchObject({ gone: 0 })
  expect(await run(both)).toMatchObject({ returned: 1, drafts: 0 })
  expect(await offerOf(item)).toMatchObject({ is_on: true, status: 'active' })
})

test('a list that has shrunk to nothing is not believed', async () => {
  const many = Array.from({ length: 50 }, (_, index) => pack(`n-${index}`, 100n))
  await run([many])
  await expect(run([many.slice(0, 10)])).rejects.toThrow('conflict')
  expect(await run([many.slice(0, 10)], { appliesJumps: true })).toMatchObject({ gone: 40 })
})

test('stock follows; what is locked, excluded or withdrawn stays as it is', async () => {
  await run([[pack('s', 100n), pack('l', 100n), pack('x', 100n), pack('w', 100n), pack('o', 100n)]])
  const [s, l, x, w, o] = await Promise.all(['s', 'l', 'x', 'w', 'o'].map(itemOf))
  await lockListingByOperator(boss(), at('l'), true)
  await excludeListing(boss(), at('x'), true)
  await withdrawOffer(boss(), CODE, present(w, 'w'))
  await setSyncMode(boss(), at('o'), 'cost', 'once')
  const next = ['s', 'l', 'x', 'w', 'o'].map((id) => pack(id, 110n, { stock: id === 's' ? 0 : 5 }))
  expect(await run([next])).toMatchObject({ locked: 1, excluded: 2, costs: 1, switched: 1 })
  const offers = await Promise.all([s, l, x, w, o].map((code) => offerOf(present(code, 'item'))))
  expect(offers.map((offer) => [offer?.cost_minor, offer?.is_on])).toEqual([
    ['110', false],
    ['100', true],
    ['100', false],
    ['100', false],
    ['100', true],
  ])
  await expect(withdrawOffer(boss(), CODE, present(w, 'w'))).rejects.toThrow('not_found')
  await excludeListing(boss(), at('x'), false)
  expect(await run([next])).toMatchObject({ returned: 1, excluded: 1 })
  expect((await offerOf(present(x, 'x')))?.is_on).toBe(true)
})

test('what an owner has said of an offer stays: its priority, its fields, and which item it is', async () => {
  const { ctx } = database
  await run([[pack('m', 100n)]])
  const mine = await ctx.db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .select(['i.id', 'i.code'])
    .where('b.delivery', '=', 'direct_charge')
    .where('b.kind', '<>', 'recharge')
    .where('i.source', 'not like', 'supplier:%')
    .executeTakeFirstOrThrow()
  await setOffers(ctx, [
    {
      item: mine.id,
      supplier: CODE,
      priority: 7,
      kind: 'topup',
      product: 'm2',
      face: null,
      cost: usd(100n),
      fields: { user_id: 'player' },
    },
  ])
  // Found by the name that it has there already.
  expect(await run([[pack('m', 100n), pack('m2', 105n)]])).toMatchObject({
    matchedById: 1,
    costs: 1,
  })
  expect(await listed('m2')).toMatchObject({ item: mine.code, matchedBy: 'id' })
  expect(await offerOf(mine.code)).toMatchObject({ cost_minor: '105', priority: 7 })
  await expect(mapListing(boss(), at('m'), mine.code)).rejects.toThrow('conflict')
  await expect(mapListing(boss(), at('m'), 'nothing')).rejects.toThrow('check_fields')
})

test('the sandbox: everything of the demo is found by its codes', async () => {
  const supplier = await hook.open(
    Object.fromEntries(
      Object.entries(hook.sandbox(sandbox.originOf('hook'), SANDBOX_SECRET)).map(
        ([name, value]) => [name, secret(value)],
      ),
    ),
    demo.ctx.now,
  )
  const report = await syncCatalogue(asOperator(demo.ctx), supplier, {
    isDry: false,
    appliesJumps: false,
  })
  // The cards that say what shall happen are no goods of the demo's.
  expect(report).toMatchObject({ drafts: SCENARIOS.length, unmatched: 0, matchedByName: 0 })
  expect(report.ranges).toBeGreaterThan(10)
  expect(report.matchedById).toBeGreaterThan(9_000)
  const again = await syncCatalogue(asOperator(demo.ctx), supplier, {
    isDry: false,
    appliesJumps: false,
  })
  expect(again).toMatchObject({
    known: report.matchedById + report.drafts,
    newOffers: 0,
    costs: 0,
    gone: 0,
    drafts: 0,
  })
})

test('what a supplier writes is data: a hostile entry is left out or cut, and keeps up none of the others', async () => {
  const page = [
    pack('fair', 100n),
    pack('nul', 100n, { name: 'A\u0000B\u202e <img src=x onerror=alert(1)>', brand: '\u0000' }),
    pack('half', 100n, { name: `${'a'.repeat(299)}\u{1F600}`, country: '\ud800' }),
    pack('long', 100n, { name: 'x 1.0'.repeat(200_000), brand: 'y'.repeat(1_000_000) }),
    pack('proto', 100n, {
      name: '__proto__',
      brand: '__proto__',
      fields: [{ name: '__proto__', type: 'text', isRequired: true, options: [] }],
      stock: 1e20,
    }),
    pack('x'.repeat(201), 100n),
    pack('id\u0000', 100n),
    pack('', 100n),
    pack('field', 100n, {
      fields: [{ name: 'a\u0000', type: 'text', isRequired: true, options: [] }],
    }),
  ]
  expect(await run([page])).toMatchObject({ listed: 5, drafts: 5, unread: 0, refused: 4 })
  expect((await listed('nul')).name).toBe('A B <img src=x onerror=alert(1)>')
  expect((await listed('half')).name).toBe(`${'a'.repeat(299)}\u{1F600}`)
  expect(await run([page])).toMatchObject({ known: 5, drafts: 0, gone: 0 })
})

test('what a list says costs nothing changes no cost, however it is read', async () => {
  const item = 'game:dragon-quarry:global:1200'
  await run([[pack(item, 0n)]], { appliesJumps: true })
  expect(await listed(item)).toMatchObject({ status: 'mapped', item })
  expect(await offerOf(item)).toBeUndefined()
  await run([[pack(item, 900n)]])
  await run([[pack(item, 0n)]], { appliesJumps: true })
  expect(await offerOf(item)).toMatchObject({ cost_minor: '900', is_on: true })
})
