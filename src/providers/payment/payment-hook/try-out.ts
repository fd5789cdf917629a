import type { TriedSettings } from '../service.ts'
import { hookOffer } from './answers.ts'
import { HookContradiction, HookUnsigned, openHookPaymentApi } from './api.ts'
import type { HookPaymentOptions } from './hook.ts'
import { ProviderRefusal } from '../provider.ts'

/** Asks what the service takes and whose it is: it moves nothing. */
export async function tryHookSettings(options: HookPaymentOptions): Promise<TriedSettings> {
  const api = openHookPaymentApi(options)
  try {
    const { account } = hookOffer(await api({ action: 'offer' }))
    return { answer: 'good', why: null, account }
  } catch (error) {
    if (error instanceof HookUnsigned || error instanceof ProviderRefusal)
      return { answer: 'refused', why: error.message, account: null }
    const why = error instanceof HookContradiction ? error.message : 'no answer'
    return { answer: 'unknown', why, account: null }
  }
}
