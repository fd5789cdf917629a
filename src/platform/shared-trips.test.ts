import { expect, test } from 'vitest'
import type { Db } from './db.ts'
import { shareTrips } from './shared-trips.ts'

const db = {} as Db

/** Trips that end one by one, when they are told to. */
function paused() {
  const trips: { readonly aboard: readonly number[]; readonly end: (error?: Error) => void }[] = []
  const go = shareTrips(
    3,
    (_: Db, aboard: readonly number[]) =>
      new Promise<number[]>((resolve, reject) => {
        trips.push({
          aboard,
          end: (error) => (error ? reject(error) : resolve(aboard.map((each) => each * 10))),
        })
      }),
  )
  return {
    trips,
    go: (each: number) => go(db, each),
    aboard: () => trips.map((trip) => trip.aboard),
  }
}

const turn = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('what comes while a trip is under way shares the next, as far as there are seats, and each hears its own outcome', async () => {
  const { trips, go, aboard } = paused()
  const outcomes = Promise.all([1, 2, 3, 4, 5].map(go))
  expect(aboard()).toEqual([[1]])
  for (let at = 0; at < 3; at += 1) {
    trips[at]?.end()
    await turn()
  }
  expect(aboard()).toEqual([[1], [2, 3, 4], [5]])
  expect(await outcomes).toEqual([10, 20, 30, 40, 50])
})

test('a trip that fails is made again by each alone, and fails for whom it fails again', async () => {
  const { trips, go, aboard } = paused()
  const outcomes = Promise.allSettled([1, 2, 3].map(go))
  trips[0]?.end()
  await turn()
  trips[1]?.end(new Error('one of them does not fit'))
  await turn()
  expect(aboard()).toEqual([[1], [2, 3], [2], [3]])
  trips[2]?.end(new Error('this one'))
  trips[3]?.end()
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: new Error('this one') },
    { status: 'fulfilled', value: 30 },
  ])
  const after = go(4)
  await turn()
  trips[4]?.end()
  expect(await after).toBe(40)
})
