import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { actingAs, createOperator, type OperatorCtx } from '#features/team/operator/commands.ts'
import { within } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { isAppError } from '#kernel/error.ts'
import {
  importSmallCatalogue,
  smallCatalogue,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, OPERATOR_PASSWORD } from '../../../../test/support/operators.ts'
import {
  makeChange,
  setLocks,
  tryChange,
  tryUndo,
  undoChange,
  type AskedChange,
} from './commands.ts'
import { listChanges, listGoods, listHistory, type GoodsFilter } from './queries.ts'
import type { Edit, Json } from './rules.ts'

const database = useDatabase()
const TEN = 'card:vapour:us:10'
const TWENTY = 'card:vapour:us:20'
const PACK = 'game:dragon-quarry:global:1200'
const usd = (minor: string) => ({ minor, currency: 'USD' })
const priceOf = (to: string, from?: string, code = TEN): Edit => ({
  subject: 'item',
  code,
  field: 'price',
  ...(from === undefined ? {} : { from: usd(from) }),
  to: usd(to),
})

let owner: OperatorCtx
let keys = 0

beforeEach(async () => {
  const { db } = database.ctx
  await sql`truncate goods_change_row, goods_change`.execute(db)
  await sql`update item set locked_fields = '{}'`.execute(db)
  await sql`update product set locked_fields = '{}'`.execute(db)
  await sql`update brand set locked_fields = '{}'`.execute(db)
  await importSmallCatalogue(database.ctx)
  const known = await db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', 'mara')
    .executeTakeFirst()
  owner = known
    ? actingAs(database.ctx, { id: known.id, name: known.name, role: 'owner' })
    : await firstOwner(database.ctx)
})

async function make(asked: AskedChange, isPartial = false, ctx = owner) {
  const effect = await tryChange(ctx, asked)
  const given = { asked, kind: 'inline', hash: effect.hash, note: '', isPartial } as const
  return makeChange(ctx, { ...given, key: `key-${(keys += 1)}-abcdef` }, null)
}

const item = (code: string) =>
  database.ctx.db.selectFrom('item').selectAll().where('code', '=', code).executeTakeFirstOrThrow()

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw new Error('was not refused', { cause: error })
  return error
}

