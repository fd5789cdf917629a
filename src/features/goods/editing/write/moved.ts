import type { GoodsRows } from '#features/goods/transfer/queries.ts'
import type { Money } from '#kernel/money.ts'
import type { Weighing } from '../engine/effect.ts'
import { fieldOf } from '../engine/fields.ts'
import { isRegion, movesPrices, type ItemChange, type MovedItem } from '../engine/moves.ts'
import type { Plan } from './plan.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Items whose prices a plan may move, as they are and as it would leave them.
 * @param below those of products whose region changes
 */
export function movedItems(
  { changes, stored, wanted, levels }: Plan,
  below: Pick<GoodsRows, 'item' | 'item_level_price'>,
  weighing: Pick<Weighing, 'costs' | 'above'>,
): ItemChange[] {
  const edited = Map.groupBy(
    changes.filter(movesPrices).filter(({ subject }) => subject === 'item'),
    ({ code }) => code,
  )
  const regions = new Map(
    changes.filter(isRegion).map(({ code, after }) => [code, after === null ? '' : String(after)]),
  )
  const byItem = (rows: readonly Row[]) => Map.groupBy(rows, (row) => String(row['item']))
  const [was, will] = [
    new Map([...byItem(below.item_level_price), ...byItem(stored.item_level_price)]),
    byItem(levels),
  ]
  const rows = new Map([...below.item, ...stored.item].map((row) => [String(row['code']), row]))
  return [...rows].flatMap(([code, row]) => {
    const own = edited.get(code) ?? []
    const region = regions.get(String(row['product']))
    const made = wanted.item.get(code) ?? row
    const place = weighing.above.get(code)
    if ((own.length === 0 && region === undefined) || !place) return []
    const columns = own.flatMap(({ field }) => fieldOf('item', field)?.columns ?? [])
    const after = { ...row, ...Object.fromEntries(columns.map((name) => [name, made[name]])) }
    const hasLevels = own.some(({ field }) => field === 'levels')
    const around = { ...place, cost: weighing.costs.get(code) ?? null }
    return [
      {
        id: String(row['id']),
        changes: own,
        before: itemOf(row, was.get(code) ?? [], around),
        after: itemOf(after, (hasLevels ? will : was).get(code) ?? [], {
          ...around,
          region: region ?? around.region,
        }),
      },
    ]
  })
}

function itemOf(
  row: Row,
  levels: readonly Row[],
  { brand, region, cost }: Pick<MovedItem, 'brand' | 'region' | 'cost'>,
): MovedItem {
  const own = Object.entries((row['own_prices'] ?? {}) as Readonly<Record<string, unknown>>)
  const ownCost = moneyOf(row, 'cost_minor', 'cost_currency')
  return {
    kind: String(row['kind']),
    brand,
    region,
    priceMinor: BigInt(String(row['price_minor'])),
    priceCurrency: String(row['price_currency']),
    ownPrices:
      own.length === 0 ? null : new Map(own.map(([key, minor]) => [key, BigInt(String(minor))])),
    // What a supplier asks holds before what the catalogue says.
    cost: cost && cost.supplier !== null ? cost : ownCost && { supplier: null, ...ownCost },
    faceMinor: wide(row['face_minor']),
    levels: new Map(
      levels.flatMap((level) => {
        const price = moneyOf(level, 'price_minor', 'price_currency')
        return price ? [[Number(level['level']), price] as const] : []
      }),
    ),
  }
}

const wide = (value: unknown): bigint | null =>
  value === null || value === undefined ? null : BigInt(String(value))

function moneyOf(row: Row, minorIn: string, currencyIn: string): Money | null {
  const minor = wide(row[minorIn])
  return minor === null ? null : { minor, currency: String(row[currencyIn]) }
}
