import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openProgress } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-progress-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a run is taken up with its seed and what it has done, whatever its last line was', () => {
  const file = join(folder, 'run.jsonl')
  const done = { part: 'kills 1', report: { kills: 100 }, faults: [], seconds: 9 }
  openProgress(file, { seed: 7, options: '{"long":true}' }).note(done)
  appendFileSync(file, '{"part":"kills 2","rep')
  const again = openProgress(file, { seed: 8, options: '{"long":true}' })
  expect(again.seed).toBe(7)
  expect([...again.done.values()]).toEqual([done])
  again.note({ ...done, part: 'kills 2' })
  expect([...openProgress(file, { seed: 9, options: '{"long":true}' }).done.keys()]).toEqual([
    'kills 1',
    'kills 2',
  ])
})

test('a run with other options is not taken for it', () => {
  const file = join(folder, 'other.jsonl')
  openProgress(file, { seed: 7, options: '{"long":true}' })
  expect(() => openProgress(file, { seed: 7, options: '{"long":false}' })).toThrow(/is of a run/)
})
