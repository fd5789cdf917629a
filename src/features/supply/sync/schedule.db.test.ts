import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readHealth } from '#features/office/health/queries.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { CataloguePage, SupplyProduct } from '#providers/supply/provider.ts'
import { SupplyUnavailable } from '#providers/supply/provider.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { forgetRuns, scheduleSync } from './commands.ts'
import { syncCatalogue, syncWhenDue } from './flows.ts'
import { countHeldCosts, listRuns, listSchedules } from './queries.ts'

const database = useDatabase()
const CODE = 'acme'
const HOUR = 3_600
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
const lister = (answer: () => readonly SupplyProduct[] | Promise<readonly SupplyProduct[]>) => ({
  code: CODE,
  catalogue: async (): Promise<CataloguePage> => ({
    products: await answer(),
    unread: [],
    next: null,
  }),
})
const down = lister(() => {
  throw new SupplyUnavailable('no answer')
})
const at = (minutes: number): Ctx => minutesLater(database.ctx, minutes)
const schedule = (everySeconds: number | null) =>
  scheduleSync(asOperator(database.ctx), CODE, everySeconds)
const state = async () => (await listSchedules(database.ctx.db))[0]
const failed = async () =>
  (await readHealth(database.ctx.db, database.ctx.now(), [])).work.failedSyncs

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await registerSuppliers(database.ctx, [CODE])
})
beforeEach(async () => {
  const { db } = database.ctx
  for (const table of [
    'supply_sync_run',
    'supply_schedule',
    'supplier_product',
    'supplier_offer',
  ] as const)
    await db.deleteFrom(table).execute()
})

test('nothing runs before the owner says how often, and then no sooner than that; off ends it', async () => {
  const supplier = lister(() => [pack('a', 100n)])
  expect(await syncWhenDue(at(0), supplier)).toBeNull()
  await schedule(HOUR)
  expect(await syncWhenDue(at(1), supplier)).toMatchObject({ listed: 1, drafts: 1 })
  expect(await syncWhenDue(at(50), supplier)).toBeNull()
  expect(await syncWhenDue(at(62), supplier)).toMatchObject({ known: 1, drafts: 0 })
  expect(await state()).toMatchObject({ everySeconds: HOUR, failures: 0, outcome: 'done' })
  const [last] = await listRuns(database.ctx.db, CODE)
  expect(last).toMatchObject({ outcome: 'done', startedBy: database.ctx.actor, error: null })
  expect(last?.report).toMatchObject({ known: 1, lines: [] })
  await schedule(null)
  expect(await syncWhenDue(at(500), supplier)).toBeNull()
  await expect(scheduleSync(asOperator(database.ctx), 'nobody', HOUR)).rejects.toThrow('not_found')
})

test('a run that fails is tried again soon and each time later, is told from the second time on, and no more once one is well', async () => {
  await schedule(HOUR)
  expect(await syncWhenDue(at(1), down)).toBeNull()
  expect(await failed()).toBe(0)
  expect(await state()).toMatchObject({ failures: 1, outcome: 'failed', error: 'no answer' })
  expect(await syncWhenDue(at(4), down)).toBeNull()
  expect((await state())?.failures).toBe(1)
  expect(await syncWhenDue(at(7), down)).toBeNull()
  expect((await state())?.failures).toBe(2)
  expect(await failed()).toBe(1)
  await syncWhenDue(at(14), down)
  expect((await state())?.failures).toBe(2)
  await syncWhenDue(
    at(18),
    lister(() => [pack('a', 100n)]),
  )
  expect((await state())?.failures).toBe(0)
  expect(await failed()).toBe(0)
})

test('a list that is not believed is told at once, and its costs that jumped wait', async () => {
  await schedule(HOUR)
  const many = Array.from({ length: 50 }, (_, index) => pack(`n-${index}`, 100n))
  await syncWhenDue(
    at(1),
    lister(() => many),
  )
  await syncWhenDue(
    at(70),
    lister(() => many.slice(0, 10)),
  )
  expect(await state()).toMatchObject({ failures: 1, outcome: 'refused' })
  expect(await failed()).toBe(1)
  await syncWhenDue(
    at(140),
    lister(() => [pack('n-0', 900n), ...many.slice(1)]),
  )
  expect(await state()).toMatchObject({ failures: 0, outcome: 'done', held: 1 })
  expect(await countHeldCosts(database.ctx.db)).toBe(1)
})

