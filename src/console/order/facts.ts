import type { DeskSheet } from '#features/office/desk/queries.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'

/** How a line's price came about, as it was stored with the order. */
export interface PriceRow {
  readonly goods: string
  readonly quantity: number
  readonly price: string
  readonly steps: readonly { readonly name: string; readonly value: string; readonly by: string }[]
}

/** Steps of a price as they are called; one of an older release is called by its code. */
const STEP_NAMES: Readonly<Record<string, MessageKey>> = {
  cost: 'console.order.step.cost',
  amount: 'console.order.step.amount',
  own: 'console.order.step.own',
  base: 'console.order.step.base',
  level_price: 'console.order.step.level_price',
  rate: 'console.order.step.rate',
  margin: 'console.home.show.margin',
  level: 'console.customers.levelHead',
  floor: 'console.order.step.floor',
  rounding: 'console.order.step.rounding',
}

export function priceRows(
  t: Translate,
  line: DeskSheet['lines'][number],
  price: string,
  money: (minor: string, currency: string) => string,
): PriceRow {
  return {
    goods: line.goods,
    quantity: line.quantity,
    price,
    steps: (line.steps ?? []).map(({ kind, minor, currency, ...more }) => ({
      name: nameOf(t, String(kind)),
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

function nameOf(t: Translate, kind: string): string {
  const name = STEP_NAMES[kind]
  return name === undefined ? kind : t(name)
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
