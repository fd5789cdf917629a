import { Stripe } from 'stripe'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { ProviderRefusal, type Notice } from '../provider.ts'

const SIGNATURE_MAX_AGE_S = 300

const event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(100),
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.string(),
      payment_intent: name(),
      charge: name(),
    }),
  }),
})

/** An object is told by its name, or whole. */
function name() {
  return z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish()
}

/**
 * A notice signed with any of the secrets, at most five minutes old. It names a session where it can, else the payment intent or
 * the charge that it is about (refunds, disputes): `fetch` finds the session from either.
 */
export function readStripeNotice(
  body: Uint8Array,
  headers: Headers,
  now: Date,
  secrets: readonly Secret[],
): Notice {
  const signature = headers.get('stripe-signature') ?? ''
  const parsed = event.safeParse(firstVerified(body, signature, now, secrets))
  if (!parsed.success) throw new ProviderRefusal('a signed notice in an unknown form')
  const {
    id,
    type,
    data: { object },
  } = parsed.data
  return { eventId: id, kind: type, paymentReference: referenceOf(object) }
}

function firstVerified(
  body: Uint8Array,
  signature: string,
  now: Date,
  secrets: readonly Secret[],
): unknown {
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(
        body,
        signature,
        secret.reveal(),
        SIGNATURE_MAX_AGE_S,
        undefined,
        now.getTime(),
      )
    } catch {
      // The next secret may be the one. The SDK's error holds the body, and is not kept.
    }
  }
  throw new ProviderRefusal('the notice is not signed with any of the secrets, or too old')
}

function referenceOf({
  id,
  object,
  payment_intent: intent,
  charge,
}: z.infer<typeof event>['data']['object']): string | null {
  if (object === 'checkout.session' || object === 'payment_intent') return id
  if (object === 'charge') return intent ?? id
  if (object === 'dispute' || object === 'refund') return intent ?? charge ?? null
  return null
}
