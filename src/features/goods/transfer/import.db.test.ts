import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  smallCatalogue,
  writeFolder,
  type Documents,
  type SmallCatalogue,
} from '../../../../test/support/catalogue-folder.ts'
import { listPictures } from '#features/goods/picture/queries.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { importCatalogue } from './commands.ts'
import { englishHash } from './folder/english.ts'

const database = useDatabase()

type Changed = SmallCatalogue & Documents

/** Imports the small catalogue after a change. */
async function bring(change: (documents: Changed) => void = () => {}) {
  const documents: Changed = smallCatalogue()
  change(documents)
  return importCatalogue(database.ctx, writeFolder(documents))
}

async function audit() {
  return database.ctx.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
}

async function item(code: string) {
  return database.ctx.db
    .selectFrom('item')
    .selectAll()
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
}

async function designOf(picture: string) {
  const { design } = await database.ctx.db
    .selectFrom('picture')
    .select('design')
    .where('code', '=', picture)
    .executeTakeFirstOrThrow()
  return design as Record<string, unknown>
}

const card = (d: SmallCatalogue) => d['brands/gift_card/vapour.json']
const firstItem = (d: SmallCatalogue) => card(d).products[0]?.items[0] as Record<string, unknown>
const TEN = 'card:vapour:us:10'

