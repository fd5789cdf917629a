import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  readTexts,
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { DEMO_FOLDER, importCatalogue } from './commands.ts'
import { exportCatalogue } from './flows.ts'

const database = useDatabase()

test('the demo catalogue is imported whole', async () => {
  const report = await importCatalogue(database.ctx, DEMO_FOLDER)
  expect(report.faults).toEqual([])
  expect(report.changes.get('item')?.created).toBe(9_349)
})

test('importing the demo again changes nothing', async () => {
  expect((await importCatalogue(database.ctx, DEMO_FOLDER)).changeCount).toBe(0)
})

test('exporting the demo gives its folder byte for byte', async () => {
  const folder = temporaryFolder()
  expect(await exportCatalogue(database.ctx, folder)).toMatchObject({ name: 'demo', items: 9_349 })
  const [written, committed] = [readTexts(folder), readTexts(DEMO_FOLDER)]
  expect([...written.keys()]).toEqual(
    [...committed.keys()].filter((path) => path.endsWith('.json')),
  )
  expect(
    [...written].filter(([path, text]) => committed.get(path) !== text).map(([path]) => path),
  ).toEqual([])
})

test('a shop of two sources, with suspended, reordered and stale rows, survives export and import', async () => {
  const { ctx } = database
  await importCatalogue(ctx, writeFolder(smallCatalogue()))
  const fewer = smallCatalogue()
  const product = fewer['brands/gift_card/vapour.json'].products[0]
  product?.items.shift()
  Object.assign(fewer['games.json'].games[0] ?? {}, { name: 'Dragon Mine' })
  await importCatalogue(ctx, writeFolder(fewer))
  await ctx.db
    .updateTable('item')
    .set({ source: 'supplier:acme', locked_fields: ['price'] })
    .where('code', '=', 'card:vapour:us:20')
    .execute()

  const folder = temporaryFolder()
  await exportCatalogue(ctx, folder)
  const again = await importCatalogue(ctx, folder)
  expect([again.faults, again.changeCount]).toEqual([[], 0])
})

test('an export takes away what no longer stands for anything, and leaves folders of others alone', async () => {
  const folder = writeFolder({
    'catalogue.json': {},
    'brands/gift_card/gone.json': {},
    'README.md': 'mine',
  })
  await exportCatalogue(database.ctx, folder)
  const files = [...readTexts(folder).keys()]
  expect([
    files.includes('README.md'),
    files.includes(join('brands', 'gift_card', 'gone.json')),
  ]).toEqual([true, false])
  expect(await exportCatalogue(database.ctx, writeFolder({ 'letter.txt': 'dear' }))).toBeNull()
})
