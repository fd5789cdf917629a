import type { Ctx } from '#platform/ctx.ts'
import { addPages } from './commands.ts'

export interface PageCounter {
  readonly count: () => void
  /** Writes what is left, and counts no more. */
  readonly close: () => Promise<void>
}

const WRITTEN_EVERY_MS = 10_000

/**
 * Counts the pages a process shows, without cookies and without a word about who sees them, and adds them to the day's number now and
 * then. What cannot be written waits for the next time; a process that is killed loses the last seconds.
 */
export function createPageCounter(
  ctx: Pick<Ctx, 'db' | 'now' | 'log'>,
  timeZone: string,
  everyMs: number = WRITTEN_EVERY_MS,
): PageCounter {
  let pages = 0
  let writing = Promise.resolve()
  const write = async () => {
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
  const timer = setInterval(() => {
    writing = writing.then(write)
  }, everyMs).unref()
  return {
    count: () => void (pages += 1),
    close: () => {
      clearInterval(timer)
      return writing.then(write)
    },
  }
}
