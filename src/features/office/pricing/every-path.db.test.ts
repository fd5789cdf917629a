import { afterEach, beforeAll, expect, test } from 'vitest'
import { tryChange, tryUndo, makeChange, undoChange } from '#features/goods/editing/commands.ts'
import { listChanges } from '#features/goods/editing/queries.ts'
import type { Edit } from '#features/goods/editing/rules.ts'
import { listRules } from '#features/goods/price/queries.ts'
import { importCatalogueByOperator } from '#features/goods/transfer/commands.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { registerSuppliers, setItemRoute, setOffer } from '#features/supply/routing/commands.ts'
import {
  acceptCosts,
  excludeListing,
  wishSync,
  withdrawOffer,
} from '#features/supply/sync/commands.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import { PRICES_WAITING } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import {
  importSmallCatalogue,
  smallCatalogue,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { changePrices, holdGoodsPrices } from './commands.ts'
import type { PriceChange } from './schema.ts'

const CODE = 'card:vapour:us:20'
const database = useDatabase()
let owner: OperatorCtx
let serial = 0

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await registerSuppliers(database.ctx, ['one', 'two'])
  owner = await firstOwner(database.ctx)
})
afterEach(async () => {
  const { db } = database.ctx
  for (const { publicId } of await listWaiting(db, new Date(), 200))
    await refuseAct(owner, publicId, 'the test is over')
  for (const { id, validUntil } of await listRules(db))
    if (validUntil === null) await changePrices(owner, { path: 'rule_end', id }, null)
  for (const table of ['supplier_offer', 'item_route', 'supplier_product'] as const)
    await db.deleteFrom(table).execute()
})

/** Somebody whose changes nothing counts against yet: they may move a price by ten percent. */
const somebody = () => hire(owner, 'catalogue', `prices${(serial += 1)}`)
const rule = (basisPoints: number, region: string | null = null): PriceChange => ({
  path: 'rule',
  brand: null,
  supplier: null,
  region,
  currency: null,
  basis_points: basisPoints,
  valid_from: null,
  replaces: null,
})
const offer = (ctx: OperatorCtx, supplier: string, priority: number, minor: bigint) =>
  setOffer(ctx, {
    item: CODE,
    supplier,
    product: 'sku',
    priority,
    face: null,
    cost: { minor, currency: 'USD' },
  })
const offers = async () =>
  (
    await database.ctx.db
      .selectFrom('supplier_offer')
      .select(['supplier', 'cost_minor as cost', 'is_on as isOn'])
      .orderBy('supplier')
      .execute()
  ).map(({ supplier, cost, isOn }) => `${supplier} ${cost}${isOn ? '' : ' off'}`)

async function edit(ctx: OperatorCtx, ...edits: readonly Edit[]) {
  const asked = { edits }
  const { hash } = await tryChange(ctx, asked)
  const given = { asked, kind: 'inline', hash, note: '', isPartial: false } as const
  return makeChange(ctx, { ...given, key: `edit-${(serial += 1)}-of-goods` }, holdGoodsPrices)
}
const priceTo = (minor: string): Edit => ({
  subject: 'item',
  code: CODE,
  field: 'price',
  to: { minor, currency: 'USD' },
})

test('a supplier’s cost that somebody types counts as theirs; above the limit it waits, and is written once another approves it', async () => {
  await changePrices(owner, rule(1_000), null)
  const [one, approver] = [await somebody(), owner]
  expect(await offer(one, 'one', 0, 1_900n)).not.toBeNull()
  expect(await offers()).toEqual([])
  const near = await somebody()
  await changePrices(owner, rule(1_000, 'us'), null)
  await offer(owner, 'one', 0, 1_500n)
  expect(await offer(near, 'one', 0, 1_450n)).toBeNull()
  // Behind another it makes no price yet.
  expect(await offer(near, 'two', 1, 1n)).toBeNull()
  const waits = await withdrawOffer(near, 'one', CODE)
  expect(waits).not.toBeNull()
  expect(await offers()).toEqual(['one 1450', 'two 1'])
  await approveAct(approver, waits ?? '')
  expect(await offers()).toEqual(['one 1450 off', 'two 1'])
  const far = await offer(await somebody(), 'two', 1, 900n)
  await approveAct(approver, far ?? '')
  expect(await offers()).toEqual(['one 1450 off', 'two 900'])
})

