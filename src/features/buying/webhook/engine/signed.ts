import { createHmac } from 'node:crypto'
import type { Keys } from '#platform/keys.ts'
import { WEBHOOK_SECRET_PREFIX } from '../rules.ts'

/** The secret of an endpoint: it follows from the program's own key, and stands nowhere. */
export function webhookSecret(keys: Keys, publicId: string, salt: Uint8Array): string {
  const text = `${publicId}\0${Buffer.from(salt).toString('hex')}`
  return `${WEBHOOK_SECRET_PREFIX}${keys.mac('webhook endpoint', text).toString('base64url')}`
}

/** `t=` seconds since 1970, `v1=` HMAC-SHA256 in hexadecimal of the time, a point and the body. */
export function webhookSignature(secret: string, now: Date, body: string): string {
  const time = Math.floor(now.getTime() / 1_000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}
