import type { DeskSheet } from '#features/office/desk/queries.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { formatShare } from '#platform/i18n/percent.ts'
import { EVIDENCE_PARTS, type EvidencePart } from '#features/buying/order/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { accountName, movementName } from '../kit/ledger-name.ts'
import type { ConsoleContext } from '../page.ts'

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

/** What a step went by, as it is called; a share is told in percent. */
const STEP_PARTS: Readonly<Record<string, MessageKey>> = {
  level: 'console.order.stepBy.level',
  supplier: 'console.order.stepBy.supplier',
  part: 'console.order.stepBy.part',
  from: 'console.order.stepBy.from',
  to: 'console.order.stepBy.to',
  rate: 'console.order.stepBy.rate',
  spread_basis_points: 'console.order.stepBy.spread_basis_points',
  rule: 'console.order.stepBy.rule',
  method: 'console.order.stepBy.method',
  floor: 'console.order.stepBy.floor',
  increment: 'console.order.stepBy.increment',
  mode: 'console.order.stepBy.mode',
  ending: 'console.order.stepBy.ending',
  every: 'console.order.stepBy.every',
}

function stepPart(
  { t, language }: Pick<ConsoleContext, 't' | 'language'>,
  name: string,
  told: string | number,
): string {
  const isShare = name.endsWith('basis_points')
  const value = isShare ? formatShare(language.code, Number(told) / 10_000) : String(told)
  const key = STEP_PARTS[name]
  if (key !== undefined) return t(key, { value })
  return isShare ? value : `${name} ${value}`
}

export function priceRows(
  context: Pick<ConsoleContext, 't' | 'language'>,
  line: DeskSheet['lines'][number],
  price: string,
  money: (minor: string, currency: string) => string,
): PriceRow {
  return {
    goods: line.goods,
    quantity: line.quantity,
    price,
    steps: (line.steps ?? []).map(({ kind, minor, currency, ...more }) => ({
      name: stepName(context.t, String(kind)),
      value:
        typeof currency === 'string' && /^\d+$/.test(String(minor))
          ? money(String(minor), currency)
          : String(minor),
      by: Object.entries(more)
        .flatMap(([name, value]) => (value === null ? [] : [stepPart(context, name, value)]))
        .join(', '),
    })),
  }
}

/** A step of a price as it is called. */
export function stepName(t: Translate, kind: string): string {
  const name = STEP_NAMES[kind]
  return name === undefined ? kind : t(name)
}

/** A movement of the books, from one account to another. */
export interface MovementRow {
  readonly at: string
  readonly what: string
  readonly from: string
  readonly to: string
  readonly amount: string
}

export const movementRow = (
  t: Translate,
  moved: DeskSheet['movements'][number],
  at: string,
  money: (minor: string, currency: string) => string,
): MovementRow => ({
  at,
  what: movementName(t, moved.source),
  from: accountName(t, moved.debit),
  to: accountName(t, moved.credit),
  amount: money(moved.amount, moved.currency),
})

/** What the country was concluded from, and what they agreed to; what another release stored is called by its code. */
export function evidenceRows(
  { t, language }: Pick<ConsoleContext, 't' | 'language'>,
  { evidence, terms }: Pick<DeskSheet, 'evidence' | 'terms'>,
  agreed: string | null,
): readonly { readonly name: string; readonly value: string }[] {
  const countries = new Intl.DisplayNames(language.intl, { type: 'region' })
  const stored = Object.entries(evidence).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const part = EVIDENCE_PARTS.find((known) => known === name)
    const text = String(value)
    const isCountry = part !== undefined && COUNTRIES.has(part) && COUNTRY.test(text)
    return [
      {
        name: part === undefined ? name : t(`console.order.fact.${part}`),
        value: isCountry ? (countries.of(text) ?? text) : text,
      },
    ]
  })
  const version = {
    name: t('console.order.fact.terms'),
    value: agreed === null ? terms : `${terms}, ${agreed}`,
  }
  return [version, ...stored]
}

const COUNTRIES: ReadonlySet<EvidencePart> = new Set(['billing_country', 'chosen_country'])
const COUNTRY = /^[A-Z]{2}$/
