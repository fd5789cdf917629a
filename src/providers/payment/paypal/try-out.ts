import { z } from 'zod'
import { serviceAccount, type ServiceAccount, type TriedSettings } from '../service.ts'
import { askForToken, openPaypalClient, type PaypalClient } from './client.ts'
import { PAYPAL_API, PAYPAL_TIMEOUT_MS, type PaypalOptions } from './paypal.ts'

/** What PayPal answers for an app, or a secret, that it does not know. */
const REFUSED = new Set([400, 401, 403])

/** Asks for a token, and by it whose account the app acts for. The webhook's id is tried by the first notice alone. */
export async function tryPaypalSettings({
  clientId,
  clientSecret,
  environment,
  now,
  baseUrl = PAYPAL_API[environment],
}: Pick<
  PaypalOptions,
  'clientId' | 'clientSecret' | 'environment' | 'baseUrl' | 'now'
>): Promise<TriedSettings> {
  const given = { clientId, clientSecret, baseUrl, timeoutMs: PAYPAL_TIMEOUT_MS }
  const status = await askForToken(given).then(
    (answer) => answer.status,
    () => 0,
  )
  if (status === 200) {
    const account = await readAccount(openPaypalClient({ ...given, now }))
    return { answer: 'good', why: null, account }
  }
  if (REFUSED.has(status)) return { answer: 'refused', why: `answer ${status}`, account: null }
  return { answer: 'unknown', why: status === 0 ? 'no answer' : `answer ${status}`, account: null }
}

const identity = z.object({
  payer_id: z.string(),
  name: z.unknown().optional(),
  email: z.unknown().optional(),
})
const reported = z.object({ account_id: z.string() })

/** Both calls name the account by its payer id. An app may lack the right to either, and takes payments all the same. */
async function readAccount(client: PaypalClient): Promise<ServiceAccount | null> {
  const ask = async (path: string) => {
    try {
      const { status, body } = await client({ method: 'GET', path })
      return status === 200 ? body : null
    } catch {
      return null
    }
  }
  const known = identity.safeParse(await ask('/v1/identity/oauth2/userinfo?schema=paypalv1.1'))
  if (known.success) return serviceAccount(known.data.payer_id, [known.data.name, known.data.email])
  const told = reported.safeParse(await ask('/v1/reporting/balances'))
  return told.success ? serviceAccount(told.data.account_id, []) : null
}
