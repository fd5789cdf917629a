import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { listPictures, readSentPicture } from '#features/goods/picture/queries.ts'
import { sentPath } from '#features/goods/picture/rules.ts'
import type { SaidPicture } from '#features/goods/picture/schema.ts'
import { removeLooseShopPictures } from '#features/goods/upload/commands.ts'
import { receiveShopPicture } from '#features/goods/upload/flows.ts'
import { readPicture } from '#features/goods/upload/pipeline/read-picture.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { makeChange, tryChange, tryUndo, undoChange } from './commands.ts'
import type { Edit, Json } from './rules.ts'

const database = useDatabase()
const PRODUCT = 'vapour-us'
const BRAND = 'vapour'
const AREA = { x: 0, y: 1_000, width: 6_000, height: 8_000 }

let owner: OperatorCtx
let keys = 0

beforeEach(async () => {
  const { db } = database.ctx
  await sql`truncate goods_change_row, goods_change, shop_image`.execute(db)
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

async function* piecesOf(bytes: Uint8Array) {
  yield bytes.subarray(0, 100)
  yield bytes.subarray(100)
}

const photograph = (background = '#c03050', width = 600) =>
  sharp({ create: { width, height: 400, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'nobody is told of it' } })
    .toBuffer()

const send = (bytes: Uint8Array, declaredBytes: number | null = bytes.length) =>
  receiveShopPicture(owner, { declaredBytes, bytes: piecesOf(bytes) }, readPicture)

const edit = (subject: 'brand' | 'product', to: Json, from?: Json): Edit => ({
  subject,
  code: subject === 'brand' ? BRAND : PRODUCT,
  field: 'picture',
  to,
  ...(from === undefined ? {} : { from }),
})

async function make(edits: readonly Edit[]) {
  const { hash } = await tryChange(owner, { edits })
  const given = { asked: { edits }, kind: 'editor', hash, note: '', isPartial: false } as const
  return makeChange(owner, { ...given, key: `pictures-${(keys += 1)}-abc` }, null)
}

async function takeBack(change: string | null) {
  const { hash } = await tryUndo(owner, present(change, 'a change'))
  await undoChange(
    owner,
    { key: `undo-${(keys += 1)}-abcdef`, change: present(change, 'a change'), hash },
    null,
  )
}

async function wornBy(product: string) {
  const { picture } = await database.ctx.db
    .selectFrom('product')
    .select('picture')
    .where('code', '=', product)
    .executeTakeFirstOrThrow()
  return { code: picture, picture: (await listPictures(database.ctx.db)).get(picture ?? '') }
}

const saidOf = (picture: SaidPicture) => JSON.parse(JSON.stringify(picture)) as Json

test('a picture that was sent is a product’s own, cut as it was chosen, kept from imports, and taken back', async () => {
  const { hash, width, height } = await send(await photograph())
  expect({ width, height }).toEqual({ width: 600, height: 400 })
  const kept = present(await readSentPicture(database.ctx.db, hash), 'the picture')
  const { format, exif } = await sharp(kept).metadata()
  expect([format, exif]).toEqual(['webp', undefined])
  await make([edit('product', null)])
  const before = await wornBy(PRODUCT)
  expect(before.code).toBe(`brand/${BRAND}`)
  const file = sentPath(hash)
  const said = saidOf({ file, crop: { '1:1': AREA } })
  const { change } = await make([edit('product', said, null)])
  expect(await wornBy(PRODUCT)).toMatchObject({
    code: `product/${PRODUCT}`,
    picture: { recipe: { kind: 'sent', hash, crop: { '1:1': AREA } } },
  })
  const first = (await wornBy(PRODUCT)).picture?.version
  expect(first).toMatch(/^[\w-]{8}$/)

  await make([edit('product', saidOf({ file }), said)])
  expect((await wornBy(PRODUCT)).picture?.version).not.toBe(first)
  await importSmallCatalogue(database.ctx)
  expect((await wornBy(PRODUCT)).code).toBe(`product/${PRODUCT}`)
  // What was cut anew since is no longer what the change made of it.
  const undo = await tryUndo(owner, present(change, 'a change'))
  expect(undo.conflicts).toMatchObject([{ field: 'picture', present: { file } }])
  await make([edit('product', null)])
  expect(await wornBy(PRODUCT)).toEqual(before)
  expect((await listPictures(database.ctx.db)).has(`product/${PRODUCT}`)).toBe(false)
})

test('a cover that was drawn for a brand has its whole design, holds against imports, and goes back', async () => {
  const before = (await listPictures(database.ctx.db)).get(`brand/${BRAND}`)
  await make([edit('product', null)])
  const cover = { name: 'Vapour', kind: 'gift', tag: 'NEW', design: { motif: 'kettle' } } as const
  const { change } = await make([edit('brand', saidOf({ cover }))])
  const drawn = (await listPictures(database.ctx.db)).get(`brand/${BRAND}`)
  expect(drawn?.recipe).toMatchObject({
    kind: 'cover',
    recipe: { tag: 'NEW', design: { motif: 'kettle', layout: expect.any(String) } },
  })
  expect((await wornBy(PRODUCT)).picture?.version).toBe(drawn?.version)
  await importSmallCatalogue(database.ctx)
  expect((await listPictures(database.ctx.db)).get(`brand/${BRAND}`)).toEqual(drawn)
  await takeBack(change)
  expect((await listPictures(database.ctx.db)).get(`brand/${BRAND}`)).toEqual(before)
})

test('a product’s own cover leaves out what its brand’s has, and two people do not overwrite each other', async () => {
  await make([edit('brand', saidOf({ cover: { name: 'Vapour', kind: 'gift', tag: 'ALL' } }))])
  const own = saidOf({ cover: { name: 'Vapour', kind: 'gift' } })
  await make([edit('product', own)])
  expect((await wornBy(PRODUCT)).picture?.recipe).toMatchObject({ kind: 'cover' })
  expect((await wornBy(PRODUCT)).picture?.recipe).not.toHaveProperty('recipe.tag')
  const late = await tryChange(owner, { edits: [edit('product', null, own)] })
  // The design that was chosen for it is part of what stands there now.
  expect(late.conflicts).toHaveLength(1)
})

test.each([
  ['a text', Buffer.from('not a picture'.repeat(20)), 'upload_format'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(9)), 'upload_format'],
  ['half a picture', null, 'upload_failed'],
])('%s is refused, and nothing is kept', async (_what, bytes, code) => {
  const given = bytes ?? (await photograph()).subarray(0, 900)
  await expect(send(given)).rejects.toMatchObject({ code })
  expect(await database.ctx.db.selectFrom('shop_image').select('hash').execute()).toEqual([])
})

test('four gigabytes are refused before one is read, and a picture of too many pixels before it is decoded', async () => {
  await expect(send(await photograph(), 4_000_000_000)).rejects.toMatchObject({
    code: 'upload_size',
  })
  const bomb = await sharp({
    create: { width: 9_000, height: 9_000, channels: 3, background: '#000' },
  })
    .png()
    .toBuffer()
  await expect(send(bomb)).rejects.toMatchObject({ code: 'upload_size' })
})

test.each(['gif', 'avif', 'png', 'webp'] as const)('a %s is taken', async (format) => {
  const bytes = await sharp(await photograph())
    .toFormat(format)
    .toBuffer()
  expect(await send(bytes)).toMatchObject({ width: 600, height: 400 })
})

test('a picture that is not there is told at its field, and one that no goods show goes after a day', async () => {
  const effect = await tryChange(owner, {
    edits: [edit('product', { file: sentPath('ab'.repeat(32)) })],
  })
  expect(effect.faults).toMatchObject([{ field: 'picture', reason: 'picture_gone' }])
  const [loose, shown, former] = [
    await send(await photograph('#111111')),
    await send(await photograph('#222222')),
    await send(await photograph('#333333')),
  ]
  await make([edit('product', { file: sentPath(former.hash) })])
  await make([edit('product', { file: sentPath(shown.hash) })])
  await removeLooseShopPictures(database.ctx, new Date(Date.now() - 60_000))
  const hashes = async () =>
    (await database.ctx.db.selectFrom('shop_image').select('hash').execute()).map(
      ({ hash }) => hash,
    )
  expect(new Set(await hashes())).toEqual(new Set([loose.hash, shown.hash, former.hash]))
  await removeLooseShopPictures(database.ctx, new Date(Date.now() + 60_000))
  expect(new Set(await hashes())).toEqual(new Set([shown.hash, former.hash]))
})
