import { expect, test } from 'vitest'
import { sweep, SweepEnds, type Queue } from './sweep.ts'

const told: unknown[] = []
const log = {
  warn: () => {},
  error: (message: string, fields?: object) => void told.push([message, fields]),
}

/** Rows by number, in pages of ten, each behind the last of the page before. */
function numbers(
  count: number,
  rest: Pick<Queue<number>, 'work'> & Partial<Queue<number>>,
): Queue<number> {
  return {
    what: 'a thing',
    name: String,
    next: async (last) =>
      Array.from(
        { length: Math.max(0, Math.min(10, count - 1 - (last ?? -1))) },
        (_, place) => (last ?? -1) + 1 + place,
      ),
    ...rest,
  }
}

test('a queue is worked off page by page until it is empty, however many of its rows fail', async () => {
  const done: number[] = []
  const putOff: number[] = []
  const count = await sweep(
    { log },
    numbers(57, {
      atOnce: 3,
      putOff: async (row) => void putOff.push(row),
      work: async (row) => {
        if (row < 25) throw new Error('no')
        done.push(row)
        return row !== 30
      },
    }),
  )
  expect([count, done.length, putOff.length]).toEqual([31, 32, 25])
  expect(told[0]).toEqual([
    'a sweep left one out: a thing',
    { one: expect.stringMatching(/^\d+$/) as string, error: new Error('no') },
  ])
})

test('a run ends between two rows when it is told to, or when going on makes no sense', async () => {
  const stopping = new AbortController()
  const seen: number[] = []
  await sweep(
    { log },
    numbers(50, {
      signal: stopping.signal,
      work: async (row) => {
        seen.push(row)
        if (row === 12) stopping.abort()
      },
    }),
  )
  expect(seen.at(-1)).toBe(12)
  await sweep(
    { log },
    numbers(50, {
      work: async (row) => {
        seen.push(row)
        if (row === 5) throw new SweepEnds()
      },
    }),
  )
  expect(seen.at(-1)).toBe(5)
})

test('one slow row holds up no page behind its own', async () => {
  const done: number[] = []
  const others = Promise.withResolvers<void>()
  await sweep(
    { log },
    numbers(40, {
      atOnce: 3,
      work: async (row) => {
        if (row === 0) await others.promise
        done.push(row)
        if (done.length === 39) others.resolve()
      },
    }),
  )
  expect([done.length, done.at(-1)]).toEqual([40, 0])
})

test('what a row being done has made room for is found in the same run', async () => {
  let room = 1
  let made = 0
  const count = await sweep<number>(
    { log },
    {
      what: 'a thing',
      name: String,
      atOnce: 4,
      next: async () => {
        const page = Array.from({ length: Math.min(room, 20 - made) }, () => (made += 1))
        room = 0
        return page
      },
      work: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        room = 4
      },
    },
  )
  expect(count).toBe(20)
})
