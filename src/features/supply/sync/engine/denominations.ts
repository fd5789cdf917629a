import { isCredited, type Listed } from '../rules.ts'
import type { Brands } from './brands.ts'
import type { SyncGround } from './plan.ts'
import { costAt, gridOf, isTaken, usualAmounts } from './range.ts'

export interface Denominations {
  /** What is listed, each by itself. */
  readonly own: readonly Listed[]
  /** Amounts of a range that the shop sells one by one: they are bought so where nothing else that is listed is them. */
  readonly within: readonly Listed[]
}

/**
 * What is sold of an entry. A range is sold as a whole where the shop sells any amount of it (phones), and as the amounts that the shop has of
 * the brand; of cards of which it has none, as the usual ones.
 */
export function denominations(
  listed: Listed,
  { digits }: Pick<SyncGround, 'digits'>,
  { brandOf }: Brands,
): Denominations {
  const { range } = listed
  if (range === null) return { own: [listed], within: [] }
  const { currency } = range.min
  const known = digits.get(currency)
  if (known === undefined || range.max.currency !== currency) return { own: [listed], within: [] }
  const at = (minor: bigint): Listed => {
    const face = { minor, currency }
    return { ...listed, range: null, face, worth: face, cost: costAt(range.price, face) }
  }
  const sold = new Set(
    (brandOf(listed)?.items ?? []).flatMap(({ face, free, kind }) =>
      face?.currency === currency && free === null && kind !== 'data' && isTaken(range, face.minor)
        ? [face.minor]
        : [],
    ),
  )
  const within = [...sold].map(at)
  if (isCredited(listed.kind)) return { own: [listed], within }
  if (within.length > 0) return { own: [], within }
  const usual = usualAmounts(range, known).map(at)
  return { own: usual.length === 0 ? [listed] : usual, within }
}

/** A product of the shop's that a new denomination belongs to. */
export interface Home {
  readonly brand: string
  readonly product: string
  readonly minAge: number | null
  readonly rechargeCountry: string | null
}

/** The product of the same brand and place; null where there is none, or it has another currency. */
export function homeOf(listed: Listed, { brandOf }: Brands): Home | null {
  const currency = listed.range?.min.currency ?? listed.worth?.currency ?? null
  const items = brandOf(listed)?.items ?? []
  const item = items.find(({ faceCurrency }) => currency === null || faceCurrency === currency)
  return item
    ? {
        brand: item.brand,
        product: item.product,
        minAge: item.limits.minAge,
        rechargeCountry: item.rechargeCountry,
      }
    : null
}

/** Whether enough is known of what is listed to make an item of it. */
export function isDraftable(listed: Listed, { digits, countries }: SyncGround): boolean {
  const { kind, cost, country, worth, range, limits } = listed
  const price = range ? (range.price?.cost ?? null) : cost
  if (price === null || price.minor <= 0n || !digits.has(price.currency)) return false
  if (country !== null && !countries.has(country)) return false
  if (limits?.buyerCountries?.length === 0) return false
  if (worth !== null && !digits.has(worth.currency)) return false
  switch (kind) {
    case 'recharge':
      return isOfPhone(listed, countries) && (range ? isSellable(range, digits) : worth !== null)
    case 'data':
      return isOfPhone(listed, countries) && range === null
    case 'topup':
    case 'giftcard':
    case 'voucher':
    case 'key':
      return range === null
    default:
      return kind satisfies never
  }
}

/** An operator's amounts need to know whose phones they are for. */
const isOfPhone = ({ country, brand, name }: Listed, countries: SyncGround['countries']): boolean =>
  country !== null &&
  (countries.get(country)?.callingCode ?? null) !== null &&
  (brand ?? name) !== ''

function isSellable(range: NonNullable<Listed['range']>, digits: SyncGround['digits']): boolean {
  const known = digits.get(range.min.currency)
  return known !== undefined && gridOf(range, known) !== null
}
