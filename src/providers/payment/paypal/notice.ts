import { verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { ProviderRefusal, type Notice } from '../provider.ts'
import type { PaypalCertificates } from './certificates.ts'

/** PayPal sends a notice again for three days. */
const OLDEST_MS = 4 * 24 * 3_600_000
const FUTURE_MS = 3_600_000
const CAPTURE = 'capture:'

const event = z.object({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(100),
  resource: z.object({
    id: z.string().nullish(),
    order_id: z.string().nullish(),
    supplementary_data: z
      .object({
        related_ids: z
          .object({ order_id: z.string().nullish(), capture_id: z.string().nullish() })
          .nullish(),
      })
      .nullish(),
    disputed_transactions: z
      .array(z.object({ seller_transaction_id: z.string().nullish() }))
      .nullish(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).nullish(),
  }),
})

/** Set before a capture's id where a reference is meant to be one; PayPal's ids do not tell what they are of. */
export function captureIn(reference: string): string | null {
  return reference.startsWith(CAPTURE) ? reference.slice(CAPTURE.length) : null
}

/**
 * Whether PayPal sent a notice is told by its signature: of the moment, the webhook, and the checksum of the body as it came, byte for
 * byte, by the key of a certificate that PayPal hands out.
 */
export async function readPaypalNotice(
  certificates: PaypalCertificates,
  webhookId: string,
  body: Uint8Array,
  headers: Headers,
  now: Date,
): Promise<Notice> {
  const parsed = event.safeParse(jsonOf(new TextDecoder().decode(body)))
  if (!parsed.success) throw new ProviderRefusal('a notice in an unknown form')
  const header = (name: string) => headers.get(`paypal-${name}`) ?? ''
  const time = header('transmission-time')
  const age = now.getTime() - Date.parse(time)
  if (!(age <= OLDEST_MS && age >= -FUTURE_MS))
    throw new ProviderRefusal('the notice is too old, or says not when it was sent')
  if (header('auth-algo') !== 'SHA256withRSA')
    throw new ProviderRefusal('the notice is signed in an unknown way')
  const key = await certificates(header('cert-url'))
  const signed = `${header('transmission-id')}|${time}|${webhookId}|${crc32(body)}`
  const signature = Buffer.from(header('transmission-sig'), 'base64')
  if (!verify('RSA-SHA256', Buffer.from(signed), key, signature))
    throw new ProviderRefusal('PayPal did not send the notice')
  return {
    eventId: parsed.data.id,
    kind: parsed.data.event_type,
    paymentReference: referenceOf(parsed.data),
  }
}

function referenceOf({ event_type: kind, resource }: z.infer<typeof event>): string | null {
  if (kind.startsWith('CHECKOUT.PAYMENT-APPROVAL.')) return resource.order_id ?? null
  if (kind.startsWith('CHECKOUT.ORDER.')) return resource.id ?? null
  if (kind.includes('DISPUTE.'))
    return named(resource.disputed_transactions?.[0]?.seller_transaction_id)
  if (!kind.startsWith('PAYMENT.CAPTURE.') && !kind.startsWith('PAYMENT.REFUND.')) return null
  const related = resource.supplementary_data?.related_ids
  if (related?.order_id) return related.order_id
  // A refund's notice is about the refund, which stands below its capture.
  const above = resource.links?.find(({ rel }) => rel === 'up')?.href
  const parent = above === undefined ? null : (/\/captures\/([A-Z0-9]+)$/.exec(above)?.[1] ?? null)
  return named(
    related?.capture_id ??
      parent ??
      (kind.endsWith('.REFUNDED') || kind.endsWith('.REVERSED') ? null : resource.id),
  )
}

function named(capture: string | null | undefined): string | null {
  return capture ? `${CAPTURE}${capture}` : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
