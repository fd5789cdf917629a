import { setImmediate as nextTurn } from 'node:timers/promises'
import { ownKeysAreLookedAt } from '#features/buying/gate/commands.ts'
import { lookAtRefunds } from '#features/buying/refund/commands.ts'
import { isUuid } from '#kernel/uuid.ts'
import { BreakerOpen } from '#platform/breaker.ts'
import { type Ctx, ofThisRequest } from '#platform/ctx.ts'
import { inRequestOf } from '#platform/request-scope.ts'
import { securityEvent } from '#platform/security-log.ts'
import { ProviderRefusal } from '#providers/payment/provider.ts'
import {
  applyByRules,
  closeNotice,
  putOffNotice,
  recordNotice,
  type TakenNotice,
  takeNotices,
} from '../commands.ts'
import { isAttemptAt } from '../queries.ts'
import { settleFastPath } from '../write/settle-fast-path.ts'
import { fetchOrNone, followGivenBack, getProvider, type PaymentServices } from './provider.ts'

/** Of the notices of a provider. */
const SETTLED_AT_ONCE = 16

/**
 * Takes in a notice as it came over the wire, before it is answered. A notice that its provider did not send, or that is too old,
 * is refused; anything thrown means that the sender should send it again.
 */
export async function receiveNotice(
  ctx: Ctx,
  { providers }: PaymentServices,
  code: string,
  sent: { readonly body: Uint8Array; readonly headers: Headers },
): Promise<'stored' | 'refused' | 'no_provider'> {
  const provider = providers.get(code)
  if (!provider) return 'no_provider'
  try {
    const notice = await provider.readNotice(sent.body, sent.headers, ctx.now())
    await recordNotice(ctx, code, notice, sent.body)
    return 'stored'
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    securityEvent(ctx.log, 'webhook.refused', { provider: code, reason: error.message })
    return 'refused'
  }
}

/** What is to be known of notices while some are being worked off. */
export interface NoticeWords {
  /** Resolves with the first word, from this call on, that a notice has come. */
  readonly next: () => Promise<void>
  /** Called when one was worked off. */
  readonly onSettled: () => void
}

const NO_WORDS: NoticeWords = { next: () => new Promise(() => {}), onSettled: () => {} }

/** Works off the notices of all providers that wait. @returns how many were worked off */
export async function settleNotices(ctx: Ctx, services: PaymentServices): Promise<number> {
  const counts = await Promise.all(
    [...services.providers.keys()].map((provider) => settleNoticesOf(ctx, services, provider)),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Works off all notices of a provider that wait, some at once, until none is left; any number of workers may do so side by side. What comes
 * meanwhile waits for none of them while there is room. One that fails moves behind the others; while the provider is away they are left.
 * @returns how many were worked off
 */
export async function settleNoticesOf(
  ctx: Ctx,
  services: PaymentServices,
  provider: string,
  words: NoticeWords = NO_WORDS,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let count = 0
  const work = async (notice: TakenNotice): Promise<void> => {
    try {
      await inRequestOf(notice.request, () => settleNotice(ofThisRequest(ctx), services, notice))
      count += 1
      words.onSettled()
    } catch (error) {
      if (!(error instanceof BreakerOpen))
        ctx.log.warn('a payment notice could not be worked off', {
          provider,
          event: notice.eventId,
          error,
        })
      await putOffNotice(ctx, notice).catch(() => {})
    }
  }
  let word = words.next()
  for (let isMore = true; ; ) {
    if (isMore || running.size === 0) {
      const places = { all: SETTLED_AT_ONCE, one: 1, none: 0 }[services.room?.(provider) ?? 'all']
      const room = Math.max(0, places - running.size)
      word = words.next()
      const taken =
        room === 0
          ? []
          : await takeNotices(ctx, provider, room).catch(async (error: unknown) => {
              await Promise.all(running)
              throw error
            })
      for (const notice of taken) {
        const working: Promise<void> = work(notice).finally(() => running.delete(working))
        running.add(working)
      }
      isMore = room > 0 && taken.length === room
    }
    if (running.size === 0) return count
    await Promise.race([
      ...running,
      ...(isMore
        ? []
        : [
            word.then(() => {
              isMore = true
            }),
          ]),
    ])
    // Those settled in the same trip are over together: one look then fills all their places.
    await nextTurn()
  }
}

/** Works off a notice: whatever it says, its provider is asked. A notice of nothing of ours is closed as such. */
export async function settleNotice(
  ctx: Ctx,
  services: PaymentServices,
  { provider, eventId, reference }: Omit<TakenNotice, 'tries' | 'request'>,
): Promise<void> {
  if (reference === null) return closeNotice(ctx, { provider, eventId, outcome: 'no_payment' })
  const told = await fetchOrNone(getProvider(services, provider), reference)
  if (!told) return closeNotice(ctx, { provider, eventId, outcome: 'not_ours' })
  // By our own name for the payment, which the provider knows even where we have not noted its name by now.
  const attempt = { id: uuidOrNone(told.ourReference), provider }
  const isPlain = !(await ownKeysAreLookedAt(ctx))
  if (isPlain && (await settleFastPath(ctx, attempt, told, eventId))) return
  if (!(await isAttemptAt(ctx.db, attempt)))
    return closeNotice(ctx, { provider, eventId, outcome: 'not_ours' })
  const outcome = await applyByRules(ctx, attempt.id, told)
  await followGivenBack(ctx, getProvider(services, provider), attempt.id, told)
  await lookAtRefunds(ctx, attempt.id)
  await closeNotice(ctx, { provider, eventId, outcome })
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

const uuidOrNone = (text: string) => (isUuid(text) ? text : NO_ID)
