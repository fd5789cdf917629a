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
export async function followNotices(
  ctx: Ctx,
  services: PaymentServices,
  { databaseUrl, onSettled }: Following,
): Promise<NoticeFollower> {
  let isStopped = false
  let heard = Promise.withResolvers<void>()
  const next = (): Promise<void> => {
    heard = Promise.withResolvers()
    return heard.promise
  }
  const listener = await listen(databaseUrl, NOTICES_CHANNEL, () => heard.resolve(), ctx.log)
  const follow = async (): Promise<void> => {
    while (!isStopped) {
      try {
        await settleNotices(ctx, services, { next, onSettled })
      } catch (error) {
        ctx.log.warn('payment notices could not be looked for', { error })
      }
      if (!isStopped) await pause(heard.promise)
    }
  }
  const following = follow()
  return {
    async stop() {
      isStopped = true
      heard.resolve()
      await Promise.all([following, listener.close()])
    },
  }
}

/** Over after a second, or once a word is heard. */
async function pause(heard: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    heard,
    new Promise((resolve) => {
      timer = setTimeout(resolve, LOOKED_EVERY_MS)
    }),
  ])
  clearTimeout(timer)
}
