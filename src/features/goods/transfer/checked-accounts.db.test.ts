import { expect, test } from 'vitest'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
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
