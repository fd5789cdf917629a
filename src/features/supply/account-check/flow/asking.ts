import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/ctx.ts'
import { createPace } from '#platform/pace.ts'
import type { AccountCheck, SupplyOrder, SupplyProvider } from '#providers/supply/provider.ts'

/** Whoever buys waits no longer for it. */
export const ANSWERED_WITHIN_MS = 5_000
/** A supplier that let somebody wait that long is not asked for a while: nobody else waits in vain. */
const RESTS_MS = 15_000
/** Questions that wait for a place; what comes then is not asked. */
const WAITING_MOST = 50

type Told = AccountCheck | { readonly kind: 'late' }

/** Asks a supplier about an account. Never throws. */
export type AskSupplier = (
  ctx: Pick<Ctx, 'now' | 'log'>,
  order: SupplyOrder,
) => Promise<AccountCheck>

/**
 * Asks one supplier with half of what it allows at once and in a second, as purchases have the other half. A call that hangs keeps its
 * place until it ends, and no more than that.
 */
export function createSupplierAsking(provider: SupplyProvider): AskSupplier {
  const { concurrent, perSecond } = provider.capabilities.limits
  const pace = createPace(Math.max(0.5, perSecond / 2))
  const takePlace = places(Math.max(1, Math.floor(concurrent / 2)))
  let restsUntil = 0
  return async (ctx, order) => {
    const now = ctx.now().getTime()
    if (now < restsUntil) return unchecked('the supplier let others wait')
    const over = new AbortController()
    const asked = takePlace(over.signal, async () => {
      await pace(over.signal)
      return over.signal.aborted ? unchecked('too late') : provider.validateAccount(order)
    }).catch((error: unknown): AccountCheck => {
      ctx.log.error('an account could not be checked', { supplier: provider.code, error })
      return unchecked('the call failed within the shop')
    })
    const late = sleep<Told>(
      ANSWERED_WITHIN_MS,
      { kind: 'late' },
      { ref: false, signal: over.signal },
    )
    const told = await Promise.race([asked, late.catch((): Told => ({ kind: 'late' }))])
    over.abort()
    if (told.kind !== 'late') return told
    restsUntil = now + ANSWERED_WITHIN_MS + RESTS_MS
    ctx.log.warn('a supplier is not asked about accounts for a while: it let somebody wait', {
      supplier: provider.code,
    })
    return unchecked('no answer in time')
  }
}

const unchecked = (why: string): AccountCheck => ({ kind: 'unchecked', why })

/** Lets so many in at once; the others wait for their turn, or until they have waited too long. */
function places(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  return async (over: AbortSignal, work: () => Promise<AccountCheck>): Promise<AccountCheck> => {
    if (taken < most) taken += 1
    else if (waiting.length >= WAITING_MOST) return unchecked('too many are asked about')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return over.aborted ? unchecked('too late') : await work()
    } finally {
      leave()
    }
  }
}