test('what was asked for does not do more by the time it is approved', async () => {
  await changePrices(owner, rule(1_000), null)
  await offer(owner, 'one', 0, 1_500n)
  const waits = await offer(await somebody(), 'one', 0, 1_200n)
  await offer(owner, 'one', 0, 3_000n)
  expect((await refused(approveAct(owner, waits ?? ''))).code).toBe('changed_meanwhile')
  expect(await offers()).toEqual(['one 3000'])
})

test('the order of suppliers moves no price; more that may be lost counts like a lower one', async () => {
  const ctx = await somebody()
  const route = { item: CODE, rule: null, lossBasisPoints: null } as const
  expect((await setItemRoute(ctx, { ...route, rule: ['cost'] })).waits).toBeNull()
  expect((await setItemRoute(ctx, { ...route, lossBasisPoints: 600 })).waits).toBeNull()
  expect((await setItemRoute(ctx, { ...route, lossBasisPoints: 100 })).waits).toBeNull()
  const { waits } = await setItemRoute(ctx, { ...route, lossBasisPoints: 700 })
  expect(waits).not.toBeNull()
  const held = () =>
    database.ctx.db.selectFrom('item_route').select('loss_basis_points').executeTakeFirst()
  expect(await held()).toEqual({ loss_basis_points: 100 })
  await approveAct(owner, waits ?? '')
  expect(await held()).toEqual({ loss_basis_points: 700 })
  // With a price that they have moved it is one sum.
  const other = await somebody()
  expect((await edit(other, priceTo('1805'))).waits).toBeNull()
  const again = await setItemRoute(other, { ...route, lossBasisPoints: 1_400 })
  expect(again.waits).not.toBeNull()
  await edit(owner, priceTo('1900'))
})

test('a cost that jumped is taken by whoever may move prices so far, and what a sync would take unseen likewise', async () => {
  await changePrices(owner, rule(1_000), null)
  await offer(owner, 'one', 0, 1_000n)
  await offer(owner, 'two', 1, 1_600n)
  const item = await database.ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', CODE)
    .executeTakeFirstOrThrow()
  const named = { supplier: 'one', product: 'sku', face: '' }
  const now = new Date()
  await database.ctx.db
    .insertInto('supplier_product')
    .values({
      ...named,
      kind: 'giftcard',
      brand: 'Vapour',
      name: 'Vapour 20',
      cost_minor: 1_500n,
      cost_currency: 'USD',
      item: item.id,
      status: 'mapped',
      matched_by: 'hand',
      held_minor: 1_500n,
      held_currency: 'USD',
      held_at: now,
      first_seen_at: now,
      seen_at: now,
    } as never)
    .execute()
  const seen = [{ ...named, cost: { minor: 1_500n, currency: 'USD' } }]
  const ctx = await somebody()
  expect((await refused(acceptCosts(ctx, seen))).code).toBe('forbidden')
  expect((await refused(excludeListing(ctx, named, true))).code).toBe('forbidden')
  const unseen = { isDry: false, appliesJumps: true }
  expect((await refused(wishSync(ctx, 'one', unseen))).code).toBe('forbidden')
  expect(await acceptCosts(owner, seen)).toBe(1)
  expect(await offers()).toEqual(['one 1500', 'two 1600'])
  expect(await excludeListing(ctx, named, true)).toBeUndefined()
})

test('another region has another rule: goods that move there cost something else by whoever moves them', async () => {
  await changePrices(owner, rule(1_000, 'us'), null)
  await changePrices(owner, rule(5_000, 'global'), null)
  const region = (to: string): Edit => ({
    subject: 'product',
    code: 'vapour-us',
    field: 'region',
    to,
  })
  const ctx = await somebody()
  const made = await edit(ctx, region('global'))
  expect([made.change, made.waits === null]).toEqual([null, false])
  await approveAct(owner, made.waits ?? '')
  const { region: now } = await database.ctx.db
    .selectFrom('product')
    .select('region')
    .where('code', '=', 'vapour-us')
    .executeTakeFirstOrThrow()
  expect(now).toBe('global')
  // Where no rule tells the two apart it moves no price.
  for (const { id } of await listRules(database.ctx.db))
    await changePrices(owner, { path: 'rule_end', id }, null)
  expect((await edit(ctx, region('us'))).waits).toBeNull()
})

