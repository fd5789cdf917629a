import { ALL_PRICES, type PriceMove } from '#features/goods/price-limit/rules.ts'
import type { TableDiff } from './diff.ts'
import type { Row } from './tables.ts'

/** What an import would do to prices that are there: base prices, and prices that were set for a currency. */
export function priceMoves(tables: readonly TableDiff[]): PriceMove[] {
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
  if ('price_currency' in after) return { before: 1n, after: 1_000n }
  return { before: amount(before['price_minor']), after: amount(after['price_minor']) }
}

function ownMoves(item: string, before: Row, after: Row): PriceMove[] {
  const [former, now] = [amounts(before['own_prices']), amounts(after['own_prices'])]
  return [...now].flatMap(([price, minor]) => {
    const was = former.get(price)
    return was === undefined || was === minor ? [] : [{ item, price, before: was, after: minor }]
  })
}

const amount = (value: unknown): bigint => BigInt(String(value ?? 0))

const amounts = (value: unknown): ReadonlyMap<string, bigint> =>
  new Map(
    value !== null && typeof value === 'object'
      ? Object.entries(value).map(([code, minor]) => [code, amount(minor)] as const)
      : [],
  )
