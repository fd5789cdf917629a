import type { Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import type { ScreeningAnswer, ScreeningProvider } from '#providers/screening/provider.ts'
import { findPerson } from './read/screening.ts'
import {
  dropScreening,
  personHash,
  putOffScreening,
  recordScreening,
  takeScreenings,
  type TakenScreening,
} from './write/screening.ts'

const AT_ONCE = 4
const PAGE = 32
const LEASE_MS = 15_000

/**
 * Asks the service about everybody who is to be looked at, outside of any transaction. Without an answer nothing passes: what waits is held, and
 * it is asked again. No name gets into a log.
 */
export async function screenDue(
  ctx: Ctx,
  provider: ScreeningProvider,
  signal?: AbortSignal,
): Promise<number> {
  return sweep<TakenScreening>(ctx, {
    what: 'a shopper to be screened',
    tone: 'warn',
    name: ({ id }) => id,
    atOnce: AT_ONCE,
    signal,
    next: () => takeScreenings(ctx, provider.answersWithinMs + LEASE_MS, PAGE),
    work: async (taken) => {
      const person = await findPerson(ctx.db, taken.accountId)
      if (!person || !personHash(ctx, person).equals(taken.subject)) {
        await dropScreening(ctx, taken.id)
        return false
      }
      const answer: ScreeningAnswer = await provider
        .screen(taken.id, person)
        .catch(() => ({ kind: 'unknown', why: 'the call failed within the shop' }))
      if (answer.kind === 'unknown') {
        ctx.log.warn('the screening service gave no answer', {
          service: provider.code,
          check: taken.id,
          why: answer.why,
        })
        await putOffScreening(ctx, taken, answer.why)
        return false
      }
      await recordScreening(ctx, taken, answer.kind === 'match' ? answer.entries : [])
      return true
    },
  })
}
