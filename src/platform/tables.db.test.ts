import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateFiles } from '../../scripts/db-types.ts'
import { useDatabase } from '../../test/support/database.ts'
import { PROJECT_ROOT } from './project.ts'

const database = useDatabase()

test('the committed schema and table types are what the migrations make', async () => {
  for (const [name, text] of Object.entries(await generateFiles(database.url)))
    expect(readFileSync(join(PROJECT_ROOT, name), 'utf8'), `${name}: npm run db:types`).toBe(text)
})
