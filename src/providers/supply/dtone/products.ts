import { z } from 'zod'
import type { Faces, SupplyField, SupplyProduct } from '../provider.ts'
import { exactMoney, roundedMoney } from '../wire/amounts.ts'

const alternatives = z.array(z.array(z.string())).nullish()
const part = z.object({ amount: z.unknown(), unit: z.string(), unit_type: z.string().nullish() })
const range = z.object({ min: z.string().nullish(), max: z.string().nullish() })
const product = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  operator: z
    .object({ name: z.string().nullish(), country: z.object({ iso_code: z.string() }).nullish() })
    .nullish(),
  service: z.object({ name: z.string().nullish() }).nullish(),
  required_credit_party_identifier_fields: alternatives,
  required_sender_fields: alternatives,
  required_beneficiary_fields: alternatives,
  prices: z
    .object({ wholesale: z.object({ amount: z.string().nullish(), unit: z.string() }).nullish() })
    .nullish(),
  destination: part.nullish(),
  source: part.nullish(),
})
export type DtoneProduct = z.infer<typeof product>

export const readDtoneProduct = (json: unknown): DtoneProduct | null =>
  product.safeParse(json).data ?? null

export const isRanged = ({ type }: DtoneProduct): boolean => type.startsWith('RANGED_VALUE_')
export const isPin = ({ type }: DtoneProduct): boolean => type.endsWith('_PIN_PURCHASE')

/** Alternatives are lists of what is needed together; the first one that is only of what we can give is asked for. */
export function fieldsOf(known: DtoneProduct): readonly string[] | null {
  const credit = known.required_credit_party_identifier_fields ?? []
  const others = [
    ...(known.required_sender_fields ?? []),
    ...(known.required_beneficiary_fields ?? []),
  ]
  // People's names and papers are not asked for in a shop: such products cannot be bought.
  if (others.length > 0 && !others.some((each) => each.length === 0)) return null
  if (credit.length === 0) return []
  return (
    credit.find((each) =>
      each.every((name) => /^(?:mobile_number|account_number|account_qualifier|email)$/.test(name)),
    ) ?? null
  )
}

export function costOf({ prices }: DtoneProduct) {
  const told = prices?.wholesale
  return told?.amount ? roundedMoney(told.amount, told.unit, 'up') : null
}

export function dtoneProductOf(known: DtoneProduct): SupplyProduct | null {
  const fields = fieldsOf(known)
  const faces = facesOf(known)
  if (!fields || !faces) return null
  const isData = /data/i.test(known.service?.name ?? '')
  const isPhone = fields.includes('mobile_number')
  return {
    id: known.id,
    kind: isPin(known) ? 'voucher' : isData ? 'data' : isPhone ? 'recharge' : 'topup',
    name: known.name,
    brand: known.operator?.name ?? null,
    country: countryOf(known.operator?.country?.iso_code),
    faces,
    fields: fields.map(fieldOf),
    stock: null,
  }
}

/** DVS has countries of three letters. */
const countryOf = (code: string | undefined) =>
  code !== undefined && /^[A-Z]{2,3}$/.test(code) ? code : null

const fieldOf = (name: string): SupplyField => ({
  name: name === 'mobile_number' ? 'phone' : name,
  type: name === 'mobile_number' ? 'phone' : name === 'email' ? 'email' : 'text',
  isRequired: true,
  options: [],
})

/** Where the range of a ranged product stands is not verified: `destination.amount` is taken to hold it. */
function facesOf(known: DtoneProduct): Faces | null {
  const { destination } = known
  if (!isRanged(known)) {
    const amount = z.string().safeParse(destination?.amount).data
    const isMoney = destination?.unit_type === 'CURRENCY'
    const face =
      isMoney && amount !== undefined ? exactMoney(amount, destination?.unit ?? '') : null
    return { kind: 'single', face, cost: costOf(known) }
  }
  const told = range.safeParse(destination?.amount).data
  const min = exactMoney(told?.min ?? '', destination?.unit ?? '')
  const max = exactMoney(told?.max ?? '', destination?.unit ?? '')
  return min && max ? { kind: 'range', min, max } : null
}
