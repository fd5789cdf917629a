import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { makeChange, tryChange } from '#features/goods/editing/commands.ts'
import type { Edit } from '#features/goods/editing/rules.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { holdPriceEffect, forgetPriceEffects } from '#features/goods/price-limit/commands.ts'
import { ALL_PRICES, COUNTED_DAYS, KEPT_DAYS } from '#features/goods/price-limit/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { createPricer } from '#features/goods/price/engine/pricer.ts'
import { explainPrice, listRules, readWorld } from '#features/goods/price/queries.ts'
import { offerDemoGoods } from '#features/supply/routing/commands.ts'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { inTurn } from '#features/team/approval/commands.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { within } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { useDemoDatabase } from '../../../../test/support/demo-database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { changePrices, holdGoodsPrices, tryPrices, tryWaitingGoods } from './commands.ts'
import type { PriceChange } from './schema.ts'

const CODE = 'card:vapour:us:20'
const DAY = 24 * 60
const database = useDatabase()
const demo = useDemoDatabase()
let owner: OperatorCtx
let serial = 0

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  owner = await firstOwner(database.ctx)
})
afterEach(async () => {
  for (const { publicId } of await listWaiting(database.ctx.db, new Date(), 10))
    await refuseAct(owner, publicId, 'the test is over')
  for (const { id, validUntil } of await listRules(database.ctx.db))
    if (validUntil === null) await changePrices(owner, { path: 'rule_end', id }, null)
  await database.ctx.db.deleteFrom('setting').execute()
})

/** Somebody whose changes nothing counts against yet. */
const catalogue = () => hire(owner, 'catalogue', `prices${(serial += 1)}`)
const idOf = async (code: string) =>
  (
    await database.ctx.db
      .selectFrom('item')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).id
const own = (minor: string | null, currency = 'JPY'): PriceChange => ({
  path: 'own',
  item: CODE,
  currency,
  minor,
})
const priceNow = async (currency = 'JPY', level = 0) =>
  (await explainPrice(database.ctx.db, CODE, { currency, level, at: new Date() }))?.priced.minor
const rule = (basisPoints: number, more: Partial<Extract<PriceChange, { path: 'rule' }>> = {}) =>
  ({
    path: 'rule',
    brand: null,
    supplier: null,
    region: null,
    currency: null,
    basis_points: basisPoints,
    valid_from: null,
    replaces: null,
    ...more,
  }) as const satisfies PriceChange
async function cost(minor: bigint) {
  await database.ctx.db
    .updateTable('item')
    .set({ cost_minor: minor, cost_currency: 'USD' })
    .where('code', '=', CODE)
    .execute()
}

test('the quick way to a price is the chain, for every price of the demo under every kind of terms', async () => {
  await offerDemoGoods(demo.ctx, 'hook')
  const shop = await loadSnapshot(demo.ctx.db, 1)
  const { pricing } = shop
  const rules = [
    { id: 'a', basisPoints: 750, brand: null, supplier: null, region: null, currency: null },
    { id: 'b', basisPoints: 20, brand: null, supplier: null, region: null, currency: 'EUR' },
  ].map((one) => ({ ...one, validFrom: new Date(0), validUntil: null }))
  const charms = { USD: { endingMinor: 99n, everyMinor: 100n } }
  const floor = { basisPoints: 300, isAfterFees: true }
  for (const terms of [
    pricing,
    { ...pricing, rules },
    { ...pricing, rules, terms: { ...pricing.terms, floor, charms } },
    { ...pricing, terms: { ...pricing.terms, floor } },
  ]) {
    const price = createPricer(terms)
    let count = 0
    for (const { items } of shop.catalogue.products)
      for (const item of items)
        for (const currency of shop.currencies) {
          const exact = priceOf(terms, item, currency)
          const quick = price(item, currency.code)
          const told = quick.isBelowFloor ? null : quick.minor
          if (told !== exact.minor) expect([item.code, currency.code, told]).toEqual([exact.minor])
          count += 1
        }
    expect(count).toBeGreaterThan(50_000)
  }
})

test('what is tried changes nothing; made, it is what was tried; taken back, it was never there', async () => {
  await cost(1_500n)
  const before = await priceNow()
  const wanted = rule(1_000, { brand: 'vapour' })
  const tried = await tryPrices(owner, wanted)
  expect(await priceNow()).toBe(before)
  expect(await listRules(database.ctx.db)).toEqual([])
  const top = present(
    tried.effect.top.find(({ code }) => code === CODE),
    'a price',
  )
  const made = await changePrices(owner, wanted, tried.seen)
  const { priced } = present(
    await explainPrice(database.ctx.db, CODE, {
      currency: top.currency,
      level: 0,
      at: new Date(),
    }),
    'a price',
  )
  expect(priced.minor).toBe(top.after)
  await changePrices(owner, present(made.undo, 'what takes it back'), null)
  expect(await priceNow()).toBe(before)
  expect((await tryPrices(owner, rule(1_000, { brand: 'vapour' }))).seen).toBe(tried.seen)
})

