import { expect, test } from 'vitest'
import { runStages, type Asked } from './stages.ts'

async function run(outcomes: Readonly<Record<string, boolean>>, ...names: string[]) {
  return runAsked(outcomes, { names, isLong: false })
}

/** Stages whose name begins with `night` are of a night. */
async function runAsked(outcomes: Readonly<Record<string, boolean>>, asked: Asked) {
  const ran: string[] = []
  const lines: string[] = []
  const stages = Object.entries(outcomes).map(([name, isGood]) => ({
    name,
    isLong: name.startsWith('night'),
    run: async () => {
      ran.push(name)
      return { isGood, lastWords: `the end of ${name}` }
    },
  }))
  const code = await runStages(stages, asked, (line) => lines.push(line))
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

test('what takes a night is run in one, or when it is asked for', async () => {
  const stages = { check: true, nightly: true }
  expect((await run(stages)).ran).toEqual(['check'])
  expect((await run(stages, 'nightly')).ran).toEqual(['nightly'])
  expect((await runAsked(stages, { names: [], isLong: true })).ran).toEqual(['check', 'nightly'])
})

test('what a failed stage said last is said again after the others', async () => {
  const { lines } = await run({ db: false, faults: true })
  expect(lines.slice(-3)).toEqual([
    '=== faults',
    '=== db failed, and said last:\nthe end of db',
    'Tests failed: db 0 s. Passed: faults 0 s.',
  ])
})