describe('importing in turn into one shop', () => {
  test('an empty shop gets every row, each with its trace', async () => {
    const report = await bring()
    expect(report.faults).toEqual([])
    expect(report.changes.get('item')).toEqual({ created: 6, updated: 0, suspended: 0, resumed: 0 })
    expect(await item(TEN)).toMatchObject({
      name: '10 USD',
      face_minor: '1000',
      price_minor: '950',
      market_minor: '1000',
      cost_minor: '920',
      stock: 0,
      sold: '3',
      source: 'catalogue:small',
      status: 'active',
    })
    expect(await item('card:vapour:us:20')).toMatchObject({
      cost_minor: '2500',
      cost_currency: 'JPY',
      blocked_countries: ['AQ'],
    })
    expect(await item('game:dragon-quarry:global:1200')).toMatchObject({
      name: '1,200 + 50 Diamonds',
      units: '1200',
      bonus: '50',
      stock: null,
    })
    expect(await item('data:us-bell:500mb-1d')).toMatchObject({
      name: '500 MB, 1 day',
      data_mb: 500,
    })
    const levels = await database.ctx.db.selectFrom('item_level_price').selectAll().execute()
    expect(levels).toMatchObject([{ level: 1, price_minor: '940', price_currency: 'USD' }])
    const entries = await audit()
    expect(
      entries.every(
        (entry) => entry.actor === 'import:small' && entry.request_id === database.ctx.requestId,
      ),
    ).toBe(true)
    expect(
      entries.filter((entry) => entry.subject === 'item' && entry.action === 'create'),
    ).toHaveLength(6)
  })

  test('what a product sells, looks like and belongs to follows from its brand', async () => {
    const { db } = database.ctx
    const product = await db
      .selectFrom('product')
      .selectAll()
      .where('code', '=', 'vapour-us')
      .executeTakeFirstOrThrow()
    expect(product).toMatchObject({
      lock: 'currency',
      face_min_minor: '100',
      face_max_minor: '20000',
      picture: 'product/vapour-us',
    })
    const picture = await db
      .selectFrom('picture')
      .selectAll()
      .where('code', '=', 'product/vapour-us')
      .executeTakeFirstOrThrow()
    expect(picture.recipe).toEqual({
      name: 'Vapour Gift Card',
      kind: 'gift',
      color: '#1b6fb3',
      tag: 'USD',
    })
    expect(picture.design).toEqual(await designOf('brand/vapour'))
    expect(await designOf('brand/vapour')).toMatchObject({
      lines: [expect.stringMatching(/vapour/i)],
    })
    expect(await designOf('game/dragon-quarry')).toEqual(await designOf('brand/dragon-quarry'))
    const brands = await db.selectFrom('brand').select(['code', 'type']).orderBy('code').execute()
    expect(brands).toEqual([
      { code: 'dragon-quarry', type: 2 },
      { code: 'us-bell', type: 3 },
      { code: 'vapour', type: 1 },
    ])
    expect(await db.selectFrom('brand_category').selectAll().execute()).toEqual([
      { brand: 'vapour', category_id: 101 },
    ])
  })

  test('a second run changes nothing and leaves no trace', async () => {
    const before = await audit()
    const report = await bring()
    expect([report.faults, report.changeCount]).toEqual([[], 0])
    expect(await audit()).toHaveLength(before.length)
  })

  test('a fault anywhere changes nothing anywhere', async () => {
    const report = await bring((d) => {
      firstItem(d)['price'] = '1'
      card(d).categories = ['nothing']
    })
    expect(report.faults).toHaveLength(1)
    expect((await item(TEN)).price_minor).toBe('950')
  })

  test('a design is chosen once: it stays when others come, and a folder that says one has it', async () => {
    const before = await designOf('brand/vapour')
    const newcomer = (d: Changed) => {
      d['brands/gift_card/newcomer.json'] = {
        ...card(d),
        code: 'newcomer',
        popularity: 999_999,
        picture: { cover: { name: 'Newcomer', kind: 'gift' } },
        products: [],
      }
    }
    const { faults } = await bring(newcomer)
    expect(faults).toEqual([])
    expect(await designOf('brand/vapour')).toEqual(before)
    expect((await designOf('brand/newcomer'))['motif']).not.toBe(before['motif'])
    await bring((d) => {
      newcomer(d)
      Object.assign(card(d).picture.cover, { design: { motif: 'awning' } })
    })
    expect(await designOf('brand/vapour')).toMatchObject({ motif: 'awning', layout: 'horizon' })
    await bring((d) => {
      newcomer(d)
      Object.assign(card(d).picture.cover, { design: before })
    })
    expect(await designOf('product/vapour-us')).toEqual(before)
    await bring()
  })

  test('what another release stored of a cover is read, and completed by the next import', async () => {
    const { db } = database.ctx
    const before = await designOf('brand/vapour')
    await db
      .updateTable('picture')
      .set({
        recipe: JSON.stringify({
          name: 'Vapour Gift Card',
          kind: 'gift',
          motif: 'planet',
          seed: 'x',
        }),
      })
      .where('code', '=', 'brand/vapour')
      .execute()
    const stored = (await listPictures(db)).get('brand/vapour')
    expect(stored).toMatchObject({
      recipe: { kind: 'cover', recipe: { name: 'Vapour Gift Card', kind: 'gift' } },
      version: expect.stringMatching(/^.{8}$/),
    })
    expect((await bring()).faults).toEqual([])
    expect(Object.keys(await designOf('brand/vapour')).sort()).toEqual(Object.keys(before).sort())
  })

  test('a changed figure is written alone, and the trail tells just that', async () => {
    const report = await bring((d) => {
      firstItem(d)['price'] = '9.40'
    })
    expect([...report.changes]).toEqual([
      ['item', { created: 0, updated: 1, suspended: 0, resumed: 0 }],
    ])
    expect((await audit()).at(-1)).toMatchObject({
      action: 'update',
      subject: 'item',
      subject_code: TEN,
      before: { price_minor: '950' },
      after: { price_minor: '940' },
    })
    await bring()
  })

  test('goods that leave the folder are suspended, and those that come back are active again, the same rows', async () => {
    const { id } = await item(TEN)
    const gone = await bring((d) => {
      delete (d as Documents)['brands/gift_card/vapour.json']
      delete (d['translations/de.json'] as Documents)['article']
      d['reviews.json'].reviews = []
      d['articles/news.json'].articles = []
    })
    expect(gone.faults).toEqual([])
    expect(gone.changes.get('item')).toEqual({ created: 0, updated: 0, suspended: 2, resumed: 0 })
    expect(gone.changes.get('brand')).toMatchObject({ suspended: 1 })
    expect(await item(TEN)).toMatchObject({ id, status: 'suspended' })
    const back = await bring()
    expect(back.changes.get('item')).toMatchObject({ resumed: 2 })
    expect(await item(TEN)).toMatchObject({ id, status: 'active' })
  })

  test('rows of other sources stay as they are', async () => {
    await database.ctx.db
      .updateTable('item')
      .set({ source: 'supplier:acme' })
      .where('code', '=', TEN)
      .execute()
    await bring((d) => {
      card(d).products[0]?.items.shift()
    })
    expect(await item(TEN)).toMatchObject({ status: 'active', source: 'supplier:acme' })
    await bring()
    expect(await item(TEN)).toMatchObject({ source: 'catalogue:small' })
  })

  test('locked fields keep the value an operator gave them', async () => {
    const { db } = database.ctx
    await db
      .updateTable('item')
      .set({ price_minor: '777', locked_fields: ['price', 'status', 'levels'] })
      .where('code', '=', TEN)
      .execute()
    await bring((d) =>
      Object.assign(firstItem(d), { price: '9.60', levels: { 1: '9' }, cost: '9' }),
    )
    expect(await item(TEN)).toMatchObject({
      price_minor: '777',
      cost_minor: '900',
      market_minor: '1000',
    })
    expect(await db.selectFrom('item_level_price').select('price_minor').execute()).toEqual([
      { price_minor: '940' },
    ])
    await bring((d) => {
      card(d).products[0]?.items.shift()
    })
    expect((await item(TEN)).status).toBe('active')
    await db.updateTable('item').set({ locked_fields: [] }).where('code', '=', TEN).execute()
    await bring()
  })

  test('a count of sales is where a row starts, not what it is set back to', async () => {
    await database.ctx.db.updateTable('item').set({ sold: 50 }).where('code', '=', TEN).execute()
    const report = await bring()
    expect([report.changeCount, (await item(TEN)).sold]).toEqual([0, '50'])
  })
})

