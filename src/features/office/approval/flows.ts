import { settleAsDecided } from '#features/supply/purchase/commands.ts'
import { isAppError } from '#kernel/error.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import { isRefusal } from '#platform/refusal.ts'
import { sweep } from '#platform/sweep.ts'
import { listUndone, type Undone } from './queries.ts'

/**
 * Does what was decided and is more than its approval's own transaction, where whoever decided it was cut off before: in their name, and once,
 * as what is done is done no more. @returns for how many acts
 */
export async function carryOutDecided(
  ctx: Ctx,
  /** Has an unmatched payment given back at its provider. */
  giveBack: (ctx: Ctx, unmatched: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  return sweep<Undone>(ctx, {
    what: 'an act that was decided',
    name: ({ id }) => id,
    tone: 'warn',
    signal,
    next: (last) => listUndone(ctx.db, ctx.now(), last),
    work: async ({ kind, subject, proof, decidedBy }) => {
      const own = ctxFor(ctx, { actor: decidedBy, locale: ctx.locale, currency: ctx.currency })
      try {
        if (kind === 'doubt_failure')
          await settleAsDecided(own, subject, { outcome: 'failed', proof: proof ?? '' })
        else await giveBack(own, subject)
        return true
      } catch (error) {
        // Whoever decided it was quicker; or a provider will not, and a person sees it with what is unmatched.
        if (isRefusal(error) || (isAppError(error) && error.code === 'order_closed')) return false
        throw error
      }
    },
  })
}
