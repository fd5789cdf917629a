import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type { PurchaseOutcome, SupplyFailure, SupplyPurchase, SupplyUnknown } from '../provider.ts'
import { exactMoney, isSame, roundedMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { byCode, failed, unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import { DTONE_CODES, DTONE_STATUSES } from './codes.ts'

const party = z.object({
  mobile_number: z.string().nullish(),
  account_number: z.string().nullish(),
  account_qualifier: z.string().nullish(),
  email: z.string().nullish(),
})
const transaction = z.object({
  id: z.string(),
  external_id: z.string(),
  status: z.object({ id: z.string(), message: z.string().nullish() }),
  product: z.object({ id: z.string(), type: z.string().nullish() }),
  prices: z
    .object({ wholesale: z.object({ amount: z.string(), unit: z.string() }).nullish() })
    .nullish(),
  requested_values: z
    .object({ destination: z.object({ amount: z.string(), unit: z.string() }).nullish() })
    .nullish(),
  credit_party_identifier: party.nullish(),
  pin: z.object({ code: z.string().nullish(), serial: z.string().nullish() }).nullish(),
  errors: z.unknown().optional(),
})
type Transaction = z.infer<typeof transaction>
const errors = z.union([
  z.array(z.object({ code: z.string(), message: z.string().nullish() })).min(1),
  z
    .object({
      errors: z.array(z.object({ code: z.string(), message: z.string().nullish() })).min(1),
    })
    .transform(({ errors: list }) => list),
])

export const referenceOf = (json: unknown): string | null =>
  transaction.safeParse(json).data?.external_id ?? null

/** What the account is called there. */
export function partyOf(fields: SupplyPurchase['fields']): Readonly<Record<string, string>> {
  const { phone, country: _country, ...others } = fields
  return { ...others, ...(phone === undefined ? {} : { mobile_number: phone }) }
}

/** Several errors are one refusal only where all of them say the same. */
export function dtoneError(exchange: Exchange): SupplyFailure | SupplyUnknown {
  if (exchange.kind === 'not_sent') return failed('supplier', 'not_sent', exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = errors.safeParse(exchange.json).data
  const [first] = told ?? []
  if (!told || !first) return unknown(`answer ${exchange.status} in an unknown form`)
  const outcomes = told.map(({ code, message }) => byCode(DTONE_CODES, code, message))
  const isOne = outcomes.every(
    (each) =>
      each.kind === 'failed' && outcomes[0]?.kind === 'failed' && each.class === outcomes[0].class,
  )
  return isOne
    ? (outcomes[0] ?? unknown('no error'))
    : unknown(`${first.code}: ${first.message ?? ''}`)
}

export function dtoneOutcome(
  json: unknown,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const told = transaction.safeParse(json).data
  const supplierId = idOf(told?.id)
  if (!told || !supplierId) return unknown('a transaction in an unknown form')
  const fault = contradictionOf(told, purchase, expectedId)
  if (fault) return unknown(fault)
  switch (DTONE_STATUSES[told.status.id]) {
    case 'accepted':
      return { kind: 'accepted', supplierId }
    case 'failed':
      return failed('supplier', told.status.id, told.status.message, { supplierId })
    case 'reversed':
      return failed('supplier', told.status.id, told.status.message, { supplierId, wasDone: true })
    case 'done':
      return done(told, supplierId)
    default:
      return unknown(`the status ${told.status.id}`, supplierId)
  }
}

function contradictionOf(
  told: Transaction,
  { reference, product, face, fields }: SupplyPurchase,
  expectedId: string | null,
): string | null {
  if (told.errors !== undefined && told.errors !== null) return 'a transaction with errors'
  if (told.external_id !== reference) return "another purchase's reference"
  if (expectedId !== null && told.id !== expectedId) return 'another id than before'
  if (told.product.id !== product) return 'another product'
  const named = told.credit_party_identifier
  const isOther = Object.entries(partyOf(fields)).some(
    ([name, value]) =>
      named && name in named && digitsOf(named[name as keyof typeof named]) !== digitsOf(value),
  )
  if (isOther) return 'another account'
  const asked = told.requested_values?.destination
  return face && asked && !isSame(exactMoney(asked.amount, asked.unit), face)
    ? 'another amount'
    : null
}

const digitsOf = (text: string | null | undefined) => (text ?? '').replace(/^\+/, '')

function done(told: Transaction, supplierId: string): PurchaseOutcome {
  const price = told.prices?.wholesale
  const cost = price ? roundedMoney(price.amount, price.unit, 'up') : null
  if (price && !cost) return unknown('a cost that is no amount', supplierId)
  const code = told.pin?.code
  if (told.product.type?.endsWith('_PIN_PURCHASE') && !code)
    return unknown('a PIN that is not there', supplierId)
  if (!code) return { kind: 'done', supplierId, cost }
  const card = {
    id: null,
    code: secret(code),
    pin: null,
    serial: told.pin?.serial ?? null,
    url: null,
    image: null,
    expiresOn: null,
  }
  return { kind: 'done', supplierId, cost, cards: [card] }
}
