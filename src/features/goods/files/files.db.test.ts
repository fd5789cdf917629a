import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeChange, tryChange } from '#features/goods/editing/commands.ts'
import { readCatalogueFiles } from '#features/goods/transfer/flows.ts'
import {
  actingAs,
  createToken,
  proveByToken,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import {
  priceLimitOf,
  USUAL_PRICE_LIMIT,
  within,
  type Permission,
} from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { importSmallCatalogue, smallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import {
  beginFile,
  cancelFile,
  forgetGoodsFiles,
  noteStep,
  storeFilePiece,
  takeAway,
  takeFile,
  takeGoodsFileWork,
} from './commands.ts'
import { zipFiles, ZipWriter } from './engine/zip.ts'
import { receiveGoodsFile, type IncomingGoods } from './flows.ts'
import { workGoodsFiles, type FileMeans } from './jobs.ts'
import { getGoodsFile, listFileFaults, readFilePiece } from './queries.ts'
import { GOODS_FILE_MAX, type FileKind } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx

beforeEach(async () => {
  const { db } = database.ctx
  await sql`truncate goods_change_row, goods_change, goods_file cascade`.execute(db)
  await sql`delete from item where source = 'catalogue:console'`.execute(db)
  await sql`delete from product where source = 'catalogue:console'`.execute(db)
  await sql`delete from brand where source = 'catalogue:console'`.execute(db)
  await sql`update item set locked_fields = '{}'`.execute(db)
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

async function* streamOf(...chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk as string)
}

const send = (
  kind: FileKind,
  content: string | Uint8Array,
  more: Partial<IncomingGoods> = {},
  ctx = owner,
) =>
  receiveGoodsFile(ctx, {
    kind,
    fileName: 'goods.csv',
    mark: '.',
    isOnSale: true,
    declaredBytes: null,
    bytes: streamOf(content),
    ...more,
  })

const never = new AbortController().signal
const means = { hold: () => Promise.resolve(null), readCatalogue: readCatalogueFiles }
const work = (signal = never) => workGoodsFiles(database.ctx, means, signal)
const file = (id: string) => getGoodsFile(database.ctx.db, id)
const faults = async (id: string) => listFileFaults(database.ctx.db, (await file(id)).id)

async function take(id: string, ctx = owner) {
  await takeFile(ctx, { publicId: id, hash: (await file(id)).hash ?? '' })
  await work()
  return file(id)
}

const item = (code: string) =>
  database.ctx.db.selectFrom('item').selectAll().where('code', '=', code).executeTakeFirst()

async function refusal(given: Promise<unknown>) {
  const error = await given.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw new Error('was not refused', { cause: error })
  return error.code
}

/** Who waits for an operator's turn. */
const waiting = async () =>
  (
    await sql`select pid from pg_locks where locktype = 'advisory' and not granted`.execute(
      database.ctx.db,
    )
  ).rows

async function textOf(id: string): Promise<Buffer> {
  const { id: row, pieces } = await file(id)
  const all = []
  for (let no = 0; no < pieces; no += 1) all.push(await readFilePiece(database.ctx.db, row, no))
  return Buffer.concat(all)
}

/** Whoever speaks by a token of the owner's over the network. */
async function byToken(permissions: readonly Permission[] | null) {
  const { token } = await createToken(owner, { label: 'files', days: 1, permissions })
  return actingAs(database.ctx, present(await proveByToken(database.ctx, token, false), 'operator'))
}

const GOODS = ['product.read', 'product.change', 'price.change'] as const

describe('a file that a token asks for', () => {
  test('is taken with what the token may do, not with what its owner may', async () => {
    const some = await byToken(GOODS)
    const id = await send('csv_in', 'code;price\ncard:vapour:us:10;4.75\n', {}, some)
    await work()
    await takeFile(some, { publicId: id, hash: (await file(id)).hash ?? '' })
    const limits: (number | null)[] = []
    const hold: FileMeans['hold'] = (_tx, { operator }) => {
      limits.push(priceLimitOf(operator))
      return Promise.resolve(null)
    }
    await workGoodsFiles(database.ctx, { ...means, hold }, never)
    expect(await file(id)).toMatchObject({ state: 'done' })
    expect(limits).toEqual([USUAL_PRICE_LIMIT])
  })

  test('as a folder moves no price further than the token may', async () => {
    const documents = smallCatalogue()
    const [first] = documents['brands/gift_card/vapour.json'].products[0]?.items ?? []
    Object.assign(first ?? {}, { price: '4.75' })
    const some = await byToken(null)
    const id = await send('folder_in', zipOf(documents), {}, some)
    await work()
    expect(await faults(id)).toEqual([])
    expect(await take(id, some)).toMatchObject({ state: 'failed', failure: 'forbidden' })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '950' })
  })

  test('has no costs where the token may not see them, and is not worked on once the token has ended', async () => {
    const some = await byToken(['product.read', 'export.make'])
    const given = { kind: 'csv_out', fileName: 'goods', mark: null, isOnSale: false } as const
    const made = await beginFile(some, given)
    await work()
    const [head] = (await textOf(made.publicId)).toString().split('\n')
    expect(head).toContain('price')
    expect(head).not.toContain('cost')
    const { publicId } = await beginFile(some, given)
    await sql`update operator_token set ended_at = now()`.execute(owner.db)
    await work()
    expect(await file(publicId)).toMatchObject({ state: 'failed', failure: 'forbidden' })
  })
})

describe('a table of items', () => {
  test('is looked through first, and changes nothing until somebody says so', async () => {
    const id = await send('csv_in', 'code;price;stock\ncard:vapour:us:10;9,75;7\n', { mark: ',' })
    await work()
    expect(await file(id)).toMatchObject({
      state: 'checked',
      report: { lines: 1, changed: 2, items: 0, faults: 0, pricesUp: 1 },
    })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '950' })
    expect(await take(id)).toMatchObject({
      state: 'done',
      report: { done: { made: 0, changed: 2, waits: 0, left: 0 } },
    })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '975', stock: 7 })
    const changes = await owner.db.selectFrom('goods_change').selectAll().execute()
    expect(changes.map(({ kind, note }) => [kind, note])).toEqual([
      ['import', 'goods.csv'],
      ['import', 'goods.csv'],
    ])
    expect((await file(id)).pieces).toBe(1)
    const pieces = await owner.db.selectFrom('goods_file_piece').selectAll().execute()
    expect(pieces).toEqual([])
  })

  test('leaves out what would wait where too much waits already', async () => {
    const id = await send('csv_in', 'code;price\ncard:vapour:us:10;9,75\n', { mark: ',' })
    await work()
    await takeFile(owner, { publicId: id, hash: (await file(id)).hash ?? '' })
    const full = { ...means, hold: () => Promise.reject(new AppError('too_many_waiting')) }
    await workGoodsFiles(database.ctx, full, never)
    expect(await file(id)).toMatchObject({
      state: 'done',
      report: { done: { changed: 0, waits: 0, left: 1 } },
    })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '950' })
  })

  test('makes what the shop does not have, by the rules of an import', async () => {
    const table = `code,product,region,brand,brand_name,brand_kind,delivery,categories,currency,kind,face,price,stock
card:sun:us:10,,us,sun,Sun Card,gift_card,card_key,game-wallets,USD,value,10,9.50,4
card:sun:us:20,,us,sun,,,,,USD,value,20,19.00,
card:sun:global:1,,global,sun,,,,,USD,bundle,,1.00,
card:vapour:us:50,vapour-us,,,,,,,,value,50,48.00,2
`
    const id = await send('csv_in', table.replace(',bundle,,1.00', ',bundle,,0'))
    await work()
    expect(await file(id)).toMatchObject({ report: { brands: 1, products: 1, items: 3, left: 1 } })
    expect(await faults(id)).toMatchObject([
      { line: 4, place: 'price', reason: 'above_zero' },
      { line: 4, place: 'name', reason: 'required' },
    ])
    expect((await take(id)).report.done).toEqual({ made: 3, changed: 0, waits: 0, left: 1 })
    expect(await item('card:sun:us:20')).toMatchObject({ name: '20 USD', price_minor: '1900' })
    expect(await item('card:vapour:us:50')).toMatchObject({ product: 'vapour-us', stock: 2 })
    expect(await item('card:sun:global:1')).toBeUndefined()
  })

  test('new items that somebody else makes at the same moment are left out, and the others made', async () => {
    const head = 'code,product,kind,face,price\n'
    const line = (face: number) => `card:vapour:us:${face},vapour-us,value,${face},${face}\n`
    const id = await send('csv_in', head + line(61) + line(62) + line(63))
    await work()
    await takeFile(owner, { publicId: id, hash: (await file(id)).hash ?? '' })
    let came: Promise<unknown> = Promise.resolve()
    await owner.db.transaction().execute(async (tx) => {
      // It is this operator's turn elsewhere, so that what was worked out waits to be made.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`operator_act ${owner.actor}`}, 0))`.execute(
        tx,
      )
      came = work()
      await expect.poll(async () => (await waiting()).length).toBe(1)
      await sql`insert into item select (jsonb_populate_record(i, '{"id": "00000000-0000-7000-8000-000000000062", "code": "card:vapour:us:62"}')).* from item i where code = 'card:vapour:us:10'`.execute(
        tx,
      )
    })
    await came
    expect(await file(id)).toMatchObject({
      state: 'done',
      report: { done: { made: 3, changed: 0, waits: 0, left: 0 } },
    })
    expect(await item('card:vapour:us:61')).toMatchObject({ price_minor: '6100' })
    expect(await item('card:vapour:us:63')).toMatchObject({ price_minor: '6300' })
  })

  test('of several brands the ones without a fault are made whatever is wrong with another', async () => {
    const table = `code,brand,region,brand_name,brand_kind,delivery,categories,currency,kind,face,price
card:venus:us:10,venus,us,Venus Card,gift_card,card_key,game-wallets,USD,value,10,9.50
card:venus:us:20,venus,us,,,,,USD,value,20,0
card:moon:us:10,moon,us,Moon Card,gift_card,pigeon,game-wallets,USD,value,10,9.50
card:star:us:10,star,us,Star Card,gift_card,card_key,game-wallets,USD,value,10,9.50
card:star:us:20,star,us,,,,,USD,thing,20,19
card:star:us:30,star,us,,,,,USD,value,30,29
`
    const id = await send('csv_in', table)
    await work()
    expect((await faults(id)).map(({ line, place }) => `${line} ${place}`)).toEqual([
      '3 price',
      '4 delivery',
      '6 kind',
    ])
    expect((await take(id)).report).toMatchObject({
      brands: 2,
      items: 3,
      done: { made: 3, left: 3 },
    })
    expect(await item('card:star:us:30')).toMatchObject({ price_minor: '2900' })
    expect(await item('card:moon:us:10')).toBeUndefined()
  })

  test('new goods of a table are drafts unless they are to be on sale', async () => {
    const line = 'code,product,kind,face,price\ncard:vapour:us:60,vapour-us,value,60,58\n'
    const id = await send('csv_in', line, { isOnSale: false })
    await work()
    await take(id)
    expect(await item('card:vapour:us:60')).toMatchObject({ status: 'suspended' })
  })

  test('tells each fault by its line and column, and does the rest', async () => {
    const id = await send(
      'csv_in',
      `Code,Price,Stock,Name,Colour
card:vapour:us:10,=A1*2,3,,red
card:vapour:us:20,"19,40",,,
,5,,,
card:vapour:us:10,9,,,
card:nowhere:us:1,4,,,
card:vapour:us:20,19,,#REF!,
`,
    )
    await work()
    expect(
      (await faults(id)).map(({ line, place, reason }) => `${line} ${place} ${reason}`),
    ).toEqual([
      '1 5 unknown_field',
      '2 price formula',
      '4 code required',
      '5 code code_taken',
      '6 currency required',
      '7 code code_taken',
    ])
    expect((await take(id)).report.done).toMatchObject({ left: 5 })
    expect(await item('card:vapour:us:10')).toMatchObject({ stock: 3, price_minor: '950' })
    expect(await item('card:vapour:us:20')).toMatchObject({ price_minor: '1940' })
  })

  test('is looked through anew where prices have moved since', async () => {
    const id = await send('csv_in', 'code,price\ncard:vapour:us:10,9.80\n')
    await work()
    const edits = [
      {
        subject: 'item',
        code: 'card:vapour:us:10',
        field: 'price',
        to: { minor: '960', currency: 'USD' },
      },
    ] as const
    const { hash } = await tryChange(owner, { edits })
    await makeChange(
      owner,
      { key: 'meanwhile-1', asked: { edits }, kind: 'inline', hash, note: '', isPartial: false },
      null,
    )
    expect(await take(id)).toMatchObject({ state: 'checked', report: { isMoved: true } })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '960' })
    expect((await take(id)).state).toBe('done')
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '980' })
  })

  test('a worker that dies leaves it to the next, which does nothing twice', async () => {
    const lines = Array.from(
      { length: 1_500 },
      (_, no) => `card:vapour:us:${1_000 + no},vapour-us,value,${1_000 + no},900,1`,
    )
    const head = 'code,product,kind,face,price,stock\n'
    const id = await send('csv_in', `${head}${lines.join('\n')}\ncard:vapour:us:10,,,,9.90,8\n`)
    await work()
    await takeFile(owner, { publicId: id, hash: (await file(id)).hash ?? '' })
    const stop = new AbortController()
    const died = workGoodsFiles(database.ctx, means, stop.signal)
    await expect
      .poll(async () => (await owner.db.selectFrom('goods_change').select('id').execute()).length)
      .toBeGreaterThan(0)
    stop.abort()
    await died
    await work()
    expect(await file(id)).toMatchObject({
      state: 'done',
      report: { done: { made: 1_500, changed: 2, left: 0 } },
    })
    const { count } = await owner.db
      .selectFrom('item')
      .select(sql<string>`count(*)`.as('count'))
      .where('code', 'like', 'card:vapour:us:1___')
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1_000)
  })

  test.each([
    ['PK\u0003\u0004 a workbook', 'not_table'],
    ['name,price\nSteam,4\n', 'no_columns'],
    ['\n\n', 'no_columns'],
  ])('%j fails with why', async (content, failure) => {
    const id = await send('csv_in', content)
    await work()
    expect(await file(id)).toMatchObject({ state: 'failed', failure })
  })

  test('may be cancelled, and is then not taken', async () => {
    const id = await send('csv_in', 'code,price\ncard:vapour:us:10,9.80\n')
    await work()
    const { hash } = await file(id)
    await cancelFile(owner, id)
    expect(await refusal(takeFile(owner, { publicId: id, hash: hash ?? '' }))).toBe(
      'changed_meanwhile',
    )
    expect(await refusal(cancelFile(owner, id))).toBe('changed_meanwhile')
    await work()
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '950' })
  })

  test('is refused before it is read where it is too large, and while it is where it says nothing', async () => {
    const unread = (async function* () {
      yield* []
      throw new Error('was read')
    })()
    const large = { declaredBytes: 200 * 1024 * 1024, bytes: unread }
    expect(await refusal(send('csv_in', '', large))).toBe('too_large')
    const chunk = Buffer.alloc(GOODS_FILE_MAX / 4 + 1)
    const lying = { bytes: streamOf(chunk, chunk, chunk, chunk) }
    expect(await refusal(send('csv_in', '', lying))).toBe('too_large')
    expect(await owner.db.selectFrom('goods_file').select('id').execute()).toEqual([])
  })

  test('takes the powers over goods and prices, and three at a time', async () => {
    const powers = { id: owner.operator.id, name: 'mara', role: 'owner' } as const
    const some = actingAs(database.ctx, within(powers, ['product.change']))
    expect(await refusal(send('csv_in', 'code\n', {}, some))).toBe('forbidden')
    for (let no = 0; no < 3; no += 1) await send('csv_in', 'code\n')
    expect(await refusal(send('csv_in', 'code\n'))).toBe('still_running')
  })
})

