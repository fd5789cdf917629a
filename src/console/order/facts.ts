import type { DeskSheet } from '#features/office/desk/queries.ts'

/** How a line's price came about, as it was stored with the order. */
export interface PriceRow {
  readonly goods: string
  readonly quantity: number
  readonly price: string
  readonly steps: readonly { readonly kind: string; readonly value: string; readonly by: string }[]
}

export function priceRows(
  line: DeskSheet['lines'][number],
  price: string,
  money: (minor: string, currency: string) => string,
): PriceRow {
  return {
    goods: line.goods,
    quantity: line.quantity,
    price,
    steps: (line.steps ?? []).map(({ kind, minor, currency, ...more }) => ({
      kind: String(kind),
      value:
        typeof currency === 'string' && /^\d+$/.test(String(minor))
          ? money(String(minor), currency)
          : String(minor),
      by: Object.entries(more)
        .flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
        .join(', '),
    })),
  }
}

/** What the country was concluded from, and what they agreed to. */
export function evidenceRows(
  { evidence, terms }: DeskSheet,
  agreed: string | null,
): readonly { readonly name: string; readonly value: string }[] {
  const stored = Object.entries(evidence).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [{ name, value: String(value) }] : [],
  )
  const version = { name: 'terms', value: agreed === null ? terms : `${terms}, ${agreed}` }
  return [version, ...stored]
}