test('a folder that somebody brings counts by what goods cost after it, whatever of it makes the price', async () => {
  await changePrices(owner, rule(1_000), null)
  await edit(owner, {
    subject: 'item',
    code: CODE,
    field: 'prices',
    to: { JPY: '9000' },
  })
  const ctx = await somebody()
  const bring = (change: (item: Record<string, unknown>, all: any) => void) => {
    const documents = smallCatalogue()
    const [, item] = documents['brands/gift_card/vapour.json'].products[0]?.items ?? []
    const own = { prices: { JPY: '9000' } }
    Object.assign(item ?? {}, own)
    change(item ?? {}, documents)
    return importCatalogueByOperator(ctx, writeFolder(documents))
  }
  await database.ctx.db.updateTable('item').set({ locked_fields: [] }).execute()
  expect((await bring(() => {})).faults).toEqual([])
  const far: readonly (readonly [string, Parameters<typeof bring>[0]])[] = [
    ['a cost', (item) => (item['cost'] = 'JPY 1500')],
    ['a price of its own that goes', (item) => delete item['prices']],
    ['a price for a level', (item) => (item['levels'] = { '1': '1' })],
    [
      'the rounding of a currency',
      (_, all) => (all['currencies.json'].currencies[1].rounding = '1000'),
    ],
  ]
  for (const [what, change] of far)
    expect([what, (await refused(bring(change))).code]).toEqual([what, 'forbidden'])
  // A little of it is theirs to do.
  expect((await bring((item) => (item['cost'] = 'JPY 2450'))).faults).toEqual([])
  await importSmallCatalogue(database.ctx)
})

test('taking back a change of goods that waited is marked as one once it is approved, and frees what it locked', async () => {
  const { db } = database.ctx
  await edit(owner, priceTo('1000'))
  const [last] = await listChanges(db, null, 1)
  const change = last?.id ?? ''
  const ctx = await somebody()
  const { hash } = await tryUndo(ctx, change)
  const asked = { key: `undo-${(serial += 1)}-of-goods`, change, hash }
  const { waits } = await undoChange(ctx, asked, holdGoodsPrices)
  expect((await listChanges(db, null, 1))[0]).toMatchObject({ id: change, undoneBy: null })
  await approveAct(owner, waits ?? '')
  const [undo, undone] = await listChanges(db, null, 2)
  expect(undo).toMatchObject({ kind: 'undo' })
  expect(undone).toMatchObject({ id: change, undoneBy: undo?.id })
  expect((await refused(tryUndo(owner, change))).code).toBe('not_found')
  // Asked for by one, done by another meanwhile: there is nothing left to approve.
  await edit(owner, priceTo('1000'))
  const [next] = await listChanges(db, null, 1)
  const other = { change: next?.id ?? '', hash: (await tryUndo(ctx, next?.id ?? '')).hash }
  const late = await undoChange(
    ctx,
    { ...other, key: `undo-${(serial += 1)}-late` },
    holdGoodsPrices,
  )
  await undoChange(owner, { ...other, key: `undo-${(serial += 1)}-now` }, holdGoodsPrices)
  expect((await refused(approveAct(owner, late.waits ?? ''))).code).toBe('changed_meanwhile')
})

test('so many changes wait of one person and no more, and the same one asked for again is one', async () => {
  const ctx = await somebody()
  for (let count = 0; count < PRICES_WAITING.each; count += 1)
    expect((await edit(ctx, priceTo(String(100 + count)))).waits).not.toBeNull()
  expect((await refused(edit(ctx, priceTo('99')))).code).toBe('too_many_waiting')
  expect((await edit(ctx, priceTo('100'))).waits).not.toBeNull()
  expect((await edit(await somebody(), priceTo('99'))).waits).not.toBeNull()
})
