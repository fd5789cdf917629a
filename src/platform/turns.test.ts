import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonInTurns, mapInTurns } from './turns.ts'

test('a long answer becomes the same text as at once', async () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.date({ noInvalidDate: true }), fc.constant(undefined))
  const long = fc.array(leaf, { minLength: 90, maxLength: 320 })
  const answer = fc.oneof(
    leaf.filter((value) => value !== undefined),
    fc.record({
      code: fc.nat(),
      data: fc.oneof(
        long,
        fc.record({ list: long, total: leaf }),
        fc.dictionary(fc.string(), fc.array(fc.record({ units: long }), { maxLength: 3 })),
      ),
    }),
  )
  await fc.assert(
    fc.asyncProperty(answer, async (value) => {
      expect((await jsonInTurns(value)).toString()).toBe(JSON.stringify(value))
    }),
    { numRuns: 300 },
  )
})

/** Work as long as two turns, however fast the machine. */
function workForTwoTurns(): void {
  const began = performance.now()
  while (performance.now() - began < 20);
}

async function turnsOfOthersDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const others = setInterval(() => (turns += 1), 0)
  await work()
  clearInterval(others)
  return turns
}

const LONG = Array.from({ length: 1_000 }, (_, index) => index)

test('others get their turn while a long list is made', async () => {
  const turns = await turnsOfOthersDuring(() =>
    mapInTurns(LONG, (index) => {
      if (index % 100 === 0) workForTwoTurns()
    }),
  )
  expect(turns).toBeGreaterThan(3)
})

test('others get their turn while a long list is written', async () => {
  const list = LONG.map((index) => ({
    get entry() {
      if (index % 100 === 0) workForTwoTurns()
      return index
    },
  }))
  const turns = await turnsOfOthersDuring(() => jsonInTurns({ code: 1, data: { list } }))
  expect(turns).toBeGreaterThan(3)
})
