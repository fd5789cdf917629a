import type { Db } from './db.ts'

interface Waiting<Passenger, Outcome> {
  readonly passenger: Passenger
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

interface Line<Passenger, Outcome> {
  waiting: Waiting<Passenger, Outcome>[]
  isUnderWay: boolean
}

/**
 * Writes of the same kind share trips to the database, and with a trip its commit, which is most of what a small write costs: what
 * comes while a trip is under way goes with the next one, and nothing waits while there is none. One trip at a time from one process,
 * as each of several would carry less. A trip that fails is made again by each of its passengers alone, so that none suffers for another.
 * @param travel answers an outcome for each passenger, in their order; what it throws has left nothing behind, or does no harm twice
 */
export function shareTrips<Passenger, Outcome>(
  seats: number,
  travel: (db: Db, passengers: readonly Passenger[]) => Promise<readonly Outcome[]>,
): (db: Db, passenger: Passenger) => Promise<Outcome> {
  const lines = new WeakMap<Db, Line<Passenger, Outcome>>()
  return (db, passenger) => {
    const line = lines.get(db) ?? { waiting: [], isUnderWay: false }
    lines.set(db, line)
    return new Promise<Outcome>((resolve, reject) => {
      line.waiting.push({ passenger, resolve, reject })
      if (!line.isUnderWay) void run(db, line)
    })
  }

  async function run(db: Db, line: Line<Passenger, Outcome>): Promise<void> {
    line.isUnderWay = true
    while (line.waiting.length > 0) {
      const taken = line.waiting.splice(0, seats)
      try {
        await go(db, taken)
      } catch (error) {
        if (taken.length === 1) taken[0]?.reject(error)
        else await Promise.all(taken.map((each) => go(db, [each]).catch(each.reject)))
      }
    }
    line.isUnderWay = false
  }

  async function go(db: Db, together: readonly Waiting<Passenger, Outcome>[]): Promise<void> {
    const outcomes = await travel(
      db,
      together.map(({ passenger }) => passenger),
    )
    together.forEach(({ resolve }, place) => resolve(outcomes[place] as Outcome))
  }
}