test('one run at a time: another is refused while a supplier is being read, and takes over from one that is dead, whose list counts no more', async () => {
  await schedule(HOUR)
  const reading = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<readonly SupplyProduct[]>()
  const slow = syncCatalogue(
    asOperator(database.ctx),
    lister(() => {
      reading.resolve()
      return answer.promise
    }),
    { isDry: false, appliesJumps: false },
  )
  await reading.promise
  const other = lister(() => [pack('new', 100n)])
  const options = { isDry: false, appliesJumps: false }
  await expect(syncCatalogue(asOperator(at(5)), other, options)).rejects.toThrow('still_running')
  expect(await syncWhenDue(at(5), other)).toBeNull()
  expect((await state())?.failures).toBe(0)
  // A dry run writes nothing, and is in nobody's way.
  expect(await syncCatalogue(asOperator(at(5)), other, { ...options, isDry: true })).toMatchObject({
    drafts: 1,
  })
  expect(await syncWhenDue(at(20), other)).toMatchObject({ drafts: 1 })
  answer.resolve([pack('old', 100n)])
  await expect(slow).rejects.toThrow('still_running')
  const products = await database.ctx.db.selectFrom('supplier_product').select('product').execute()
  expect(products).toEqual([{ product: 'new' }])
  expect((await listRuns(database.ctx.db, CODE)).map(({ outcome }) => outcome)).toEqual([
    'done',
    'lost',
  ])
})

test('a run that is stopped between two pages is lost, and due at once', async () => {
  await schedule(HOUR)
  const stopping = new AbortController()
  const pages = {
    code: CODE,
    catalogue: async (cursor: string | null): Promise<CataloguePage> => {
      stopping.abort(new Error('the process ends'))
      return { products: [pack(`p${cursor ?? ''}`, 100n)], unread: [], next: `${cursor ?? ''}1` }
    },
  }
  expect(await syncWhenDue(at(1), pages, stopping.signal)).toBeNull()
  expect(await state()).toMatchObject({ outcome: 'lost', failures: 0 })
  expect(
    await syncWhenDue(
      at(2),
      lister(() => [pack('s', 100n)]),
    ),
  ).toMatchObject({ drafts: 1 })
})

test('a name longer than 200 characters is refused at its entry, with a line in the report; everything else goes on, and goes', async () => {
  await schedule(HOUR)
  const long = 'x'.repeat(201)
  const first = [pack('e', 100n), pack('f', 100n), pack(long, 100n)]
  const report = await syncWhenDue(
    at(1),
    lister(() => first),
  )
  expect(report).toMatchObject({ listed: 2, drafts: 2, refused: 1, unread: 0 })
  expect(report?.lines).toEqual([{ product: 'x'.repeat(80), why: 'id' }])
  expect((await listRuns(database.ctx.db, CODE))[0]?.report?.lines).toEqual(report?.lines)
  // A product that is listed in a way that cannot be kept is not gone; one that is not listed is.
  const hidden: SupplyProduct = {
    ...pack('e', 100n),
    fields: [{ name: 'a\u0000', type: 'text', isRequired: true, options: [] }],
  }
  expect(
    await syncWhenDue(
      at(70),
      lister(() => [hidden, pack(long, 100n)]),
    ),
  ).toMatchObject({
    refused: 2,
    gone: 1,
    lines: [{ why: 'field' }, { why: 'id' }],
  })
})

test('runs are forgotten after a month, but for the last of a supplier', async () => {
  await schedule(HOUR)
  const supplier = lister(() => [pack('a', 100n)])
  await syncWhenDue(at(1), supplier)
  await syncWhenDue(at(70), supplier)
  await forgetRuns(at(29 * 24 * 60))
  expect(await listRuns(database.ctx.db, CODE)).toHaveLength(2)
  await forgetRuns(at(40 * 24 * 60))
  expect(await listRuns(database.ctx.db, CODE)).toHaveLength(1)
})
