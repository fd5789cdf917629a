import { beforeEach, describe, expect, test } from 'vitest'
import { tryUndo, undoChange } from '#features/goods/editing/commands.ts'
import { listHistory } from '#features/goods/editing/queries.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { within } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import {
  importSmallCatalogue,
  smallCatalogue,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { makeGoods, tryGoods } from './commands.ts'
import type { Addition } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx
let keys = 0
let brands = 0

beforeEach(async () => {
  await importSmallCatalogue(database.ctx)
  const known = await database.ctx.db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', 'mara')
    .executeTakeFirst()
  owner = known
    ? actingAs(database.ctx, { id: known.id, name: known.name, role: 'owner' })
    : await firstOwner(database.ctx)
  brands += 1
})

const moon = () => `moon-card-${brands}`
const card = (more: Record<string, unknown> = {}): Addition => ({
  code: moon(),
  kind: 'gift_card',
  name: 'Moon Card',
  categories: ['game-wallets'],
  delivery: 'card_key',
  products: [
    {
      code: `${moon()}-us`,
      region: 'us',
      currency: 'USD',
      face_currency: 'USD',
      items: [{ code: `card:${moon()}:us:10`, kind: 'value', face: '10', price: '9.90', stock: 5 }],
    },
  ],
  ...more,
})

async function make(additions: readonly Addition[], isOnSale = false, ctx = owner) {
  const { hash } = await tryGoods(ctx, { additions, isOnSale })
  const given = { additions, isOnSale, hash, kind: 'editor', note: '' } as const
  return makeGoods(ctx, { ...given, key: `make-${(keys += 1)}-abcdef` })
}

const row = (table: 'brand' | 'product' | 'item', code: string) =>
  database.ctx.db.selectFrom(table).selectAll().where('code', '=', code).executeTakeFirst()

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw new Error('was not refused', { cause: error })
  return error
}

