import { Stripe } from 'stripe'
import type { TriedSettings } from '../service.ts'
import { openClient, type StripeOptions } from './stripe.ts'

/** What a key may not: it is another's, was ended, or lacks the right to the sessions that every payment needs. */
const REFUSED = new Set([401, 403])

/** Asks for the newest session. Signing secrets are tried by the first notice alone: Stripe tells nobody whether one is right. */
export async function tryStripeSettings(options: StripeOptions): Promise<TriedSettings> {
  try {
    await openClient(options).checkout.sessions.list({ limit: 1 })
    return { answer: 'good', why: null }
  } catch (error) {
    // The sentence would quote the key: only Stripe's word for it is told.
    if (!(error instanceof Stripe.errors.StripeError))
      return { answer: 'unknown', why: 'no answer' }
    const { statusCode = 0, type, code = type } = error
    const answer = REFUSED.has(statusCode) ? 'refused' : 'unknown'
    return { answer, why: statusCode === 0 ? 'no answer' : `${statusCode} ${code}` }
  }
}
