import type { Item } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { formatCount, formatMoney } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import type { ShopView } from '../views.ts'

/** An amount and what it costs in minor units of the shown currency. */
interface PricedPack {
  readonly item: Pick<Item, 'kind' | 'units' | 'bonus'>
  readonly minor: bigint | null
}

/** Below this, in minor units, a price is too coarse to compare by. */
const FINE_ENOUGH = 100n

/**
 * What a number of units costs in each pack, with what comes on top counted in, and how much less that is than in the smallest one:
 * "$1.67 per 100 Diamonds, 4% less than in the smallest pack". Null where units cannot be counted or compared.
 */
export function unitPriceTexts(
  packs: readonly PricedPack[],
  unit: string | null,
  { language, currency, t }: Pick<ShopView, 'language' | 'currency' | 't'>,
): readonly (string | null)[] {
  const counted = packs.map(countUnits)
  const base = baseOf(counted)
  const smallest = smallestOf(counted)
  if (unit === null || base === null || smallest === null) return packs.map(() => null)
  return counted.map((pack) => {
    if (pack === null) return null
    const { code, minorUnits } = currency
    const minor = roundedDivision(pack.minor * base, pack.units)
    const price = formatMoney(language, code, minor, minorUnits, shownDigits(currency))
    const count = formatCount(language, base)
    const percent = percentLess(pack, smallest)
    return percent === 0
      ? t('product.unitPrice', { price, count, unit })
      : t('product.unitPriceLess', {
          price,
          count,
          unit,
          percent: formatPercent(language, percent / 100),
        })
  })
}

interface CountedPack {
  readonly units: bigint
  readonly minor: bigint
}

function countUnits({ item, minor }: PricedPack): CountedPack | null {
  if (item.kind !== 'pack' || item.units === null || item.units <= 0n) return null
  if (minor === null || minor <= 0n) return null
  return { units: item.units + (item.bonus ?? 0n), minor }
}

/** The least power of ten of units that costs enough in every pack to be told apart; null where that is more than anybody buys, or one is all there is. */
function baseOf(packs: readonly (CountedPack | null)[]): bigint | null {
  const counted = packs.filter((pack) => pack !== null)
  if (counted.length < 2) return null
  const most = counted.reduce((max, { units }) => (units > max ? units : max), 0n)
  for (let base = 1n; base <= most; base *= 10n)
    if (counted.every(({ units, minor }) => minor * base >= FINE_ENOUGH * units)) return base
  return null
}

function smallestOf(packs: readonly (CountedPack | null)[]): CountedPack | null {
  return packs.reduce(
    (least, pack) => (pack !== null && (least === null || pack.units < least.units) ? pack : least),
    null,
  )
}

/** Whole percent, rounded down; 0 for what is not cheaper. */
function percentLess(pack: CountedPack, smallest: CountedPack): number {
  const [price, compared] = [pack.minor * smallest.units, smallest.minor * pack.units]
  return price >= compared ? 0 : Number(((compared - price) * 100n) / compared)
}

function roundedDivision(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator / 2n) / denominator
}
