import { z } from 'zod'
import { ProviderRefusal, type DisputeEvidence } from '../provider.ts'
import { bodyOrRefusal, type PaypalClient } from './client.ts'
import type { PaypalDispute } from './facts.ts'

/** PayPal takes notes of 2,000 characters; the first line is our name for it. */
export const PAYPAL_EVIDENCE_MAX = 1_900
/** Disputes that wait for the shop. */
const WAITING = new Set(['OPEN', 'WAITING_FOR_SELLER_RESPONSE'])
const BOUNDARY = 'evidence-of-the-shop'

const known = z.object({
  evidences: z.array(z.object({ notes: z.string().nullish() })).nullish(),
})

/** PayPal looks at it at once, and takes no more afterwards. What was handed over before bears our name in its notes. */
export async function provideEvidence(
  client: PaypalClient,
  disputes: readonly PaypalDispute[],
  { ourReference, text }: DisputeEvidence,
): Promise<string> {
  const open = disputes.find(({ status }) => WAITING.has(status))
  if (!open) {
    for (const { dispute_id: id } of disputes)
      if (await bearsName(client, id, ourReference)) return id
    throw new ProviderRefusal('no dispute takes evidence')
  }
  const path = `/v1/customer/disputes/${encodeURIComponent(open.dispute_id)}`
  const answer = await client({
    method: 'POST',
    path: `${path}/provide-evidence`,
    requestId: ourReference,
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: formOf({
      evidences: [{ evidence_type: 'OTHER', notes: `${nameOf(ourReference)}\n${text}` }],
    }),
  })
  bodyOrRefusal(answer, z.unknown())
  return open.dispute_id
}

async function bearsName(client: PaypalClient, id: string, ourReference: string): Promise<boolean> {
  const found = bodyOrRefusal(
    await client({ method: 'GET', path: `/v1/customer/disputes/${encodeURIComponent(id)}` }),
    known,
  )
  return (found.evidences ?? []).some(({ notes }) => notes?.includes(nameOf(ourReference)) === true)
}

const nameOf = (ourReference: string) => `Reference ${ourReference}`

/** JSON has no line that begins with the boundary. */
const formOf = (input: object) =>
  [
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="input"',
    'Content-Type: application/json',
    '',
    JSON.stringify(input),
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n')
