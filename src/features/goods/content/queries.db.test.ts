import { expect, test } from 'vitest'
import { smallCatalogue, writeFolder } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { loadContents } from './queries.ts'

const database = useDatabase()

test('an article reads in the languages it is translated into, field by field, and in English elsewhere', async () => {
  await importCatalogue(database.ctx, writeFolder(smallCatalogue()))
  const contents = await loadContents(database.ctx.db)
  expect(contents.size).toBe(21)
  expect(contents.get('de')?.newsByCode.get('first')).toMatchObject({
    language: 'de',
    title: 'Erste Schritte',
    summary: 'Short.',
    sections: [{ paragraphs: ['One.', 'Zwei.'] }],
  })
  expect(contents.get('fr')?.newsByCode.get('first')).toMatchObject({
    language: 'en',
    title: 'First steps',
  })
})