test('what does something else by now than what was seen is not made', async () => {
  await cost(1_500n)
  const { seen } = await tryPrices(owner, rule(1_000))
  await cost(1_600n)
  expect((await refused(changePrices(owner, rule(1_000), seen))).code).toBe('changed_meanwhile')
  expect(await listRules(database.ctx.db)).toEqual([])
})

test('rules that contradict each other, moments that have passed and what the shop does not have are refused at their field', async () => {
  await cost(1_500n)
  const { rule: first } = await changePrices(owner, rule(1_000), null)
  const fieldsOf = async (change: PriceChange) => (await refused(tryPrices(owner, change))).fields
  expect(await fieldsOf(rule(1_200))).toEqual({ basis_points: 'rule_overlaps' })
  expect(await fieldsOf(rule(1_200, { valid_from: '2020-01-01T00:00:00Z' }))).toEqual({
    valid_from: 'date_passed',
  })
  expect(await fieldsOf(rule(1, { brand: 'nobody' }))).toEqual({ brand: 'not_allowed' })
  expect(await fieldsOf({ ...own('100'), currency: 'ZZZ' } as PriceChange)).toEqual({
    currency: 'currency_unknown',
  })
  expect(await fieldsOf({ path: 'own', item: 'card:no:x:1', currency: 'JPY', minor: '1' })).toEqual(
    { item: 'not_sold' },
  )
  // In its place it may stand.
  const made = await changePrices(owner, rule(1_200, { replaces: first }), null)
  expect((await listRules(database.ctx.db)).map(({ basisPoints }) => basisPoints)).toEqual([1_200])
  await changePrices(owner, present(made.undo, 'what takes it back'), null)
  expect((await listRules(database.ctx.db)).map(({ basisPoints }) => basisPoints)).toEqual([1_000])
})

test('a limit counts what somebody did to one price within seven days by whatever path, and what is above it waits', async () => {
  const somebody = await catalogue()
  const base = present(await priceNow(), 'a price')
  const down = (percent: bigint) => own(((base * (100n - percent)) / 100n).toString())
  expect((await changePrices(somebody, down(6n), null)).waits).toBeNull()
  const more = await changePrices(somebody, down(12n), null)
  expect(more.waits).not.toBeNull()
  expect(await priceNow()).toBe((base * 94n) / 100n)
  // By another path it is the same price.
  const id = await idOf(CODE)
  const byEditor = await inTurn(somebody, (tx, now) =>
    holdPriceEffect(tx, somebody, now, {
      moves: [{ item: id, price: ALL_PRICES, before: 1_000n, after: 940n }],
      subject: 'item',
      details: { path: 'items' },
    }),
  )
  expect(byEditor).not.toBeNull()
  // Another may go as far; and back is no further.
  expect((await changePrices(await catalogue(), own(base.toString()), null)).waits).toBeNull()
  const later = { ...somebody, now: minutesLater(database.ctx, (COUNTED_DAYS + 1) * DAY).now }
  expect((await tryPrices(later, down(9n))).needsAnother).toBe(false)
  await changePrices(owner, own(null), null)
})

test('what waits is done once another approves it, as it was asked for, and not where it does more by now', async () => {
  const somebody = await catalogue()
  const base = present(await priceNow(), 'a price')
  const half = own((base / 2n).toString())
  const tried = await tryPrices(somebody, half)
  expect(tried).toMatchObject({ needsAnother: true, limit: 1_000 })
  const { waits } = await changePrices(somebody, half, tried.seen)
  expect((await refused(approveAct(somebody, waits ?? ''))).code).toBe('forbidden')
  await approveAct(owner, waits ?? '')
  expect(await priceNow()).toBe(base / 2n)
  await changePrices(owner, own(null), null)

  await cost(1_500n)
  const { waits: late } = await changePrices(somebody, rule(5_000), null)
  await cost(900n)
  expect((await refused(approveAct(owner, late ?? ''))).code).toBe('changed_meanwhile')
  expect(await listRules(database.ctx.db)).toEqual([])
})

