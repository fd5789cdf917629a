import { expect, test } from 'vitest'
import { runStages } from './stages.ts'

function run(outcomes: Readonly<Record<string, boolean>>, ...names: string[]) {
  const ran: string[] = []
  const lines: string[] = []
  const stages = Object.entries(outcomes).map(([name, isGood]) => ({
    name,
    run: () => {
      ran.push(name)
      return isGood
    },
  }))
  const code = runStages(stages, names, (line) => lines.push(line))
  return { code, ran, last: lines.at(-1) }
}

test('a stage that fails stops no other, and the last line names it', () => {
  expect(run({ check: false, unit: true, db: false, e2e: true })).toEqual({
    code: 1,
    ran: ['check', 'unit', 'db', 'e2e'],
    last: 'Tests failed: check 0 s, db 0 s. Passed: unit 0 s, e2e 0 s.',
  })
})

test('stages that pass are said with their times', () => {
  expect(run({ check: true, unit: true })).toMatchObject({
    code: 0,
    last: 'All tests passed: check 0 s, unit 0 s.',
  })
})

test('only the stages asked for are run, and a wrong name runs none', () => {
  expect(run({ check: true, unit: true }, 'unit')).toMatchObject({ code: 0, ran: ['unit'] })
  expect(run({ check: true, unit: true }, 'units')).toEqual({
    code: 2,
    ran: [],
    last: 'Unknown stage units; there are check, unit.',
  })
})
