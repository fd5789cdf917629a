import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signingKeys } from './kept-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('keys stay the same from start to start, and a file that was cut short is replaced', () => {
  const made = signingKeys(folder)
  expect(signingKeys(folder)).toEqual(made)
  const file = join(folder, 'keys.json')
  truncateSync(file, readFileSync(file).length >> 1)
  const again = signingKeys(folder)
  expect(again.signing.kid).not.toBe(made.signing.kid)
  expect(signingKeys(folder)).toEqual(again)
})
