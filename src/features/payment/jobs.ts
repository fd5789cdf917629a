import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/ctx.ts'
import { listen } from '#platform/notifications.ts'
import { NOTICES_CHANNEL } from './commands.ts'
import { settleNotices, type PaymentServices } from './flows.ts'

const LOOKED_EVERY_MS = 1_000

export interface NoticeFollower {
  /** Resolves when what is being worked off is done. */
  readonly stop: () => Promise<void>
}

interface Following {
  readonly databaseUrl: string
  /** Called whenever a notice was worked off. */
  readonly onSettled: () => void
}

/**
 * Works off payment notices as soon as a word of them comes, and looks for them each second, since a word may be lost. The stored
 * notices are the queue: a job for each would make payments wait for one another.
 */
export async function followNotices(ctx: Ctx, services: PaymentServices, { databaseUrl, onSettled }: Following): Promise<NoticeFollower> {
  const stopped = new AbortController()
  let heard = Promise.withResolvers<void>()
  const next = (): Promise<void> => {
    heard = Promise.withResolvers()
    return heard.promise
  }
  const listener = await listen(databaseUrl, NOTICES_CHANNEL, () => heard.resolve(), ctx.log)
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await settleNotices(ctx, services, { next, onSettled })
      } catch (error) {
        ctx.log.warn('payment notices could not be looked for', { error })
      }
      await pause(stopped.signal, heard.promise)
    }
  }
  const following = follow()
  return {
    async stop() {
      stopped.abort()
      await Promise.all([following, listener.close()])
    },
  }
}

/** Over after a second, once a word is heard, or by the signal. */
async function pause(stopped: AbortSignal, heard: Promise<void>): Promise<void> {
  const over = new AbortController()
  void heard.then(() => over.abort())
  await sleep(LOOKED_EVERY_MS, undefined, { signal: AbortSignal.any([stopped, over.signal]) }).catch(() => {})
}
