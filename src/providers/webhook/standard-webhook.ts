import { createHmac } from 'node:crypto'
import type { Secret } from '#platform/secret.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'

export interface WebhookMessage {
  /** The same each time it is sent, so that whoever receives it twice knows. */
  readonly id: string
  readonly body: string
}

export interface WebhookTarget {
  readonly url: string
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: Secret
  readonly timeoutMs?: number
}

const ANSWER_MS = 10_000
const PREFIX = 'whsec_'

/**
 * Sends a message as Standard Webhooks has it (version 1). Throws unless the receiver takes it; a redirect is not
 * followed, and nothing inside is called but this machine, where it is named itself.
 */
export async function sendWebhook(
  { url, secret, timeoutMs = ANSWER_MS }: WebhookTarget,
  message: WebhookMessage,
  now: Date,
): Promise<void> {
  const exchange = await openHookClient(
    timeoutMs,
    true,
  )({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...signatureHeaders(secret, message, now) },
    body: message.body,
  })
  if (exchange.kind !== 'answer') throw new Error(`no answer: ${exchange.why}`)
  if (exchange.status < 200 || exchange.status > 299)
    throw new Error(`the receiver answered ${exchange.status}`)
}

function signatureHeaders(
  secret: Secret,
  { id, body }: WebhookMessage,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
