import type { AmountLimits } from '../provider.ts'
import { hookOffer, type HookOffer } from './answers.ts'
import type { HookPaymentApi } from './api.ts'

/** What a service takes changes seldom: it is asked for anew after so long. */
const FRESH_MS = 10 * 60_000
/** One that does not answer is asked again no sooner. */
const AGAIN_MS = 30_000

export interface KnownOffer {
  /** As it was told last; asks anew on the way, for the next who wants to know. */
  readonly limits: (currency: string) => AmountLimits | null
  /** Waits for what nobody knows yet. Throws where it is not told. */
  readonly read: () => Promise<HookOffer>
}

/** What a service takes, kept: the cashier asks for every method of every page and waits for nobody. */
export function openOffer(api: HookPaymentApi, now: () => Date): KnownOffer {
  let known: HookOffer | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<HookOffer> | null = null

  const ask = (): Promise<HookOffer> => {
    askedAt = now().getTime()
    asking ??= api({ action: 'offer' })
      .then((answer) => (known = hookOffer(answer)))
      .finally(() => {
        asking = null
      })
    return asking
  }

  return {
    limits(currency) {
      if (now().getTime() - askedAt > (known ? FRESH_MS : AGAIN_MS)) ask().catch(() => {})
      return known?.limits.get(currency) ?? null
    },
    read: async () => known ?? ask(),
  }
}