test('the floor, a currency’s rounding, a level and its price, and a rate by hand are tried, made and taken back alike', async () => {
  await cost(1_500n)
  const changes: readonly PriceChange[] = [
    { path: 'floor', floor: { basis_points: 3_000, after_fees: false } },
    {
      path: 'currency',
      currency: 'JPY',
      margin_basis_points: 500,
      rounding_increment: '50',
      rounding_mode: 'up',
      charm: { ending_minor: 80, every_minor: 100 },
    },
    { path: 'level', level: 2, off_basis_points: 700 },
    { path: 'level_price', item: CODE, level: 3, price: { minor: '1500', currency: 'USD' } },
    { path: 'rate', currency: 'JPY', per_usd: '158' },
  ]
  const world = async () => {
    const { items, pricing } = await readWorld(database.ctx.db, [CODE])
    const item = present(items[0], CODE)
    return ['USD', 'JPY'].flatMap((code) =>
      [0, 2, 3].map((level) => {
        const terms = { level, price: item.levels.get(level) ?? null }
        return priceOf(pricing, item, present(pricing.currencies.get(code), code), terms).minor
      }),
    )
  }
  const before = await world()
  for (const change of changes) {
    const { seen } = await tryPrices(owner, change)
    expect([change.path, await world()]).toEqual([change.path, before])
    const made = await changePrices(owner, change, seen)
    if (made.rate === null || made.rate === 'in_force')
      expect([change.path, await world()]).not.toEqual([change.path, before])
    if (made.undo) await changePrices(owner, made.undo, null)
    expect([change.path, await world()]).toEqual([change.path, before])
  }
})

const AIRTIME = 'air:us-bell:10'
const edit = (field: string, to: Edit['to'], code = CODE): Edit => ({
  subject: 'item',
  code,
  field,
  to,
})
/** Edits goods as the console does. */
async function editGoods(ctx: OperatorCtx, ...edits: Edit[]) {
  const asked = { edits }
  const { hash } = await tryChange(ctx, asked)
  const given = { asked, kind: 'inline', hash, note: '', isPartial: false } as const
  const key = `edit-${(serial += 1)}-of-goods`
  return makeChange(ctx, { ...given, key }, holdGoodsPrices)
}

test('an edit of goods counts by what an item costs after it, also where a price comes, goes or is made of something else', async () => {
  await cost(1_500n)
  await changePrices(owner, rule(1_000, { brand: 'vapour', currency: 'USD' }), null)
  const far: readonly Edit[] = [
    edit('prices', { JPY: '1' }),
    edit('levels', { '1': { minor: '1', currency: 'USD' } }),
    edit('cost', { minor: '100', currency: 'USD' }),
    edit('price', { minor: '104', currency: 'JPY' }, AIRTIME),
    edit('face', { minor: '10000', currency: 'USD' }, AIRTIME),
  ]
  for (const one of far) {
    const made = await editGoods(await catalogue(), one)
    expect([one.field, made.change, made.waits === null]).toEqual([one.field, null, false])
  }
  const somebody = await catalogue()
  const base = present(await priceNow(), 'a price')
  const near = edit('prices', { JPY: ((base * 95n) / 100n).toString() })
  expect((await editGoods(somebody, near)).waits).toBeNull()
  const further = edit('prices', { JPY: ((base * 87n) / 100n).toString() })
  const { waits } = await editGoods(somebody, further)
  expect(waits).not.toBeNull()
  expect(await tryWaitingGoods(owner, waits ?? '')).toMatchObject({
    goods: 1,
    samples: [{ code: CODE, field: 'prices', after: further.to }],
  })
  expect(await priceNow()).toBe((base * 95n) / 100n)
  await editGoods(owner, edit('prices', null))
})

test('what moves no price takes no leave to move them', async () => {
  const somebody = await catalogue()
  const editor = {
    ...somebody,
    operator: within(somebody.operator, ['product.read', 'product.change']),
  }
  const made = await editGoods(editor, edit('position', 77))
  expect([made.waits, made.rows]).toEqual([null, 1])
})

test('what is not on sale counts as well, as it may be once its price is another', async () => {
  const { db } = database.ctx
  await cost(1_500n)
  await changePrices(owner, rule(5_000), null)
  const [held] = await listRules(db)
  await sql`update item set status = 'suspended'`.execute(db)
  try {
    const lower = rule(1_000, { replaces: present(held, 'a rule').id })
    const tried = await tryPrices(await catalogue(), lower)
    expect(tried.effect).toMatchObject({ items: 0, pricesChanged: 0 })
    expect(tried.needsAnother).toBe(true)
    const made = await changePrices(await catalogue(), lower, null)
    expect(made.waits).not.toBeNull()
  } finally {
    await sql`update item set status = 'active'`.execute(db)
  }
})

test('what changes did is forgotten once it counts no more', async () => {
  await changePrices(await catalogue(), own((present(await priceNow(), 'x') + 1n).toString()), null)
  const left = async () =>
    (await database.ctx.db.selectFrom('price_effect').select('id').execute()).length
  expect(await left()).toBeGreaterThan(0)
  expect(await forgetPriceEffects(database.ctx)).toBe(0)
  const later = { ...database.ctx, now: minutesLater(database.ctx, (KEPT_DAYS + 1) * DAY).now }
  await forgetPriceEffects(later)
  expect(await left()).toBe(0)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from price_effect_item`.execute(database.ctx.db)
  expect(rows[0]?.count).toBe(0)
})
