import { expect, test } from 'vitest'
import type { Db } from './db.ts'
import { batchWrites } from './batched-writes.ts'

const db = {} as Db

/** Batches that end one by one, when they are told to. */
function paused() {
  const batches: { readonly contents: readonly number[]; readonly end: (error?: Error) => void }[] =
    []
  const go = batchWrites(
    3,
    (_: Db, contents: readonly number[]) =>
      new Promise<number[]>((resolve, reject) => {
        batches.push({
          contents,
          end: (error) => (error ? reject(error) : resolve(contents.map((each) => each * 10))),
        })
      }),
  )
  return {
    batches,
    go: (each: number) => go(db, each),
    contents: () => batches.map((batch) => batch.contents),
  }
}

const turn = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('what comes while a batch is written goes with the next, up to its size, and each request gets its own outcome', async () => {
  const { batches, go, contents } = paused()
  const outcomes = Promise.all([1, 2, 3, 4, 5].map(go))
  expect(contents()).toEqual([[1]])
  for (let at = 0; at < 3; at += 1) {
    batches[at]?.end()
    await turn()
  }
  expect(contents()).toEqual([[1], [2, 3, 4], [5]])
  expect(await outcomes).toEqual([10, 20, 30, 40, 50])
})

test('a batch that fails is made again by each alone, and fails for whom it fails again', async () => {
  const { batches, go, contents } = paused()
  const outcomes = Promise.allSettled([1, 2, 3].map(go))
  batches[0]?.end()
  await turn()
  batches[1]?.end(new Error('one of them does not fit'))
  await turn()
  expect(contents()).toEqual([[1], [2, 3], [2], [3]])
  batches[2]?.end(new Error('this one'))
  batches[3]?.end()
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: new Error('this one') },
    { status: 'fulfilled', value: 30 },
  ])
  const after = go(4)
  await turn()
  batches[4]?.end()
  expect(await after).toBe(40)
})
