import { Stripe } from 'stripe'
import { serviceAccount, type ServiceAccount, type TriedSettings } from '../service.ts'
import { openClient, type StripeOptions } from './stripe.ts'

/** What a key may not: it is another's, was ended, or lacks the right to the sessions that every payment needs. */
const REFUSED = new Set([401, 403])

/** Asks for the newest session. Signing secrets are tried by the first notice alone: Stripe tells nobody whether one is right. */
export async function tryStripeSettings(options: StripeOptions): Promise<TriedSettings> {
  const client = openClient(options)
  try {
    await client.checkout.sessions.list({ limit: 1 })
  } catch (error) {
    // The sentence would quote the key: only Stripe's word for it is told.
    if (!(error instanceof Stripe.errors.StripeError))
      return { answer: 'unknown', why: 'no answer', account: null }
    const { statusCode = 0, type, code = type } = error
    const answer = REFUSED.has(statusCode) ? 'refused' : 'unknown'
    const why = statusCode === 0 ? 'no answer' : `${statusCode} ${code}`
    return { answer, why, account: null }
  }
  return { answer: 'good', why: null, account: await readAccount(client) }
}

/** A restricted key may lack the right to read whose it is, and takes payments all the same. */
async function readAccount(client: Stripe): Promise<ServiceAccount | null> {
  try {
    const {
      id,
      settings,
      business_profile: profile,
      email,
    } = await client.accounts.retrieveCurrent()
    return serviceAccount(id, [settings?.dashboard.display_name, profile?.name, email])
  } catch {
    return null
  }
}
