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

test('others get their turn while a long list is made and written', async () => {
  let turns = 0
  const count = setInterval(() => (turns += 1), 0)
  const list = await mapInTurns(
    Array.from({ length: 200_000 }, (_, index) => index),
    (index) => ({ index, text: `entry ${index}`.repeat(3) }),
  )
  const made = turns
  await jsonInTurns({ code: 1, data: { list } })
  clearInterval(count)
  expect(made).toBeGreaterThan(3)
  expect(turns - made).toBeGreaterThan(3)
})
