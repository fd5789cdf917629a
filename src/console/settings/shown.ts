import type { FieldColumn } from '#features/office/setting/engine/fields.ts'
import type { FieldKind } from '#features/office/setting/engine/places.ts'
import type { ConsoleWords } from '../words.tsx'
import { decimalOf } from './drafts.ts'
import { moneyText } from '../kit/money-text.ts'

interface Option {
  readonly value: string
  readonly text: string
}

export interface ColumnData extends Pick<FieldColumn, 'name' | 'kind' | 'isNeeded'> {
  readonly text: string
  readonly options: readonly Option[]
}

/** A part of a setting, as its form shows it. */
export interface FieldData {
  readonly path: string
  readonly part: string | null
  readonly kind: FieldKind
  readonly name: string
  readonly text: string
  readonly effect: string
  readonly options: readonly Option[]
  readonly columns: readonly ColumnData[]
  readonly least: number | null
  readonly most: number | null
  readonly longest: number | null
  readonly isNeeded: boolean
  readonly standard: unknown
  readonly standardText: string | null
  readonly value: unknown
  readonly isSet: boolean
  readonly version: string
  readonly changed: { readonly by: string; readonly at: string } | null
  readonly former: readonly {
    readonly value: unknown
    readonly by: string
    readonly until: string
  }[]
}

export interface SettingData {
  readonly key: string
  readonly tellsOwners: boolean
  readonly fault: string | null
  readonly fields: readonly FieldData[]
}

export interface SettingsData {
  /** What is searched for. */
  readonly query: string
  readonly groups: readonly {
    readonly name: string
    readonly title: string
    readonly settings: readonly SettingData[]
  }[]
  readonly currencies: readonly { readonly code: string; readonly places: number }[]
  readonly shopName: string
}

type Words = Pick<ConsoleWords, 't' | 'language'>

/** A value in one line, as people say it. */
export function valueText(
  { t, language }: Words,
  field: FieldData,
  value: unknown,
  currencies: SettingsData['currencies'],
): string {
  if (value === null || value === undefined || value === '')
    return standardText({ t, language }, field, currencies)
  return writtenText({ t, language }, field, value, currencies)
}

/** What holds while nothing is set. */
export function standardText(
  words: Words,
  field: FieldData,
  currencies: SettingsData['currencies'],
): string {
  if (field.standardText !== null) return field.standardText
  const { standard } = field
  const isNothing =
    standard === null || (typeof standard === 'object' && Object.keys(standard).length === 0)
  return isNothing
    ? words.t('console.settings.none')
    : writtenText(words, field, standard, currencies)
}

function writtenText(
  { t, language }: Words,
  { kind, options, columns }: FieldData,
  value: unknown,
  currencies: SettingsData['currencies'],
): string {
  const number = (of: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(of)
  if (typeof value === 'boolean') return t(value ? 'console.settings.on' : 'console.settings.off')
  if (kind === 'percent' && typeof value === 'number') return `${number(value / 100)} %`
  if (kind === 'usd' && typeof value === 'number')
    return moneyText(language, String(value), 'USD', 2)
  if (kind === 'money') return amountText(language, value, currencies)
  if (typeof value === 'number') return number(value)
  if (kind === 'choice')
    return options.find((option) => option.value === value)?.text ?? String(value)
  if (typeof value === 'string') return value
  if (kind === 'lines' && Array.isArray(value)) return value.join(' · ')
  const cells = kind === 'cells' ? wordsOf(columns, value) : null
  if (cells !== null) return cells
  if (kind === 'hours') {
    const { from, to } = value as { readonly from?: string; readonly to?: string }
    return `${from ?? ''}–${to ?? ''}`
  }
  return JSON.stringify(value)
}

/** Cells that hold words, each behind its name; null for any other. */
function wordsOf(columns: readonly ColumnData[], value: unknown): string | null {
  if (columns.some(({ kind }) => kind !== 'line')) return null
  const cells = value as Readonly<Record<string, unknown>>
  return columns
    .filter(({ name }) => typeof cells[name] === 'string')
    .map(({ name, text }) => `${text} ${String(cells[name])}`)
    .join(' · ')
}

function amountText(
  language: string,
  value: unknown,
  currencies: SettingsData['currencies'],
): string {
  const { minor, currency } =
    typeof value === 'object' && value !== null
      ? (value as { readonly minor: number; readonly currency: string })
      : { minor: Number(value), currency: 'USD' }
  const places = currencies.find(({ code }) => code === currency)?.places ?? 2
  return Number.isInteger(minor)
    ? moneyText(language, String(minor), currency, places)
    : decimalOf(minor, places)
}

/** Whether something is found in a field by every word that is searched for. */
export function isFound(field: FieldData, query: string): boolean {
  const text = [field.name, field.text, field.path, JSON.stringify(field.value ?? '')]
    .join(' ')
    .toLocaleLowerCase()
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
