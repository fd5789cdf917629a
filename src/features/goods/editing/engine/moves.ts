import type { ChangedField, Json, PriceMove } from '../rules.ts'

export type MoneyValue = { readonly minor: string; readonly currency: string }

export const isMoney = (value: Json): value is MoneyValue & Json =>
  value !== null && typeof value === 'object' && 'minor' in value && 'currency' in value

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

/** Prices that are another amount of the same currency afterwards. @param idOf an item's id by its code */
export function priceMoves(
  changes: readonly ChangedField[],
  idOf: ReadonlyMap<string, string>,
): PriceMove[] {
  return changes.flatMap(({ subject, code, field, before, after }) => {
    const item = idOf.get(code)
    if (subject !== 'item' || item === undefined) return []
    const was = amountsOf(field, before)
    return [...amountsOf(field, after)].flatMap(([price, { minor, currency }]) => {
      const old = was.get(price)
      if (old?.currency !== currency || old.minor === minor) return []
      return [{ item, price, before: BigInt(old.minor), after: BigInt(minor) }]
    })
  })
}