function zipOf(documents: Readonly<Record<string, unknown>>, below = '') {
  const zip = new ZipWriter()
  const parts = Object.entries(documents).map(([path, value]) =>
    zip.add({ path: `${below}${path}`, bytes: Buffer.from(JSON.stringify(value)) }),
  )
  return Buffer.concat([...parts, zip.end()])
}

describe('a catalogue folder in an archive', () => {
  test('is looked through, and then taken whole', async () => {
    const documents = smallCatalogue()
    const [first] = documents['brands/gift_card/vapour.json'].products[0]?.items ?? []
    Object.assign(first ?? {}, { price: '9.10' })
    const id = await send('folder_in', zipOf(documents, 'shop/'))
    await work()
    expect(await file(id)).toMatchObject({ state: 'checked', report: { changed: 1, faults: 0 } })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '950' })
    expect(await take(id)).toMatchObject({ state: 'done', report: { done: { changed: 1 } } })
    expect(await item('card:vapour:us:10')).toMatchObject({ price_minor: '910' })
  })

  test('with a fault is not taken, and told by its file', async () => {
    const documents = smallCatalogue()
    Object.assign(documents['brands/gift_card/vapour.json'], { delivery: 'pigeon' })
    const id = await send('folder_in', zipOf(documents))
    await work()
    expect(await faults(id)).toMatchObject([
      { line: null, place: 'brands/gift_card/vapour.json delivery' },
    ])
    expect(await take(id)).toMatchObject({ state: 'checked', report: { faults: 1 } })
  })

  test('that is none fails with why', async () => {
    const id = await send('folder_in', 'not an archive at all, but long enough')
    await work()
    expect(await file(id)).toMatchObject({ state: 'failed', failure: 'not_archive' })
  })
})

