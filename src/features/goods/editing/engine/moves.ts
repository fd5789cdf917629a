import { isOffered } from '#features/goods/currency/rules.ts'
import { createPricer } from '#features/goods/price/engine/pricer.ts'
import { RETAIL, type PricedItem, type Pricing } from '#features/goods/price/rules.ts'
import { priceName } from '#features/goods/price-limit/rules.ts'
import type { Money, Ratio } from '#kernel/money.ts'
import { createTurns } from '#platform/turns.ts'
import type { ChangedField, Json, PriceMove } from '../rules.ts'

export type MoneyValue = { readonly minor: string; readonly currency: string }

export const isMoney = (value: Json): value is MoneyValue & Json =>
  value !== null && typeof value === 'object' && 'minor' in value && 'currency' in value

/** Fields of items that say prices. */
const SAYING: ReadonlySet<string> = new Set(['price', 'prices', 'levels'])
/** Fields of items by which a price becomes another without being said: of a cost a margin rule makes it, of a face an amount that a shopper chooses. */
const MAKING: ReadonlySet<string> = new Set(['cost', 'face'])

/** Whether a field that changes may move what an item costs; a product's region says which margin rule holds for its items. */
export const movesPrices = ({
  subject,
  field,
}: Pick<ChangedField, 'subject' | 'field'>): boolean =>
  subject === 'item' ? SAYING.has(field) || MAKING.has(field) : isRegion({ subject, field })

export const isRegion = ({ subject, field }: Pick<ChangedField, 'subject' | 'field'>): boolean =>
  subject === 'product' && field === 'region'

/** Amounts of a field that says prices, each by the price it is. */
function amountsOf(field: string, value: Json): ReadonlyMap<string, MoneyValue> {
  if (field === 'price' && isMoney(value)) return new Map([['*', value]])
  if (value === null || typeof value !== 'object') return new Map()
  const entries = Object.entries(value as Readonly<Record<string, Json>>)
  if (field === 'prices')
    return new Map(
      entries.map(([currency, minor]) => [currency, { minor: String(minor), currency }] as const),
    )
  if (field !== 'levels') return new Map()
  return new Map(
    entries.flatMap(([level, amount]) =>
      isMoney(amount) ? [[`${amount.currency}@${level}`, amount] as const] : [],
    ),
  )
}

/** Whether every price that a field says is an amount in place of another of the same currency, and none has come or gone. */
function isLikeForLike({ field, before, after }: ChangedField): boolean {
  if (!SAYING.has(field)) return false
  const [was, will] = [amountsOf(field, before), amountsOf(field, after)]
  return (
    was.size === will.size &&
    [...will].every(([price, { currency }]) => was.get(price)?.currency === currency)
  )
}

function saidMoves(item: string, { field, before, after }: ChangedField): PriceMove[] {
  const was = amountsOf(field, before)
  return [...amountsOf(field, after)].flatMap(([price, { minor }]) => {
    const old = was.get(price)
    if (old === undefined || old.minor === minor) return []
    return [{ item, price, before: BigInt(old.minor), after: BigInt(minor) }]
  })
}

/** An item as its prices are made of it. */
export interface MovedItem extends PricedItem {
  readonly kind: string
  readonly faceMinor: bigint | null
  /** Its own prices for customer levels. */
  readonly levels: ReadonlyMap<number, Money>
}

/** An item that changes: as it is, and as it would be. */
export interface ItemChange {
  readonly id: string
  readonly changes: readonly ChangedField[]
  readonly before: MovedItem
  readonly after: MovedItem
}

/**
 * Prices that are others afterwards. One that is said in place of another of its currency is held against that; where one comes or goes, where its
 * currency is another, and where what it is made of changes, all that the item costs is worked out before and after.
 */
export async function priceMoves(
  items: readonly ItemChange[],
  pricing: Pricing,
): Promise<PriceMove[]> {
  const priced = createPricedMoves(pricing)
  const giveWay = createTurns()
  const moves: PriceMove[] = []
  for (const item of items) {
    const own = item.changes.filter(movesPrices)
    const isPlain = item.before.region === item.after.region && own.every(isLikeForLike)
    if (isPlain) moves.push(...own.flatMap((one) => saidMoves(item.id, one)))
    else moves.push(...priced(item))
    await giveWay()
  }
  return moves
}

function createPricedMoves(pricing: Pricing) {
  const price = createPricer(pricing)
  const currencies = [...pricing.currencies.values()].filter(isOffered).map(({ code }) => code)
  return ({ id, before, after }: ItemChange): PriceMove[] => {
    const levels = new Set([0, ...before.levels.keys(), ...after.levels.keys()])
    const will = withFaceOf(after, before)
    return currencies.flatMap((currency) =>
      [...levels].flatMap((level) => {
        const one = price(before, currency, levelOf(before, level)).minor
        const other = price(will, currency, levelOf(will, level)).minor
        if (other === null || one === other) return []
        // What had no price is compared with nothing: it is more than anybody with a limit may do.
        const from = one === null ? { before: 1n, after: 1_000n } : { before: one, after: other }
        return [{ item: id, price: priceName(currency, level), ...from }]
      }),
    )
  }
}

const levelOf = ({ levels }: MovedItem, level: number) =>
  level === 0 ? RETAIL : { level, price: levels.get(level) ?? null }

/** Airtime is priced by its face: at another one, the same amount of it costs another share of the price. */
function withFaceOf(item: MovedItem, { faceMinor: former }: MovedItem): MovedItem {
  const { kind, faceMinor } = item
  if (kind !== 'airtime' || !former || !faceMinor || former === faceMinor) return item
  const part: Ratio = { numerator: former, denominator: faceMinor }
  return { ...item, part }
}
