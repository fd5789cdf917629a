import type { Ctx } from '#platform/ctx.ts'
import { addMisses, addPages } from './commands.ts'
import { missedWords, MISSES_A_DAY } from './rules.ts'

export interface PageCounter {
  readonly count: () => void
  /** A search found nothing: its words are counted, where they tell of nobody. */
  readonly missed: (keywords: string) => void
  /** Writes what is left, and counts no more. */
  readonly close: () => Promise<void>
}

const WRITTEN_EVERY_MS = 10_000

/**
 * Counts the pages a process shows, and the words of searches that found nothing, without cookies and without a word about who sees them, and adds them to the day's number now and
 * then. What cannot be written waits for the next time; a process that is killed loses the last seconds.
 */
export function createPageCounter(
  ctx: Pick<Ctx, 'db' | 'now' | 'log'>,
  timeZone: string,
  everyMs: number = WRITTEN_EVERY_MS,
): PageCounter {
  let pages = 0
  let misses = new Map<string, number>()
  let writing = Promise.resolve()
  const writeMisses = async () => {
    const missed = misses
    if (missed.size === 0) return
    misses = new Map()
    try {
      await addMisses(ctx, missed, timeZone)
    } catch (error) {
      ctx.log.warn('searches without a result were not counted', { error })
    }
  }
  const writePages = async () => {
    const counted = pages
    if (counted === 0) return
    pages = 0
    try {
      await addPages(ctx, counted, timeZone)
    } catch (error) {
      pages += counted
      ctx.log.warn('pages shown were not counted yet', { error })
    }
  }
  const write = async () => {
    await writePages()
    await writeMisses()
  }
  const timer = setInterval(() => {
    writing = writing.then(write)
  }, everyMs).unref()
  return {
    count: () => void (pages += 1),
    missed: (keywords) => {
      const words = missedWords(keywords)
      // No more are remembered than a day may hold.
      if (words !== null && (misses.has(words) || misses.size < MISSES_A_DAY))
        misses.set(words, (misses.get(words) ?? 0) + 1)
    },
    close: () => {
      clearInterval(timer)
      return writing.then(write)
    },
  }
}