describe('the catalogue as a file', () => {
  const ask = async (kind: FileKind, ctx = owner) => {
    const given = { kind, fileName: 'goods', mark: null, isOnSale: false }
    const { publicId } = await beginFile(ctx, given)
    await work()
    return publicId
  }

  test('as a table changes nothing when it is sent again', async () => {
    const id = await ask('csv_out')
    const made = await textOf(id)
    expect(made.toString()).toContain('card:vapour:us:10')
    const back = await send('csv_in', made)
    await work()
    expect(await faults(back)).toEqual([])
    expect(await file(back)).toMatchObject({ report: { changed: 0, items: 0, faults: 0 } })
    expect(await takeAway(owner, id)).toMatchObject({ kind: 'csv_out' })
  })

  test('is made by one worker: another that had it before writes nothing of it, and does not fail it', async () => {
    const given = { kind: 'folder_out', fileName: 'goods', mark: null, isOnSale: false } as const
    const { publicId } = await beginFile(owner, given)
    let isFirst = true
    const readCatalogue: FileMeans['readCatalogue'] = async (ctx) => {
      // The first one stands still so long that a second takes the file over, and ends it.
      const [isSlow] = [isFirst, (isFirst = false)]
      if (isSlow) await workGoodsFiles(database.ctx, { ...means, readCatalogue }, never)
      return readCatalogueFiles(ctx)
    }
    await workGoodsFiles(database.ctx, { ...means, readCatalogue }, never)
    expect(await file(publicId)).toMatchObject({ state: 'done', failure: null })
    const names = [...zipFiles(await textOf(publicId), () => true)].map(({ path }) => path)
    expect(new Set(names).size).toBe(names.length)
    // One that comes back in the middle of it, too.
    const made = await beginFile(owner, given)
    const slow = present(await takeGoodsFileWork(database.ctx), 'file')
    const next = present(await takeGoodsFileWork(database.ctx), 'file')
    await storeFilePiece(database.ctx, next, 0, Buffer.from('a'))
    expect(await refusal(storeFilePiece(database.ctx, slow, 1, Buffer.from('b')))).toBe(
      'changed_meanwhile',
    )
    expect(await noteStep(database.ctx, slow, { step: 1, steps: 1 })).toBe(false)
    expect(await textOf(made.publicId)).toEqual(Buffer.from('a'))
  })

  test('as a folder changes nothing when it is sent again', async () => {
    const made = await textOf(await ask('folder_out'))
    expect([...zipFiles(made, () => true)].map(({ path }) => path)).toContain(
      'brands/gift_card/vapour.json',
    )
    const back = await send('folder_in', made)
    await work()
    expect(await faults(back)).toEqual([])
    expect(await file(back)).toMatchObject({ report: { changed: 0, items: 0, suspended: 0 } })
  })

  test('has no costs for those who may not see them', async () => {
    const powers = { id: owner.operator.id, name: 'mara', role: 'owner' } as const
    const some = actingAs(database.ctx, within(powers, ['product.read']))
    expect(
      await refusal(
        beginFile(some, { kind: 'csv_out', fileName: 'a', mark: null, isOnSale: false }),
      ),
    ).toBe('forbidden')
    const files = actingAs(database.ctx, within(powers, ['product.read', 'export.make']))
    // Somebody else had it made, with costs in it.
    expect(await refusal(takeAway(files, await ask('csv_out')))).toBe('forbidden')
    expect(await refusal(takeAway(files, await ask('folder_out')))).toBe('forbidden')
    // A folder says what goods cost.
    expect(await refusal(ask('folder_out', files))).toBe('forbidden')
  })

  test('is forgotten after a week', async () => {
    const id = await ask('csv_out')
    await forgetGoodsFiles({
      db: owner.db,
      now: () => new Date(database.ctx.now().getTime() + 8 * 86_400_000),
    })
    expect(await refusal(takeAway(owner, id))).toBe('not_found')
  })
})
