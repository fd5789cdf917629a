import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import type { Faces, SupplyOrder, SupplyProduct } from '../provider.ts'
import { addDecimals, exactMoney, isSame, roundedMoney } from '../wire/amounts.ts'

const decimals = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? [])

/** By amount. One that is of another form says nothing. */
const descriptions = z.record(z.string(), z.string()).nullish().catch(null)

/** An operator as Reloadly tells of it. Numbers are texts. */
const operator = z
  .object({
    operatorId: z.string().nullish(),
    id: z.string().nullish(),
    name: z.string(),
    data: z.boolean().nullish(),
    bundle: z.boolean().nullish(),
    supportsLocalAmounts: z.boolean().nullish(),
    denominationType: z.enum(['FIXED', 'RANGE']),
    senderCurrencyCode: z.string(),
    destinationCurrencyCode: z.string(),
    internationalDiscount: z.string().nullish(),
    localDiscount: z.string().nullish(),
    minAmount: z.string().nullish(),
    maxAmount: z.string().nullish(),
    localMinAmount: z.string().nullish(),
    localMaxAmount: z.string().nullish(),
    country: z.object({ isoName: z.string() }),
    fx: z.object({ rate: z.string() }).nullish(),
    fixedAmounts: decimals,
    localFixedAmounts: decimals,
    fixedAmountsDescriptions: descriptions,
    localFixedAmountsDescriptions: descriptions,
  })
  .refine(({ operatorId, id }) => Boolean(operatorId ?? id))
export type Operator = z.infer<typeof operator>

export const readOperator = (json: unknown): Operator | null =>
  operator.safeParse(json).data ?? null

export const operatorId = (known: Operator): string => known.operatorId ?? known.id ?? ''

const kindOf = (known: Operator) => (known.data || known.bundle ? 'data' : 'recharge')

/** In the phone's currency where the operator takes it, else in ours. Null when an amount is none. */
export function productOf(known: Operator): SupplyProduct | null {
  const faces = facesOf(known)
  return faces
    ? {
        id: operatorId(known),
        kind: kindOf(known),
        name: known.name,
        brand: known.name,
        country: known.country.isoName,
        faces,
        fields: [
          { name: 'phone', type: 'phone', isRequired: true, options: [] },
          { name: 'country', type: 'text', isRequired: true, options: [] },
        ],
        stock: null,
      }
    : null
}

function facesOf(known: Operator): Faces | null {
  const isLocal = known.supportsLocalAmounts === true
  const currency = isLocal ? known.destinationCurrencyCode : known.senderCurrencyCode
  if (known.denominationType === 'RANGE') {
    const min = exactMoney((isLocal ? known.localMinAmount : known.minAmount) ?? '', currency)
    const max = exactMoney((isLocal ? known.localMaxAmount : known.maxAmount) ?? '', currency)
    return min && max ? { kind: 'range', min, max, ...priceOf(known, max) } : null
  }
  const texts =
    isLocal && known.localFixedAmounts.length > 0 ? known.localFixedAmounts : known.fixedAmounts
  const faces = texts.map((text) =>
    exactMoney(
      text,
      texts === known.localFixedAmounts ? known.destinationCurrencyCode : known.senderCurrencyCode,
    ),
  )
  return faces.every((face) => face !== null)
    ? {
        kind: 'fixed',
        amounts: faces.map((face) => ({
          face,
          cost: costOf(known, face),
          ...nameOf(known, face),
        })),
      }
    : null
}

/** The largest amount tells most exactly what the others cost. */
function priceOf(known: Operator, face: Money) {
  const cost = costOf(known, face)
  return cost ? { price: { face, cost, feeMinor: 0n } } : {}
}

/** What Reloadly says that an amount buys: keyed by the amount, with as many digits as it likes. */
function nameOf(known: Operator, face: Money): { readonly name?: string } {
  const told =
    face.currency === known.senderCurrencyCode
      ? known.fixedAmountsDescriptions
      : known.localFixedAmountsDescriptions
  const name = Object.entries(told ?? {}).find(([amount]) =>
    isSame(exactMoney(amount, face.currency), face),
  )?.[1]
  return name ? { name } : {}
}

/**
 * What a face amount costs us: by the operator's rate where it is in the phone's currency, less our discount; rounded up. That the
 * discount is `localDiscount` at home and `internationalDiscount` abroad, and is a percentage of the amount, is not verified.
 */
export function costOf(known: Operator, face: Money): Money | null {
  const { senderCurrencyCode: ours } = known
  const rate = known.fx?.rate
  const percent =
    (ours === known.destinationCurrencyCode ? known.localDiscount : known.internationalDiscount) ??
    '0'
  const kept = addDecimals(['100'], [percent])
  const keptPart = kept === null ? null : roundedMoney(kept, 'USD', 'up')
  if (!keptPart) return null
  if (face.currency === ours)
    return { minor: ceil(face.minor * keptPart.minor, 10_000n), currency: ours }
  if (face.currency !== known.destinationCurrencyCode || rate === undefined) return null
  return inOurs(face, rate, ours, keptPart.minor)
}

/** How many of the phone's units one of ours gives, as a fraction of millionths. */
function inOurs(face: Money, rate: string, currency: string, keptHundredths: bigint): Money | null {
  const millionths = /^\d{1,12}(?:\.\d{1,18})?$/.test(rate) ? fractionOf(rate) : null
  if (!millionths || millionths.numerator === 0n) return null
  const [ours, theirs] = [scaleOf(currency), scaleOf(face.currency)]
  return {
    currency,
    minor: ceil(
      face.minor * ours * millionths.denominator * keptHundredths,
      theirs * millionths.numerator * 10_000n,
    ),
  }
}

function fractionOf(text: string): { readonly numerator: bigint; readonly denominator: bigint } {
  const [whole = '0', part = ''] = text.split('.')
  return { numerator: BigInt(whole + part), denominator: 10n ** BigInt(part.length) }
}

const ceil = (numerator: bigint, denominator: bigint) =>
  (numerator + denominator - 1n) / denominator
const scaleOf = (currency: string) => roundedMoney('1', currency, 'up')?.minor ?? 1n

/** Whether Reloadly is told the amount in the phone's currency; null when the operator takes it in neither. */
export function isLocalAmount(known: Operator, { face }: SupplyOrder): boolean | null {
  if (face?.currency === known.senderCurrencyCode) return false
  return face?.currency === known.destinationCurrencyCode && known.supportsLocalAmounts === true
    ? true
    : null
}
