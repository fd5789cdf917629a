import type { Books, Sale } from './books.ts'
import type { Good } from './goods.ts'

/** What every protocol sells from, and what it knows of the shop. */
export interface Market {
  readonly books: Books
  readonly goods: ReadonlyMap<string, Good>
  /** What the shop signs in with, everywhere. */
  readonly secret: string
}

export interface Notice {
  readonly supplier: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** US cents as a decimal. */
export const dollars = (cents: bigint | string): string => {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The field that says whose account it is. */
export const accountOf = (good: Good, fields: Readonly<Record<string, string>>): string | null => {
  const [first] = good.fields
  return first === undefined ? null : (fields[first.name] ?? '')
}

/** A number that stays the same for a name, for protocols whose products have numbers. */
export function numberOf(name: string): number {
  let hash = 2_166_136_261
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return 100_000 + (hash % 900_000_000)
}

/** What a supplier has sold within a while, oldest first. */
export const soldBetween = (
  sales: readonly Sale[],
  supplier: string,
  from: number,
  to: number,
): readonly Sale[] =>
  sales
    .filter((sale) => sale.supplier === supplier && sale.at >= from && sale.at <= to)
    .toSorted((a, b) => a.at - b.at)
