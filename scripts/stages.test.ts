import { expect, test } from 'vitest'
import { runStages } from './stages.ts'

async function run(outcomes: Readonly<Record<string, boolean>>, ...names: string[]) {
  const ran: string[] = []
  const lines: string[] = []
  const stages = Object.entries(outcomes).map(([name, isGood]) => ({
    name,
    run: async () => {
      ran.push(name)
      return { isGood, lastWords: `the end of ${name}` }
    },
  }))
  const code = await runStages(stages, names, (line) => lines.push(line))
  return { code, ran, last: lines.at(-1), lines }
}

test('a stage that fails stops no other, and the last line names it', async () => {
  expect(await run({ check: false, unit: true, db: false, e2e: true })).toMatchObject({
    code: 1,
    ran: ['check', 'unit', 'db', 'e2e'],
    last: 'Tests failed: check 0 s, db 0 s. Passed: unit 0 s, e2e 0 s.',
  })
})

test('stages that pass are said with their times', async () => {
  expect(await run({ check: true, unit: true })).toMatchObject({
    code: 0,
    last: 'All tests passed: check 0 s, unit 0 s.',
  })
})

test('only the stages asked for are run, and a wrong name runs none', async () => {
  expect(await run({ check: true, unit: true }, 'unit')).toMatchObject({ code: 0, ran: ['unit'] })
  expect(await run({ check: true, unit: true }, 'units')).toMatchObject({
    code: 2,
    ran: [],
    last: 'Unknown stage units; there are check, unit.',
  })
})

test('what a failed stage said last is said again after the others', async () => {
  const { lines } = await run({ db: false, faults: true })
  expect(lines.slice(-3)).toEqual([
    '=== faults',
    '=== db failed, and said last:\nthe end of db',
    'Tests failed: db 0 s. Passed: faults 0 s.',
  ])
})
