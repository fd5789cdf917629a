import type { Stripe } from 'stripe'
import { ProviderRefusal, type DisputeEvidence } from '../provider.ts'

/** Of all of it together Stripe takes 150,000 characters. */
export const STRIPE_EVIDENCE_MAX = 20_000
/** Disputes that wait for the shop; the bank's early inquiries are answered the same way. */
const WAITING = new Set(['needs_response', 'warning_needs_response'])
const NAME = 'our_reference'
const PAGE = 100

/** Submitted at once: Stripe hands it to the bank, and takes no more afterwards. What was submitted before bears our name. */
export async function submitEvidence(
  stripe: Stripe,
  intent: string,
  { ourReference, text, email }: DisputeEvidence,
): Promise<string> {
  const { data: disputes } = await stripe.disputes.list({ payment_intent: intent, limit: PAGE })
  const before = disputes.find(({ metadata }) => metadata[NAME] === ourReference)
  if (before && !WAITING.has(before.status)) return before.id
  const open = before ?? disputes.find(({ status }) => WAITING.has(status))
  if (!open) throw new ProviderRefusal('no dispute takes evidence')
  const { id } = await stripe.disputes.update(
    open.id,
    {
      evidence: {
        uncategorized_text: text,
        ...(email === null ? {} : { customer_email_address: email }),
      },
      metadata: { [NAME]: ourReference },
      submit: true,
    },
    { idempotencyKey: ourReference },
  )
  return id
}