describe('editing goods', () => {
  test('a price is told, made, kept with what it was, and locked against imports', async () => {
    const effect = await tryChange(owner, { edits: [priceOf('999', '950')] })
    expect(effect).toMatchObject({
      goods: 1,
      fields: { price: 1 },
      prices: { count: 1, up: 1, down: 0, least: 515, median: 515, most: 515 },
      faults: [],
      conflicts: [],
      samples: [{ code: TEN, before: usd('950'), after: usd('999') }],
    })
    const made = await make({ edits: [priceOf('999', '950')] })
    expect(await item(TEN)).toMatchObject({ price_minor: '999', locked_fields: ['price'] })
    expect(
      await listHistory(database.ctx.db, 'item', TEN, { before: null, limit: 10 }),
    ).toMatchObject([
      { change: made.change, field: 'price', before: usd('950'), after: usd('999') },
    ])
    const audit = await database.ctx.db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({
      action: 'update',
      subject: 'item',
      subject_code: TEN,
      actor: owner.actor,
    })
    const input = await database.ctx.db
      .selectFrom('price_input')
      .select('value')
      .where('kind', '=', 'item')
      .where('subject', '=', (await item(TEN)).id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(input.value).toMatchObject({ price_minor: '999' })
    expect((await importCatalogue(database.ctx, writeFolder(smallCatalogue()))).faults).toEqual([])
    expect(await item(TEN)).toMatchObject({ price_minor: '999' })
  })

  test('an unlocked field follows the next import again', async () => {
    await make({ edits: [priceOf('999')] })
    await setLocks(owner, { subject: 'item', code: TEN, fields: ['price'], isLocked: false })
    await importCatalogue(database.ctx, writeFolder(smallCatalogue()))
    expect(await item(TEN)).toMatchObject({ price_minor: '950', locked_fields: [] })
  })

  test('of two editors who looked at the same price the second is told, and nothing of theirs is made', async () => {
    await make({ edits: [priceOf('960', '950')] })
    const both: AskedChange = { edits: [priceOf('970', '950'), priceOf('1890', '1900', TWENTY)] }
    const effect = await tryChange(owner, both)
    expect(effect.conflicts).toEqual([
      {
        subject: 'item',
        code: TEN,
        field: 'price',
        from: usd('950'),
        present: usd('960'),
        to: usd('970'),
      },
    ])
    expect(await refusal(make(both))).toMatchObject({
      code: 'check_fields',
      data: { effect: { conflicts: [{ present: usd('960') }] } },
    })
    expect(await item(TWENTY)).toMatchObject({ price_minor: '1900' })
    await make(both, true)
    expect(await item(TEN)).toMatchObject({ price_minor: '960' })
    expect(await item(TWENTY)).toMatchObject({ price_minor: '1890' })
  })

  test('editors of two fields of one item both have what they wanted', async () => {
    const [one, other] = await Promise.all([
      tryChange(owner, { edits: [priceOf('965', '950')] }),
      tryChange(owner, {
        edits: [{ subject: 'item', code: TEN, field: 'stock', from: 0, to: 5 }],
      }),
    ])
    const given = { kind: 'inline', note: '', isPartial: false } as const
    await Promise.all([
      makeChange(
        owner,
        {
          ...given,
          key: 'first-editor',
          hash: one.hash,
          asked: { edits: [priceOf('965', '950')] },
        },
        null,
      ),
      makeChange(
        owner,
        {
          ...given,
          key: 'second-editor',
          hash: other.hash,
          asked: { edits: [{ subject: 'item', code: TEN, field: 'stock', from: 0, to: 5 }] },
        },
        null,
      ),
    ])
    expect(await item(TEN)).toMatchObject({ price_minor: '965', stock: 5 })
  })

  test('what moved since it was told is told anew, and not made', async () => {
    const asked: AskedChange = { rule: { by: 'percent', basisPoints: -500 }, codes: [TEN, TWENTY] }
    const effect = await tryChange(owner, asked)
    await make({ edits: [priceOf('940')] })
    const error = await refusal(
      makeChange(
        owner,
        { asked, kind: 'bulk', hash: effect.hash, note: '', isPartial: false, key: 'moved-since' },
        null,
      ),
    )
    expect(error.code).toBe('changed_meanwhile')
    const now = (error.data as { effect: typeof effect }).effect
    expect(now.samples[0]).toMatchObject({ before: usd('940'), after: usd('893') })
    expect(await item(TWENTY)).toMatchObject({ price_minor: '1900' })
  })

  test('an act with the same key is done once', async () => {
    const asked: AskedChange = { edits: [priceOf('961', '950')] }
    const { hash } = await tryChange(owner, asked)
    const given = {
      asked,
      kind: 'inline',
      hash,
      note: '',
      isPartial: false,
      key: 'once-only',
    } as const
    const [one, again] = [
      await makeChange(owner, given, null),
      await makeChange(owner, given, null),
    ]
    expect(again).toEqual(one)
    expect(await listChanges(database.ctx.db, null, 10)).toHaveLength(1)
  })
})

describe('what is wrong is told at its place', () => {
  const wrong: readonly (readonly [string, Json, string])[] = [
    ['price', usd('0'), 'above_zero'],
    ['price', '9.50', 'wrong_type'],
    ['price', null, 'required'],
    ['price', { minor: '100', currency: 'XYZ' }, 'amount_digits'],
    ['market', usd('900'), 'below_price'],
    ['market', { minor: '2000', currency: 'JPY' }, 'other_currency'],
    ['status', 'draft', 'not_allowed'],
    ['stock', -1, 'wrong_type'],
    ['buyer_countries', ['QQ'], 'country_unknown'],
    ['name', 'x'.repeat(500), 'too_long'],
    ['colour', 'red', 'unknown_field'],
  ]
  test.each(wrong)('%s %j', async (field, to, reason) => {
    const effect = await tryChange(owner, { edits: [{ subject: 'item', code: TEN, field, to }] })
    expect(effect.faults.map(({ field: at, reason: why }) => [at, why])).toEqual([[field, reason]])
    expect(effect.goods).toBe(0)
  })

  test('goods that are not there, and the rest of the change with them', async () => {
    const asked: AskedChange = {
      edits: [priceOf('100', undefined, 'card:no:such:1'), priceOf('940')],
    }
    const effect = await tryChange(owner, asked)
    expect(effect.faults).toMatchObject([{ code: 'card:no:such:1', reason: 'not_sold' }])
    expect(effect.goods).toBe(1)
    expect((await refusal(make(asked))).code).toBe('check_fields')
  })

  test('a price below its cost is told, and one that a rule makes as well', async () => {
    const effect = await tryChange(owner, { edits: [priceOf('900')] })
    expect(effect.belowCost).toEqual({ count: 1, codes: [TEN] })
    expect(effect.belowFloor.count).toBe(0)
    expect((await tryChange(owner, { edits: [priceOf('930')] })).belowCost.count).toBe(0)
  })

  test('whoever may not change prices is refused them and not the rest', async () => {
    const made = await createOperator(owner, {
      name: `support${(keys += 1)}`,
      role: 'support',
      password: OPERATOR_PASSWORD,
    })
    const support = actingAs(database.ctx, made)
    expect((await refusal(tryChange(support, { edits: [priceOf('940')] }))).code).toBe('forbidden')
    // Nor are they told what it is by asking to change what it is not.
    const editor = await createOperator(owner, {
      name: `editor${(keys += 1)}`,
      role: 'catalogue',
      password: OPERATOR_PASSWORD,
    })
    const scopes = ['product.read', 'product.change']
    const ctx = actingAs(database.ctx, within(editor, scopes))
    const guess: Edit = { subject: 'item', code: TEN, field: 'cost', from: usd('1'), to: usd('2') }
    expect((await refusal(tryChange(ctx, { edits: [guess] }))).code).toBe('forbidden')
  })
})

describe('brands and products', () => {
  test('every field is read as it is written, so that saying it again changes nothing', async () => {
    const edits: Edit[] = [
      { subject: 'brand', code: 'vapour', field: 'name', to: 'Vapour Card' },
      {
        subject: 'brand',
        code: 'vapour',
        field: 'categories',
        from: ['game-wallets'],
        to: ['cards'],
      },
      { subject: 'brand', code: 'vapour', field: 'aliases', from: null, to: ['VP'] },
      { subject: 'brand', code: 'vapour', field: 'hot', from: true, to: false },
      { subject: 'product', code: 'vapour-us', field: 'countries', from: ['US'], to: null },
      { subject: 'product', code: 'vapour-us', field: 'min_age', to: 18 },
      {
        subject: 'item',
        code: TEN,
        field: 'levels',
        from: { '1': usd('940') },
        to: { '1': usd('930'), '2': usd('925') },
      },
      { subject: 'item', code: PACK, field: 'units', from: 1200, to: 1300 },
      { subject: 'item', code: PACK, field: 'prices', to: { JPY: '3000' } },
    ]
    const made = await make({ edits })
    expect(made.rows).toBe(edits.length + 1)
    expect(await item(PACK)).toMatchObject({
      units: '1300',
      name: '1,300 + 50 Diamonds',
      own_prices: { JPY: '3000' },
    })
    const levels = await database.ctx.db
      .selectFrom('item_level_price')
      .select(['level', 'price_minor'])
      .orderBy('level')
      .execute()
    expect(levels).toEqual([
      { level: 1, price_minor: '930' },
      { level: 2, price_minor: '925' },
    ])
    expect(
      (await tryChange(owner, { edits: edits.map(({ from: _, ...edit }) => edit) })).goods,
    ).toBe(0)
    const { hash } = await tryUndo(owner, present(made.change, 'change'))
    await undoChange(
      owner,
      { key: 'undo-brands', change: present(made.change, 'change'), hash },
      null,
    )
    const report = await importCatalogue(database.ctx, writeFolder(smallCatalogue()))
    expect(report.changeCount).toBe(0)
  })

  test('a second product of a brand in one region is a fault at its region', async () => {
    const effect = await tryChange(owner, {
      edits: [{ subject: 'product', code: 'vapour-us', field: 'region', to: 'nowhere' }],
    })
    expect(effect.faults).toMatchObject([{ subject: 'product', field: 'region' }])
  })
})

describe('undo', () => {
  test('takes back what is still as it was made, tells the rest, and frees what it had locked', async () => {
    const made = await make({ edits: [priceOf('960', '950'), priceOf('1890', '1900', TWENTY)] })
    const change = present(made.change, 'change')
    await make({ edits: [priceOf('970', '960')] })
    const effect = await tryUndo(owner, change)
    expect(effect.conflicts).toMatchObject([{ code: TEN, present: usd('970') }])
    expect(effect.samples).toMatchObject([{ code: TWENTY, after: usd('1900') }])
    const undone = await undoChange(owner, { key: 'undo-1-key', change, hash: effect.hash }, null)
    expect(undone.rows).toBe(1)
    expect(await item(TEN)).toMatchObject({ price_minor: '970', locked_fields: ['price'] })
    expect(await item(TWENTY)).toMatchObject({ price_minor: '1900', locked_fields: [] })
    const list = await listChanges(database.ctx.db, null, 10)
    expect(list.map(({ kind }) => kind)).toEqual(['undo', 'inline', 'inline'])
    expect(list[2]).toMatchObject({ id: change, undoneBy: undone.change })
    expect((await refusal(tryUndo(owner, change))).code).toBe('not_found')
  })

  test('prices that somebody else must allow wait, and nothing is changed', async () => {
    const asked: AskedChange = { edits: [priceOf('500')] }
    const { hash } = await tryChange(owner, asked)
    const made = await makeChange(
      owner,
      { asked, kind: 'inline', hash, note: 'Sale', isPartial: false, key: 'waits-for-two' },
      (_tx, _ctx, _now, { moves, note }) =>
        Promise.resolve(`${note} ${moves.map(({ price, after }) => `${price} ${after}`).join()}`),
    )
    expect(made).toEqual({ change: null, rows: 0, waits: 'Sale * 500' })
    expect(await item(TEN)).toMatchObject({ price_minor: '950' })
  })
})

describe('many at once', () => {
  test('a rule over a list is one change, one line of the trail and one statement of prices', async () => {
    const { db } = database.ctx
    await sql`insert into item (id, code, product, kind, name, price_minor, price_currency, cost_minor, cost_currency, position, source, updated_at)
      select gen_random_uuid(), 'card:vapour:us:x' || n, 'vapour-us', 'edition', 'Edition ' || n, 1000 + n, 'USD', 900, 'USD', 100 + n, 'catalogue:other', now()
      from generate_series(1, 300) as n`.execute(db)
    const filter: GoodsFilter = { find: 'edition' }
    const asked: AskedChange = { rule: { by: 'percent', basisPoints: 500 }, filter }
    const effect = await tryChange(owner, asked)
    expect(effect).toMatchObject({ goods: 300, prices: { count: 300, up: 300 } })
    const made = await make(asked)
    expect(made.rows).toBe(300)
    expect(await item('card:vapour:us:x1')).toMatchObject({ price_minor: '1051' })
    const audit = await db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(audit[0]).toMatchObject({
      action: 'change',
      subject: 'goods_change',
      subject_code: made.change,
      after: { goods: 300, rows: 300 },
    })
    expect(audit[1]?.subject).not.toBe('goods_change')
    const over = await tryChange(owner, { rule: { by: 'over_cost', basisPoints: 1_000 }, filter })
    expect(over.samples[0]?.after).toEqual(usd('990'))
    const off = await make({ rule: { by: 'set', field: 'status', to: 'suspended' }, filter })
    expect(off.rows).toBe(300)
    const { hash } = await tryUndo(owner, present(off.change, 'change'))
    await undoChange(
      owner,
      { key: 'undo-300-key', change: present(off.change, 'change'), hash },
      null,
    )
    expect(await item('card:vapour:us:x1')).toMatchObject({ status: 'active', price_minor: '1051' })
    await sql`delete from item where source = 'catalogue:other'`.execute(db)
  })

  test('the list is narrowed and paged both ways by keys', async () => {
    const query = {
      floorBasisPoints: 0,
      now: database.ctx.now(),
      limit: 10,
      language: 'de',
    } as const
    const codes = async (
      filter: GoodsFilter,
      from: { key: string; direction: 'older' | 'newer' } | null = null,
    ) => (await listGoods(database.ctx.db, { ...query, filter, from })).map(({ code }) => code)
    const all = await codes({})
    expect(all).toHaveLength(6)
    // Where goods work is said in the language of who looks, as far as it was translated.
    await sql`insert into translation (subject, subject_code, field, language, text, origin, english_hash)
      values ('region', 'us', 'name', 'de', 'Vereinigte Staaten', 'human', '0123456789abcdef') on conflict do nothing`.execute(
      database.ctx.db,
    )
    const listed = await listGoods(database.ctx.db, {
      ...query,
      filter: { brand: 'vapour' },
      from: null,
    })
    expect(new Set(listed.map(({ regionName }) => regionName))).toEqual(
      new Set(['Vereinigte Staaten']),
    )
    expect(await codes({}, { key: all[2] ?? '', direction: 'older' })).toEqual(all.slice(3))
    expect(await codes({}, { key: all[2] ?? '', direction: 'newer' })).toEqual(all.slice(0, 2))
    expect(await codes({ find: 'vapour 20' })).toEqual([TWENTY])
    expect(await codes({ find: 'dragon qua' })).toHaveLength(2)
    expect(await codes({ find: 'gift card' })).toEqual([TEN, TWENTY])
    expect(await codes({ find: '!' })).toEqual([])
    expect(await codes({ kind: 'recharge' })).toHaveLength(2)
    expect(await codes({ brand: 'vapour', status: 'active' })).toEqual([TEN, TWENTY])
    expect(await codes({ status: 'suspended' })).toEqual([])
    expect(await codes({ stock: 'out' })).toEqual([TEN])
    expect(await codes({ withoutCost: true })).toHaveLength(4)
    await make({ edits: [priceOf('900')] })
    expect(await codes({ belowFloor: true })).toEqual([TEN])
    expect(await codes({ locked: true })).toEqual([TEN])
    expect(await codes({ changed: true })).toEqual([TEN])
  })
})

test('one fault keeps nothing else of its brand from being made', async () => {
  const effect = await tryChange(owner, {
    edits: [
      { subject: 'item', code: TEN, field: 'name', to: 'x'.repeat(500) },
      { subject: 'item', code: TEN, field: 'stock', to: 3 },
      priceOf('0', undefined, TWENTY),
      { subject: 'brand', code: 'vapour', field: 'name', to: 'Vapour' },
    ],
  })
  expect(effect.faults.map(({ code, field }) => [code, field])).toEqual([
    [TEN, 'name'],
    [TWENTY, 'price'],
  ])
  expect(effect.samples.map(({ field }) => field)).toEqual(['stock', 'name'])
})
