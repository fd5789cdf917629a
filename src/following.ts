import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/ctx.ts'
import { listen } from '#platform/notifications.ts'

const RETRY_MS = 1_000

interface Follower {
  readonly databaseUrl: string
  /** Where what holds stands. */
  readonly tables: readonly string[]
  /** Takes up what holds now; called again where it throws. */
  readonly take: () => Promise<void>
  /** Said while it cannot be read. */
  readonly complaint: string
}

/** Settings that are entered in the console, kept true in a process: taken up now, and whenever one of the tables changes. */
export async function follow(
  ctx: Pick<Ctx, 'log'>,
  { databaseUrl, tables, take, complaint }: Follower,
): Promise<{ readonly close: () => Promise<void> }> {
  const closing = new AbortController()
  let isAsked = false
  let working = Promise.resolve()

  async function takeInTheEnd(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        return await take()
      } catch (error) {
        ctx.log.warn(complaint, { error })
        await sleep(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
  }

  /** What is asked for while it is being read is read once more. */
  function ask(): void {
    if (isAsked) return
    isAsked = true
    working = working.then(() => {
      isAsked = false
      return takeInTheEnd()
    })
  }

  const listener = await listen(
    databaseUrl,
    'catalogue_changed',
    (table) => {
      // None is named where word of changes was missed.
      if (table === '' || tables.includes(table)) ask()
    },
    ctx.log,
  )
  await take()
  return {
    async close() {
      closing.abort()
      await listener.close()
      await working
    },
  }
}
