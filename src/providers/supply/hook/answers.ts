import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type {
  LookupOutcome,
  PurchaseOutcome,
  SupplyCard,
  SupplyFailure,
  SupplyPurchase,
} from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { failed, notSent, unknown } from '../wire/outcome.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { HOOK_CLASSES } from './codes.ts'

const text = z.string().max(4_096)
const image = z.object({
  type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  base64: z.base64(),
})
const card = z
  .strictObject({
    id: text.optional(),
    code: text.optional(),
    pin: text.optional(),
    serial: text.optional(),
    url: z.url({ protocol: /^https$/ }).optional(),
    image: image.optional(),
    expires_on: z.iso.date().optional(),
  })
  .refine(({ code, pin, url, image: drawn }) => Boolean(code ?? pin ?? url ?? drawn))
const named = { reference: z.string() }
/** Strict: an answer with more or other members than one of these contradicts the contract, and says nothing. */
const answer = z.discriminatedUnion('outcome', [
  z.strictObject({
    ...named,
    outcome: z.literal('done'),
    id: z.string(),
    product: z.string(),
    quantity: z.string(),
    cost: z.strictObject({ amount: z.string(), currency: z.string() }).optional(),
    cards: z.array(card).optional(),
    missing: z
      .string()
      .regex(/^\d{1,3}$/)
      .optional(),
    account_name: text.optional(),
  }),
  z.strictObject({ ...named, outcome: z.literal('accepted'), id: z.string() }),
  z.strictObject({
    ...named,
    outcome: z.literal('failed'),
    class: z.enum(HOOK_CLASSES),
    code: text.optional(),
    text: text.optional(),
    until: z.iso.datetime().optional(),
    id: z.string().optional(),
  }),
  z.strictObject({ ...named, outcome: z.literal('not_found') }),
])
type Answer = z.infer<typeof answer>
/** Of a call that could not be taken at all; nothing was bought. */
const refusal = z.strictObject({ outcome: z.literal('refused'), text: text.optional() })

export function hookOutcome(
  exchange: Exchange,
  purchase: SupplyPurchase,
  expectedId: string | null,
): LookupOutcome {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const refused = refusal.safeParse(exchange.json).data
  if (refused) return failed('ours', 'refused', refused.text)
  const told = answer.safeParse(exchange.json).data
  if (!told) return unknown(`answer ${exchange.status} in an unknown form`)
  if (told.reference !== purchase.reference) return unknown("another purchase's reference")
  const id = 'id' in told && told.id !== undefined ? idOf(told.id) : null
  if (expectedId !== null && id !== null && id !== expectedId)
    return unknown('another id than before')
  switch (told.outcome) {
    case 'not_found':
      return expectedId === null
        ? { kind: 'not_found' }
        : unknown('they no longer know what they accepted')
    case 'failed':
      return failureOf(told, id)
    case 'accepted':
      return id === null ? unknown('accepted without an id') : { kind: 'accepted', supplierId: id }
    default:
      return doneOf(told, purchase, id)
  }
}

/** A purchase never ends as one that is not there: nothing is said by that. */
export function hookPurchaseOutcome(exchange: Exchange, purchase: SupplyPurchase): PurchaseOutcome {
  const outcome = hookOutcome(exchange, purchase, null)
  return outcome.kind === 'not_found' ? unknown('not found, when it was bought') : outcome
}

function failureOf(told: Extract<Answer, { outcome: 'failed' }>, id: string | null): SupplyFailure {
  return failed(told.class, told.code ?? told.class, told.text ?? '', {
    ...(told.until === undefined ? {} : { until: new Date(told.until) }),
    ...(id === null ? {} : { supplierId: id }),
  })
}

function doneOf(
  told: Extract<Answer, { outcome: 'done' }>,
  { product, quantity }: SupplyPurchase,
  supplierId: string | null,
): PurchaseOutcome {
  if (supplierId === null) return unknown('done without an id')
  if (told.product !== product || told.quantity !== String(quantity))
    return unknown('another product or number', supplierId)
  const cost = told.cost ? exactMoney(told.cost.amount, told.cost.currency) : null
  if (told.cost && !cost) return unknown('a cost that is no amount', supplierId)
  const missing = Number(told.missing ?? 0)
  if (told.cards && (told.cards.length === 0 || told.cards.length + missing !== quantity))
    return unknown(`${told.cards.length} cards of ${quantity}, ${missing} missing`, supplierId)
  if (!told.cards && missing > 0) return unknown('missing cards of none', supplierId)
  return {
    kind: 'done',
    supplierId,
    cost,
    ...(told.cards ? { cards: told.cards.map(cardOf) } : {}),
    ...(missing > 0 ? { missing } : {}),
    ...(told.account_name === undefined ? {} : { accountName: cleanText(told.account_name, 80) }),
  }
}

const hidden = (value: string | undefined) => (value === undefined ? null : secret(value))

function cardOf(told: z.infer<typeof card>): SupplyCard {
  return {
    id: told.id ?? null,
    code: hidden(told.code),
    pin: hidden(told.pin),
    serial: told.serial ?? null,
    url: hidden(told.url),
    image: told.image
      ? { type: told.image.type, bytes: Buffer.from(told.image.base64, 'base64') }
      : null,
    expiresOn: told.expires_on ?? null,
  }
}
