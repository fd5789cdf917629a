import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger } from '#platform/log.ts'
import { runsAsRoot } from '#platform/postgres/access.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { outsideFolder } from '#platform/postgres/place.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { removeDataFolder } from './data-folder.ts'

const STARTS_A_DATABASE = /startEmbeddedPostgres\(|startOnce\(|'start'[\],]/
const MAKES_A_FOLDER = /mkdtempSync\(/
const MENTIONS_ONLY = ['test/support/data-folder.test.ts']

test.runIf(runsAsRoot())(
  'what root keeps of a database outside of a closed folder goes with the folder',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lukado-closed-'))
    const dataDirectory = join(folder, 'data')
    const log = createLogger({ level: 'error' })
    const server = await startEmbeddedPostgres({ dataDirectory, log })
    await server.stop()
    const outside = outsideFolder(dataDirectory)
    expect(server.outside).toBe(outside)
    expect(existsSync(outside)).toBe(true)
    removeDataFolder(folder)
    expect([folder, outside].filter((path) => existsSync(path))).toEqual([])
  },
)

test('whoever starts a database in a temporary folder removes all of it', () => {
  const files = globSync('{src,test,bench,scripts}/**/*.{ts,tsx}', { cwd: PROJECT_ROOT })
  const leaving = files.filter((file) => {
    const text = readFileSync(join(PROJECT_ROOT, file), 'utf8')
    return (
      STARTS_A_DATABASE.test(text) &&
      MAKES_A_FOLDER.test(text) &&
      !/\bremoveDataFolder\(/.test(text) &&
      !MENTIONS_ONLY.includes(file)
    )
  })
  expect(files.length).toBeGreaterThan(1_000)
  expect(leaving).toEqual([])
})
