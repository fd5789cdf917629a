import type { Ctx } from '#platform/ctx.ts'
import { listen } from '#platform/notifications.ts'
import { NOTICES_CHANNEL } from './commands.ts'
import { settleNoticesOf, type PaymentServices } from './flows.ts'

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
 * notices are the queue: a job for each would make payments wait for one another. Each provider has places of its own, so that one
 * that does not answer delays no other's payments.
 */
export async function followNotices(
  ctx: Ctx,
  services: PaymentServices,
  { databaseUrl, onSettled }: Following,
): Promise<NoticeFollower> {
  const stopping = new AbortController()
  const followers = [...services.providers.values()]
    .filter(({ isOwn }) => isOwn !== true)
    .map(({ code }) => followOne(ctx, services, code, { onSettled, signal: stopping.signal }))
  const listener = await listen(
    databaseUrl,
    NOTICES_CHANNEL,
    () => followers.forEach(({ hear }) => hear()),
    ctx.log,
  )
  return {
    async stop() {
      stopping.abort()
      followers.forEach(({ hear }) => hear())
      await Promise.all([...followers.map(({ done }) => done), listener.close()])
    },
  }
}

function followOne(
  ctx: Ctx,
  services: PaymentServices,
  provider: string,
  { onSettled, signal }: { readonly onSettled: () => void; readonly signal: AbortSignal },
) {
  let heard = Promise.withResolvers<void>()
  const next = (): Promise<void> => {
    heard = Promise.withResolvers()
    return heard.promise
  }
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await settleNoticesOf(ctx, services, provider, { next, onSettled })
      } catch (error) {
        ctx.log.warn('payment notices could not be looked for', { provider, error })
      }
      if (!signal.aborted) await pause(heard.promise)
    }
  }
  return { hear: () => heard.resolve(), done: follow() }
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
