import type { Db } from './db.ts'

interface Waiting<Request, Outcome> {
  readonly request: Request
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

interface Queue<Request, Outcome> {
  waiting: Waiting<Request, Outcome>[]
  isUnderWay: boolean
}

/**
 * Writes of the same kind go to the database in batches, one round trip and one commit each, which is most of what a small write costs:
 * what comes while a batch is under way goes with the next one, and nothing waits while there is none. One batch at a time from one
 * process, as each of several would be smaller. The requests of a batch that fails are written again one by one, so that none suffers
 * for another.
 * @param write answers an outcome for each request, in their order; what it throws has left nothing behind, or does no harm twice
 */
export function batchWrites<Request, Outcome>(
  sizeMax: number,
  write: (db: Db, requests: readonly Request[]) => Promise<readonly Outcome[]>,
): (db: Db, request: Request) => Promise<Outcome> {
  const queues = new WeakMap<Db, Queue<Request, Outcome>>()
  return (db, request) => {
    const queue = queues.get(db) ?? { waiting: [], isUnderWay: false }
    queues.set(db, queue)
    return new Promise<Outcome>((resolve, reject) => {
      queue.waiting.push({ request, resolve, reject })
      if (!queue.isUnderWay) void run(db, queue)
    })
  }

  async function run(db: Db, queue: Queue<Request, Outcome>): Promise<void> {
    queue.isUnderWay = true
    while (queue.waiting.length > 0) {
      const taken = queue.waiting.splice(0, sizeMax)
      try {
        await go(db, taken)
      } catch (error) {
        if (taken.length === 1) taken[0]?.reject(error)
        else await Promise.all(taken.map((each) => go(db, [each]).catch(each.reject)))
      }
    }
    queue.isUnderWay = false
  }

  async function go(db: Db, together: readonly Waiting<Request, Outcome>[]): Promise<void> {
    const outcomes = await write(
      db,
      together.map(({ request }) => request),
    )
    together.forEach(({ resolve }, place) => resolve(outcomes[place] as Outcome))
  }
}
