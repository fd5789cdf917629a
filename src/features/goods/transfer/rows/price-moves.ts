import { ALL_PRICES, priceName, type PriceMove } from '#features/goods/price-limit/rules.ts'
import type { SetChange, TableDiff } from './diff.ts'
import type { Row } from './tables.ts'

/** Where a price has none of its own kind to be held against: it is more than anybody with a limit may do. */
const FROM_NOTHING = { before: 1n, after: 1_000n }

/**
 * What an import would do to prices of items that are there: base prices, and those that are set for a currency or a customer level.
 * @param stored the items that are there
 */
export function priceMoves(
  tables: readonly TableDiff[],
  levels: readonly SetChange[],
  stored: readonly Row[],
): PriceMove[] {
  const idOf = new Map(stored.map((row) => [String(row['code']), String(row['id'])]))
  return [
    ...itemMoves(tables),
    ...levels.flatMap((change) => {
      const item = idOf.get(change.owner)
      return item === undefined ? [] : levelMoves(item, change)
    }),
  ]
}

function itemMoves(tables: readonly TableDiff[]): PriceMove[] {
  const items = tables.find(({ spec }) => spec.name === 'item')
  return (items?.changes ?? []).flatMap(({ before, after, row }) => {
    if (before === null) return []
    const item = String(row['id'])
    const base = 'price_minor' in after || 'price_currency' in after
    return [
      ...(base ? [{ item, price: ALL_PRICES, ...baseMove(before, after) }] : []),
      ...('own_prices' in after ? ownMoves(item, before, after) : []),
    ]
  })
}

/** One currency in the place of another is compared with nothing: it is more than anybody with a limit may do. */
function baseMove(before: Row, after: Row): Pick<PriceMove, 'before' | 'after'> {
  if ('price_currency' in after) return FROM_NOTHING
  return { before: amount(before['price_minor']), after: amount(after['price_minor']) }
}

function ownMoves(item: string, before: Row, after: Row): PriceMove[] {
  const [former, now] = [amounts(before['own_prices']), amounts(after['own_prices'])]
  return [...now].flatMap(([price, minor]) => {
    const was = former.get(price)
    if (was === minor) return []
    return [{ item, price, ...(was === undefined ? FROM_NOTHING : { before: was, after: minor }) }]
  })
}

function levelMoves(item: string, { before, after }: SetChange): PriceMove[] {
  const former = new Map(before.map((row) => [Number(row['level']), row]))
  return after.flatMap((row) => {
    const [level, currency] = [Number(row['level']), String(row['price_currency'])]
    const was = former.get(level)
    const [old, minor] = [amount(was?.['price_minor']), amount(row['price_minor'])]
    const isSame = was !== undefined && String(was['price_currency']) === currency
    if (isSame && old === minor) return []
    const move = isSame ? { before: old, after: minor } : FROM_NOTHING
    return [{ item, price: priceName(currency, level), ...move }]
  })
}

const amount = (value: unknown): bigint => BigInt(String(value ?? 0))

const amounts = (value: unknown): ReadonlyMap<string, bigint> =>
  new Map(
    value !== null && typeof value === 'object'
      ? Object.entries(value).map(([code, minor]) => [code, amount(minor)] as const)
      : [],
  )
