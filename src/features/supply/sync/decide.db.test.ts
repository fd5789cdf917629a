import { beforeAll, beforeEach, expect, test } from 'vitest'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { CataloguePage, SupplyProduct } from '#providers/supply/provider.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { acceptCosts, confirmMatches, publishDrafts, refuseCosts, wishSync } from './commands.ts'
import { syncCatalogue, syncWhenDue } from './flows.ts'
import { countEntries, listEntries, listRuns } from './queries.ts'

const database = useDatabase()
const CODE = 'acme'
const pack = (id: string, cost: bigint): SupplyProduct => ({
  id,
  kind: 'topup',
  name: `Star Saga ${id} gems`,
  brand: 'Star Saga',
  country: null,
  faces: { kind: 'single', face: null, cost: { minor: cost, currency: 'USD' } },
  fields: [],
  stock: null,
})
const lister = (products: readonly SupplyProduct[]) => ({
  code: CODE,
  catalogue: async (): Promise<CataloguePage> => ({ products, unread: [], next: null }),
})
const run = (...products: readonly SupplyProduct[]) =>
  syncCatalogue(asOperator(database.ctx), lister(products), { isDry: false, appliesJumps: false })
const boss = () => asOperator(database.ctx)
const seen = (product: string, minor: bigint) => ({
  supplier: CODE,
  product,
  face: '',
  cost: { minor, currency: 'USD' },
})
const page = (view: Parameters<typeof listEntries>[1]['view'], after: string | null = null) =>
  listEntries(database.ctx.db, {
    supplier: CODE,
    view,
    after: after === null ? null : { product: after, face: '' },
    limit: 2,
  })

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await registerSuppliers(database.ctx, [CODE])
})
beforeEach(async () => {
  const { db } = database.ctx
  for (const table of [
    'supply_sync_wish',
    'supply_sync_run',
    'supplier_product',
    'supplier_offer',
  ] as const)
    await db.deleteFrom(table).execute()
})

test('costs that jumped are taken together or not at all, each as it was shown', async () => {
  await run(pack('1', 100n), pack('2', 100n), pack('3', 100n))
  await run(pack('1', 200n), pack('2', 200n), pack('3', 200n))
  expect((await countEntries(database.ctx.db, CODE)).jumps).toBe(3)
  expect((await refused(acceptCosts(boss(), [seen('1', 200n), seen('2', 199n)]))).code).toBe(
    'changed_meanwhile',
  )
  expect((await page('jumps')).map(({ product }) => product)).toEqual(['1', '2'])
  expect((await page('jumps', '2')).map(({ product }) => product)).toEqual(['3'])
  expect(await acceptCosts(boss(), [seen('2', 200n), seen('1', 200n)])).toBe(2)
  expect((await page('jumps')).map(({ product }) => product)).toEqual(['3'])
  const costs = await database.ctx.db
    .selectFrom('supplier_offer')
    .select(['product', 'cost_minor'])
    .orderBy('product')
    .execute()
  expect(costs.map(({ product, cost_minor: cost }) => [product, Number(cost)])).toEqual([
    ['1', 200],
    ['2', 200],
    ['3', 100],
  ])
})

test('a cost that was refused is not asked about again until another is listed', async () => {
  await run(pack('1', 100n))
  await run(pack('1', 200n))
  expect(await refuseCosts(boss(), [seen('1', 200n)])).toBe(1)
  await run(pack('1', 200n))
  expect(await page('jumps')).toEqual([])
  await run(pack('1', 300n))
  expect(await page('jumps')).toMatchObject([{ product: '1', held: '300', offerCost: '100' }])
})

test('the worker takes up what somebody asked for, in their name, and a dry run changes nothing', async () => {
  await wishSync(boss(), CODE, { isDry: true, appliesJumps: false })
  const report = await syncWhenDue(database.ctx, lister([pack('77', 100n)]))
  expect(report).toMatchObject({ listed: 1, drafts: 1 })
  expect(await listRuns(database.ctx.db, CODE)).toMatchObject([
    { isDry: true, outcome: 'done', startedBy: boss().actor },
  ])
  expect((await countEntries(database.ctx.db, CODE)).draft).toBe(0)
  expect(await syncWhenDue(database.ctx, lister([pack('77', 100n)]))).toBeNull()
  await wishSync(boss(), CODE, { isDry: false, appliesJumps: false })
  await syncWhenDue(database.ctx, lister([pack('77', 100n)]))
  expect((await countEntries(database.ctx.db, CODE)).draft).toBe(1)
  expect(
    (await refused(wishSync(boss(), 'nobody', { isDry: true, appliesJumps: false }))).code,
  ).toBe('not_found')
})

test('a match that was found by name is confirmed as it was shown', async () => {
  await run(pack('88', 100n))
  const [draft] = await page('draft')
  await publishDrafts(boss(), CODE, draft?.item ?? '')
  await database.ctx.db
    .updateTable('supplier_product')
    .set({ matched_by: 'name', score: 90 })
    .execute()
  expect(await page('matches')).toMatchObject([{ product: '88', score: 90, item: draft?.item }])
  const named = { supplier: CODE, product: '88', face: '' }
  expect((await refused(confirmMatches(boss(), [{ ...named, item: 'another' }]))).code).toBe(
    'changed_meanwhile',
  )
  expect(await confirmMatches(boss(), [{ ...named, item: draft?.item ?? '' }])).toBe(1)
  expect(await page('matches')).toEqual([])
})
