import { expect, test } from 'vitest'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { deliveryTimeOf, phraseIn } from '#features/goods/catalogue/rules.ts'
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

test('whether an account must be checked comes with the folder and goes out with it; what is usual is left out', async () => {
  const { ctx } = database
  const folder = smallCatalogue()
  const modeNow = async () =>
    (await loadSnapshot(ctx.db, 1)).catalogue.brandByCode.get('dragon-quarry')?.accountCheck
  const written = async () => {
    const to = temporaryFolder()
    await exportCatalogue(ctx, to)
    return JSON.parse(readTexts(to).get('brands/top_up/dragon-quarry.json') ?? '{}') as object
  }
  await importCatalogue(ctx, writeFolder(folder))
  expect(await modeNow()).toBe('wish')
  expect(await written()).not.toHaveProperty('check')
  Object.assign(folder['brands/top_up/dragon-quarry.json'], { check: 'must' })
  await importCatalogue(ctx, writeFolder(folder))
  expect(await modeNow()).toBe('must')
  expect(await written()).toHaveProperty('check', 'must')
})

test('a product says how long it takes where that is not what its brand says, and goes out as it came', async () => {
  const { ctx } = database
  const folder = smallCatalogue()
  const brand = folder['brands/top_up/dragon-quarry.json']
  Object.assign(brand, { minutes: 10 })
  Object.assign(brand.products[0] ?? {}, { minutes: 1_440 })
  await importCatalogue(ctx, writeFolder(folder))
  const product = (await loadSnapshot(ctx.db, 1)).catalogue.productByCode.get(
    'dragon-quarry-global',
  )
  expect(product && deliveryTimeOf(product)).toEqual({ minutes: 1_440, most: null })
  const to = temporaryFolder()
  await exportCatalogue(ctx, to)
  expect(
    JSON.parse(readTexts(to).get('brands/top_up/dragon-quarry.json') ?? '{}') as object,
  ).toMatchObject({ minutes: 10, products: [{ minutes: 1_440 }] })
  const again = await importCatalogue(ctx, to)
  expect([again.faults, again.changeCount]).toEqual([[], 0])
})

test('what search engines are told comes with the folder, is a phrase of the translations, and goes out as it came', async () => {
  const { ctx } = database
  const folder = smallCatalogue()
  const own = { seo_title: 'Diamonds, cheaply', seo_description: 'By player ID.' }
  Object.assign(folder['brands/top_up/dragon-quarry.json'].products[0] ?? {}, own)
  folder['translations/phrases/de.json']['Diamonds, cheaply'] = 'Diamanten, günstig'
  await importCatalogue(ctx, writeFolder(folder))
  const { catalogue } = await loadSnapshot(ctx.db, 1)
  const product = catalogue.productByCode.get('dragon-quarry-global')
  expect(product).toMatchObject({
    seoTitle: own.seo_title,
    seoDescription: own.seo_description,
  })
  expect(phraseIn(catalogue, 'de', product?.seoTitle ?? '')).toBe('Diamanten, günstig')
  const to = temporaryFolder()
  await exportCatalogue(ctx, to)
  expect(
    JSON.parse(readTexts(to).get('brands/top_up/dragon-quarry.json') ?? '{}') as object,
  ).toMatchObject({ products: [own] })
  expect((await importCatalogue(ctx, to)).changeCount).toBe(0)
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
})