describe('making goods', () => {
  test('makes a draft with a cover of its own and a name from its figures, and writes it down', async () => {
    const effect = await tryGoods(owner, { additions: [card()], isOnSale: false })
    expect(effect).toMatchObject({
      faults: [],
      brands: [{ code: moon(), name: 'Moon Card' }],
      items: [{ code: `card:${moon()}:us:10`, name: '10 USD' }],
    })
    expect(await row('brand', moon())).toBeUndefined()
    const { change } = await make([card()])
    expect(await row('brand', moon())).toMatchObject({ status: 'suspended', type: 1 })
    expect(await row('product', `${moon()}-us`)).toMatchObject({
      status: 'suspended',
      picture: `brand/${moon()}`,
    })
    const item = await row('item', `card:${moon()}:us:10`)
    expect(item).toMatchObject({ status: 'active', price_minor: '990', stock: 5 })
    const past = await listHistory(owner.db, 'brand', moon(), { before: null, limit: 5 })
    expect(past).toMatchObject([{ change, field: 'status', before: null, after: 'suspended' }])
    const audit = await owner.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_code', '=', moon())
      .execute()
    expect(audit).toMatchObject([{ action: 'create', subject: 'brand', actor: owner.actor }])
  })

  test('on sale at once, and taken off sale again by taking the change back', async () => {
    const { change } = await make([card()], true)
    expect(await row('product', `${moon()}-us`)).toMatchObject({ status: 'active' })
    const { hash } = await tryUndo(owner, change)
    await undoChange(owner, { key: `undo-${moon()}`, change, hash }, null)
    expect(await row('product', `${moon()}-us`)).toMatchObject({ status: 'suspended' })
    expect(await row('brand', moon())).toMatchObject({ status: 'suspended' })
  })

  test('a draft that is taken back does not come on sale by it', async () => {
    const { change } = await make([card()])
    expect(await tryUndo(owner, change)).toMatchObject({
      samples: [{ subject: 'item', before: 'active', after: 'suspended' }],
    })
  })

  test('adds an item and another region to what is there, and touches nothing else', async () => {
    await make([card()], true)
    const before = await row('item', `card:${moon()}:us:10`)
    const more = (code: string, product: Record<string, unknown>) => ({
      code,
      products: [product],
    })
    const twenty = { code: `card:${moon()}:us:20`, kind: 'value', face: '20', price: '19.50' }
    await make([more(moon(), { code: `${moon()}-us`, items: [twenty] })], true)
    expect(await row('item', twenty.code)).toMatchObject({ name: '20 USD', position: 1 })
    const world = {
      code: `${moon()}-global`,
      region: 'global',
      currency: 'USD',
      items: [{ code: `card:${moon()}:global:1`, kind: 'bundle', name: 'Starter', price: '1.50' }],
    }
    await make([more(moon(), world)])
    expect(await row('product', world.code)).toMatchObject({
      status: 'suspended',
      picture: `brand/${moon()}`,
    })
    expect(await row('brand', moon())).toMatchObject({ status: 'active' })
    expect(await row('item', `card:${moon()}:us:10`)).toEqual(before)
  })

  test.each([
    [{ name: '' }, 'name', 'required'],
    [{ code: 'Moon Card' }, 'code', 'code_format'],
    [{ categories: ['nowhere'] }, 'categories[0]', 'not_allowed'],
    [{ code: 'vapour' }, 'code', 'code_taken'],
  ])('tells what an import would refuse at its place: %j', async (more, path, reason) => {
    const { faults, hash } = await tryGoods(owner, { additions: [card(more)], isOnSale: true })
    expect(faults).toContainEqual(expect.objectContaining({ at: 0, path, reason }))
    expect(hash).toBe('')
  })

  test('faults of items stand at the items, also among those that are there', async () => {
    const items = [
      { code: 'card:vapour:us:10', kind: 'value', face: '10', price: '9' },
      { code: 'card:vapour:us:30', kind: 'value', face: '30', price: '0' },
      { code: 'card:vapour:us:40', kind: 'value', face: '40', price: '39', market: '30' },
    ]
    const additions = [{ code: 'vapour', products: [{ code: 'vapour-us', items }] }]
    const { faults } = await tryGoods(owner, { additions, isOnSale: true })
    expect(faults.map(({ path, reason }) => [path, reason])).toEqual([
      ['products[0].items[0].code', 'code_taken'],
      ['products[0].items[1].price', 'above_zero'],
      ['products[0].items[2].market', 'below_price'],
    ])
  })

  test('is made once a key, and not at all where it is not what was seen', async () => {
    const { hash } = await tryGoods(owner, { additions: [card()], isOnSale: true })
    const given = { additions: [card()], isOnSale: true, kind: 'editor', note: '' } as const
    const other = { ...given, hash: hash.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')) }
    expect((await refusal(makeGoods(owner, { ...other, key: `k1-${moon()}` }))).code).toBe(
      'changed_meanwhile',
    )
    const [first, again] = await Promise.all([
      makeGoods(owner, { ...given, hash, key: `k2-${moon()}` }),
      makeGoods(owner, { ...given, hash, key: `k2-${moon()}` }),
    ])
    expect(again).toEqual(first)
    expect((await refusal(makeGoods(owner, { ...given, hash, key: `k3-${moon()}` }))).code).toBe(
      'check_fields',
    )
  })

  test('asks for the power over prices too, and for goods', async () => {
    const powers = { id: owner.operator.id, name: 'mara', role: 'owner' } as const
    for (const permission of ['product.change', 'price.change'] as const) {
      const some = actingAs(database.ctx, within(powers, [permission]))
      expect((await refusal(tryGoods(some, { additions: [card()], isOnSale: true }))).code).toBe(
        'forbidden',
      )
    }
  })

  test('stays where a folder that does not know it is imported again', async () => {
    await make([card()], true)
    await importCatalogue(database.ctx, writeFolder(smallCatalogue()))
    expect(await row('product', `${moon()}-us`)).toMatchObject({ status: 'active' })
  })
})
