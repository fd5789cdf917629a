import { expect, test } from 'vitest'
import {
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../../test/support/database.ts'
import { search } from '#features/goods/search/engine/search.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { exportCatalogue } from '#features/goods/transfer/flows.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { loadSnapshot } from '../snapshot.ts'

const database = useDatabase()

const ENGLISH = { one: '{n} Diamond', other: '{n} Diamonds' }
const RUSSIAN = {
  one: '{n} алмаз',
  few: '{n} алмаза',
  many: '{n} алмазов',
  other: '{n} алмаза',
}
const SPANISH = { one: '{n} diamante', many: '{n} de diamantes', other: '{n} diamantes' }

/** The small shop, whose unit has forms in English and Russian, or none. */
function shopWith(english: object, russian: object, spanish: object) {
  return writeFolder({
    ...smallCatalogue(),
    'units.json': { units: [{ key: 'diamonds', name: 'Diamonds', ...english }] },
    'translations/es.json': { unit: { diamonds: { name: 'Diamantes', ...spanish } } },
    'translations/ru.json': { unit: { diamonds: { name: 'Алмазы', ...russian } } },
  })
}
const withForms = () => shopWith({ forms: ENGLISH }, RUSSIAN, SPANISH)

test('a top-up is found by its game and its unit in any order and form', async () => {
  const report = await importCatalogue(database.ctx, withForms())
  expect(report.faults).toEqual([])
  const { productSearch, catalogue } = await loadSnapshot(database.ctx.db, 1)
  const first = (words: string, language: LanguageCode) =>
    catalogue.products[search(productSearch, words, language)[0]?.id ?? -1]?.code
  const asked = [
    ['Алмазы Dragon Quarry', 'ru'],
    ['Dragon Quarry алмазы', 'ru'],
    ['алмазов', 'ru'],
    ['алмаз dragon', 'ru'],
    ['diamond dragon', 'en'],
    ['Dragon Quarry Diamonds', 'en'],
    ['Diamantes de Dragon Quarry', 'es'],
  ] as const
  expect(asked.map(([words, language]) => first(words, language))).toEqual(
    asked.map(() => 'dragon-quarry-global'),
  )
})

test('forms are in the shop as the folder says them, and in an export as they were', async () => {
  await importCatalogue(database.ctx, withForms())
  const { catalogue } = await loadSnapshot(database.ctx.db, 1)
  const unit = catalogue.productByCode.get('dragon-quarry-global')?.brand.unit
  expect(unit?.forms).toEqual({ en: ENGLISH, es: SPANISH, ru: RUSSIAN })
  const folder = temporaryFolder()
  await exportCatalogue(database.ctx, folder)
  const again = await importCatalogue(database.ctx, folder)
  expect([again.faults, again.changeCount]).toEqual([[], 0])

  // Without its forms the unit loses them in every language, and keeps its names.
  await importCatalogue(database.ctx, shopWith({}, {}, {}))
  const later = await loadSnapshot(database.ctx.db, 1)
  const left = later.catalogue.productByCode.get('dragon-quarry-global')?.brand.unit
  expect([left?.name.ru, left?.forms]).toEqual(['Алмазы', {}])
})
