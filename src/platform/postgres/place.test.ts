import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { databasePassword } from './place.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a password that a crash left empty is made anew as long as no database knows the other', () => {
  const file = join(folder, 'postgres-password')
  const cluster = join(folder, 'postgres')
  writeFileSync(file, '')
  const made = databasePassword(folder, cluster)
  expect(made).not.toBe('')
  expect(readFileSync(file, 'utf8').trim()).toBe(made)
  mkdirSync(cluster)
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n')
  expect(databasePassword(folder, cluster)).toBe(made)
  writeFileSync(file, '')
  expect(() => databasePassword(folder, cluster)).toThrow(/is missing or empty/)
})
