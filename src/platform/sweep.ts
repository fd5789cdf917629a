import type { Log } from './log.ts'

export interface Queue<Row> {
  /** What is found, in the words of a log. */
  readonly what: string
  /**
   * The next rows, none of which comes again in this run, whatever becomes of its work: they are leased, or stand behind `last`. None: all is done.
   */
  readonly next: (last: Row | null) => Promise<readonly Row[]>
  /** Answers false where there was nothing to do after all. */
  readonly work: (row: Row) => Promise<unknown>
  /** Moves the next time of a row whose work failed. */
  readonly putOff?: (row: Row) => Promise<unknown>
  /** What fails outside the shop is worth a look, not an alarm. Alarms are the rule. */
  readonly tone?: 'warn' | 'error'
  /** How the log names a row. */
  readonly name: (row: Row) => string
  readonly atOnce?: number
  /** Ends the run early, between two rows. */
  readonly signal?: AbortSignal | undefined
}

/** Thrown by the work on a row that ends the whole run: it is nobody's fault here, and would fail for the next row as well. */
export class SweepEnds extends Error {
  override readonly name = 'SweepEnds'
}

/**
 * Works off a queue until it is empty, the rows of one page while those of the page before are still being done. A row that fails is told in the log, for a later run to try again, and holds up no other.
 * @returns for how many it was done
 */
export async function sweep<Row>(
  ctx: { readonly log: Pick<Log, 'error' | 'warn'> },
  queue: Queue<Row>,
): Promise<number> {
  const { atOnce = 1, tone = 'error', signal } = queue
  let count = 0
  let tries = 0
  let isOver = false
  const one = async (row: Row) => {
    tries += 1
    try {
      if ((await queue.work(row)) !== false) count += 1
    } catch (error) {
      if (error instanceof SweepEnds) isOver = true
      else {
        ctx.log[tone](`a sweep left one out: ${queue.what}`, { one: queue.name(row), error })
        await queue.putOff?.(row)
      }
    }
  }
  const isOn = () => !isOver && !signal?.aborted
  // A page that is given out is not waited for: its slowest row would hold up the next one.
  let rows: Iterator<Row> = [].values()
  let last: Row | null = null
  let isShort = false
  let asking: Promise<void> | null = null
  const turn = async () => {
    const page = await queue.next(last)
    // A page that leaves lanes without work is the last for now: more may be given out once it is known what came of it.
    isShort = page.length < atOnce
    last = page.at(-1) ?? last
    rows = page.values()
  }
  const lane = async () => {
    while (isOn()) {
      const { done, value } = rows.next()
      if (!done) await one(value)
      else if (isShort) return
      else await (asking ??= turn().finally(() => (asking = null)))
    }
  }
  for (let tried = -1; isOn() && tried < tries; isShort = false) {
    tried = tries
    for (const ended of await Promise.allSettled(Array.from({ length: atOnce }, lane)))
      if (ended.status === 'rejected') throw ended.reason
  }
  return count
}

const TOGETHER = 50

export interface GroupedQueue<Row> extends Omit<Queue<Row>, 'atOnce' | 'putOff'> {
  /** Does it for several rows in one transaction. Where that fails each of them is done alone. */
  readonly together: (rows: readonly Row[]) => Promise<unknown>
}

/** Like `sweep`, for what costs little beside its commit: so many rows share one. @returns for how many it was done, or tried together */
export async function sweepTogether<Row>(
  ctx: { readonly log: Pick<Log, 'error' | 'warn'> },
  { next, together, work, name, ...queue }: GroupedQueue<Row>,
): Promise<number> {
  let count = 0
  await sweep<readonly Row[]>(ctx, {
    ...queue,
    name: (rows) => `${rows.length} rows`,
    next: async (last) => {
      const page = await next(last?.at(-1) ?? null)
      return Array.from({ length: Math.ceil(page.length / TOGETHER) }, (_, place) =>
        page.slice(place * TOGETHER, (place + 1) * TOGETHER),
      )
    },
    work: async (rows) => {
      try {
        await together(rows)
        count += rows.length
      } catch {
        const alone = rows.values()
        let isGiven = false
        count += await sweep<Row>(ctx, {
          ...queue,
          name,
          work,
          next: async () => (isGiven ? [] : ((isGiven = true), [...alone])),
        })
      }
    },
  })
  return count
}
