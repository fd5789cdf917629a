import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openJournal } from './journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('lines torn by a crash or a full disk are left out, wherever they stand, and later ones are whole', async () => {
  const file = join(folder, 'torn.ndjson')
  writeFileSync(file, '{"id":1}\n{"id":2,"na{"id":3}\n{"id":4}\n{"id":5,"am')
  const first = openJournal(file)
  expect([...first.read()]).toEqual([{ id: 1 }, { id: 4 }])
  await first.append({ id: 6 })
  await first.close()
  appendFileSync(file, '{"id":7')
  const second = openJournal(file)
  await second.append({ id: 8 })
  await second.append({ id: 9 })
  expect([...second.read()]).toEqual([{ id: 1 }, { id: 4 }, { id: 6 }, { id: 8 }, { id: 9 }])
  await second.close()
})

test('a file that was made anew holds nothing of the torn one', async () => {
  const file = join(folder, 'anew.ndjson')
  writeFileSync(file, '{"id":1')
  const journal = openJournal(file)
  journal.rewrite([...journal.read(), { id: 2 }])
  await journal.append({ id: 3 })
  await journal.close()
  expect(readFileSync(file, 'utf8')).toBe('{"id":2}\n{"id":3}\n')
})
