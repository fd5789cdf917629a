import { expect, test } from 'vitest'
import { findProduct } from '#features/goods/browse/queries.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { goodsDetail } from '#features/goods/browse/view/detail.ts'
import { resolvePicture } from '#features/goods/picture/queries.ts'
import { parsePictureAddress } from '#features/goods/picture/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  readTexts,
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { importCatalogue } from './commands.ts'
import { exportCatalogue } from './flows.ts'

const database = useDatabase()
const TOP_UP = 'brands/top_up/dragon-quarry.json'
const ALT = 'The number below the name.'

/** The small catalogue with these pictures beside the fields of its top-up. */
function withPictures(...pictures: readonly unknown[]) {
  const catalogue = smallCatalogue()
  const brand = catalogue[TOP_UP]
  const fields = brand.fields.map((field, index) =>
    pictures[index] === undefined ? field : { ...field, picture: pictures[index] },
  )
  return { ...catalogue, [TOP_UP]: { ...brand, fields } }
}

async function fieldsIn(language: LanguageCode) {
  const shop = await loadSnapshot(database.ctx.db, 1)
  const product = shop.catalogue.products.find(({ brand }) => brand.fields.length > 0)
  const currency = shop.currencyByCode.get('USD')
  if (!product || !currency || !findProduct(shop, product.code)) throw new Error('no top-up')
  const view = { shop, language, currency, t: translatorOf(language) }
  const { fields } = goodsDetail(view, product, 'UTC')
  return fields.map(({ picture }) => {
    if (!picture) return null
    const address = new URL(picture.image, 'http://shop.example')
    const request = parsePictureAddress(address)
    return {
      alt: picture.alt,
      style: request?.style,
      recipe: request && resolvePicture(shop.pictures, request.code),
    }
  })
}

test('a field shows the file of the language, and that of all where it has none; it survives export and import', async () => {
  const picture = { file: 'fields/id.png', languages: { de: 'fields/id-de.png' }, alt: ALT }
  const folder = writeFolder(withPictures(picture))
  expect((await importCatalogue(database.ctx, folder)).faults).toEqual([])
  const file = (path: string) => ({
    alt: ALT,
    style: 'field_help',
    recipe: { kind: 'file', path },
  })
  expect((await fieldsIn('en'))[0]).toEqual(file('fields/id.png'))
  expect((await fieldsIn('de'))[0]).toEqual(file('fields/id-de.png'))

  const written = temporaryFolder()
  await exportCatalogue(database.ctx, written)
  expect(readTexts(written).get(TOP_UP)).toContain(
    '{ "file": "fields/id.png", "languages": { "de": "fields/id-de.png" }, "alt": "The number below the name." }',
  )
  const again = await importCatalogue(database.ctx, written)
  expect([again.faults, again.changeCount]).toEqual([[], 0])
})

test('a figure is drawn by the shop, its text is a phrase of the translations, and it goes when the folder takes it away', async () => {
  const figure = { figure: 'below-name', alt: ALT }
  await importCatalogue(database.ctx, writeFolder(withPictures(figure)))
  expect((await fieldsIn('en'))[0]).toEqual({
    alt: ALT,
    style: 'field_help',
    recipe: { kind: 'figure', figure: 'below-name' },
  })
  const written = temporaryFolder()
  await exportCatalogue(database.ctx, written)
  expect((await importCatalogue(database.ctx, written)).changeCount).toBe(0)
  await importCatalogue(database.ctx, writeFolder(withPictures()))
  expect((await fieldsIn('en'))[0]).toBeNull()
})

test.each([
  ['a figure that there is not', { figure: 'nowhere', alt: ALT }],
  ['a picture that says nothing to who cannot see it', { figure: 'below-name' }],
  ['a path that leads elsewhere', { file: '../secrets.png', alt: ALT }],
  ['a language that there is not', { file: 'id.png', languages: { xx: 'id.png' }, alt: ALT }],
])('%s is refused', async (_, picture) => {
  const { faults } = await importCatalogue(database.ctx, writeFolder(withPictures(picture)))
  expect(faults.length).toBeGreaterThan(0)
  expect(JSON.stringify(faults)).toContain('picture')
})
