import type { TriedSettings } from '../service.ts'
import { askForToken } from './client.ts'
import { PAYPAL_API, PAYPAL_TIMEOUT_MS, type PaypalOptions } from './paypal.ts'

/** What PayPal answers for an app, or a secret, that it does not know. */
const REFUSED = new Set([400, 401, 403])

/** Asks for a token, which is not used. The webhook's id is tried by the first notice alone. */
export async function tryPaypalSettings({
  clientId,
  clientSecret,
  environment,
  baseUrl = PAYPAL_API[environment],
}: Pick<
  PaypalOptions,
  'clientId' | 'clientSecret' | 'environment' | 'baseUrl'
>): Promise<TriedSettings> {
  const given = { clientId, clientSecret, baseUrl, timeoutMs: PAYPAL_TIMEOUT_MS }
  const status = await askForToken(given).then(
    (answer) => answer.status,
    () => 0,
  )
  if (status === 200) return { answer: 'good', why: null }
  if (REFUSED.has(status)) return { answer: 'refused', why: `answer ${status}` }
  return { answer: 'unknown', why: status === 0 ? 'no answer' : `answer ${status}` }
}