describe('renamed codes', () => {
  const renamed = (d: Changed): void => {
    const brand = card(d)
    brand.code = 'steamroller'
    Object.assign(brand.products[0] ?? {}, { code: 'steamroller-us' })
    firstItem(d)['code'] = 'card:steamroller:us:10'
    d['brands/gift_card/steamroller.json'] = brand
    delete (d as Documents)['brands/gift_card/vapour.json']
    Object.assign(d['reviews.json'].reviews[0] ?? {}, { brand: 'steamroller' })
    Object.assign(d['articles/news.json'].articles[0] ?? {}, { related: ['steamroller'] })
    d['redirects.json'] = {
      brand: { vapour: 'steamroller' },
      product: { 'vapour-us': 'steamroller-us' },
      item: { [TEN]: 'card:steamroller:us:10' },
    }
  }

  test('without a redirect, a second product in a region is a fault that says how to rename', async () => {
    const report = await bring((d) => {
      Object.assign(card(d).products[0] ?? {}, { code: 'vapour-usa' })
    })
    expect(report.faults[0]?.message).toMatch(
      /say in redirects.json that it is called vapour-usa now/,
    )
  })

  test('keep their rows, reviews and identity, and the old address leads on', async () => {
    const { db } = database.ctx
    const { id } = await item(TEN)
    const report = await bring(renamed)
    expect([report.faults, report.renamed]).toEqual([[], 3])
    expect((await item('card:steamroller:us:10')).id).toBe(id)
    expect(
      await db.selectFrom('brand').select('code').where('code', '=', 'vapour').execute(),
    ).toEqual([])
    expect(await db.selectFrom('review').select('brand').execute()).toEqual([
      { brand: 'steamroller' },
    ])
    expect(
      await db.selectFrom('code_redirect').select(['kind', 'new_code']).orderBy('kind').execute(),
    ).toEqual([
      { kind: 'brand', new_code: 'steamroller' },
      { kind: 'item', new_code: 'card:steamroller:us:10' },
      { kind: 'product', new_code: 'steamroller-us' },
    ])
    expect((await audit()).filter((entry) => entry.action === 'rename')).toHaveLength(3)
    expect((await bring(renamed)).changeCount).toBe(0)
  })
})

describe('words', () => {
  const rename = (name: string) => (d: Changed) => {
    Object.assign(d['games.json'].games[0] ?? {}, { name })
  }
  const german = () =>
    database.ctx.db
      .selectFrom('translation')
      .selectAll()
      .where('subject', '=', 'game')
      .where('language', '=', 'de')
      .executeTakeFirstOrThrow()

  test('a translation whose English has changed since counts as stale until its text is made anew', async () => {
    await bring()
    expect(await german()).toMatchObject({
      text: 'Drachenbruch',
      origin: 'data',
      english_hash: englishHash('Dragon Quarry'),
    })
    await bring(rename('Dragon Mine'))
    expect((await german()).english_hash).toBe(englishHash('Dragon Quarry'))
    await bring((d) => {
      rename('Dragon Mine')(d)
      d['translations/de.json'].game = { 'dragon-quarry': 'Drachenmine' }
    })
    expect(await german()).toMatchObject({
      text: 'Drachenmine',
      english_hash: englishHash('Dragon Mine'),
    })
    await bring()
  })

  test('a correction made by a person in the shop is kept', async () => {
    await sql`update translation set text = 'Von Hand', origin = 'human' where subject = 'game' and language = 'de'`.execute(
      database.ctx.db,
    )
    expect((await bring()).changeCount).toBe(0)
    expect((await german()).text).toBe('Von Hand')
  })

  test('phrases stand once, keyed by their English, and what lacks a translation is counted', async () => {
    const report = await bring()
    const rows = await database.ctx.db
      .selectFrom('translation')
      .select(['language', 'text'])
      .where('subject', '=', 'phrase')
      .where('subject_code', '=', englishHash('Type the code.'))
      .orderBy('language')
      .execute()
    expect(rows).toEqual([
      { language: 'de', text: 'Code eingeben.' },
      { language: 'en', text: 'Type the code.' },
    ])
    expect(report.words.get('de')).toEqual({ missingPhrases: 7, stale: 0 })
  })
})

test('two imports at once take turns', async () => {
  const reports = await Promise.all([
    bring((d) => {
      firstItem(d)['price'] = '9.30'
    }),
    bring((d) => {
      firstItem(d)['price'] = '9.30'
    }),
  ])
  expect(reports.map((report) => report.changeCount > 0).sort()).toEqual([false, true])
})
