import { sentHash } from '#features/goods/picture/rules.ts'
import { coverNumbers } from '#features/goods/picture/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { namesOfGoods } from './queries.ts'
import { TEXT_MARK, type ChangedField, type Json } from './rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { formatCount, formatMoney } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'

export interface GoodsTexts {
  /** A field's value as the operator's language writes it; a dash for nothing. */
  readonly text: (field: string, value: Json) => string
  readonly nameOf: (one: Pick<ChangedField, 'subject' | 'code'>) => string
}

/** @param named whose names will be asked for */
export async function goodsTexts(
  db: Db,
  t: Translate,
  language: LanguageCode,
  named: readonly { readonly subject: string; readonly code: string }[],
): Promise<GoodsTexts> {
  const digits = new Map((await listCurrencies(db)).map((one) => [one.code, one.minorUnits]))
  const names = await namesOfGoods(db, named, language)
  const money = (minor: string, currency: string) => {
    const places = digits.get(currency) ?? 0
    return formatMoney(language, currency, BigInt(minor), places, places)
  }
  return {
    text: (field, value) => valueText(t, language, money, field, value),
    nameOf: ({ subject, code }) => names.get(`${subject} ${code}`) ?? code,
  }
}

function valueText(
  t: Translate,
  language: LanguageCode,
  money: (minor: string, currency: string) => string,
  field: string,
  value: Json,
): string {
  if (value === null) return '–'
  if (field === 'status')
    return t(value === 'active' ? 'console.products.on' : 'console.products.off')
  if (typeof value === 'number') return formatCount(language, value)
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value
      .map((one) =>
        typeof one === 'string' ? one : field === 'fields' ? accountText(one) : JSON.stringify(one),
      )
      .join(', ')
  const parts = value as Readonly<Record<string, Json>>
  if (field === 'picture') return pictureText(t, parts)
  if (field.includes(TEXT_MARK)) return String(parts['text'])
  const { minor, currency } = parts
  if (typeof minor === 'string' && typeof currency === 'string') return money(minor, currency)
  if (field === 'prices')
    return Object.entries(parts)
      .map(([code, amount]) => money(String(amount), code))
      .join(', ')
  if (field === 'levels')
    return Object.entries(parts)
      .map(([level, amount]) => `${level}: ${amountText(money, amount)}`)
      .join(', ')
  if (field === 'free_amount') return rangeText(money, parts)
  if (field === 'redeem') return redeemText(parts)
  return JSON.stringify(value)
}

/** What it is, and what tells it from another: the lettering and the tag of a cover, the beginning of a file's name. */
function pictureText(t: Translate, { cover, file }: Readonly<Record<string, Json>>): string {
  if (typeof file === 'string') {
    const hash = sentHash(file)
    return `${t('console.pictures.sent')} · ${hash?.slice(0, 8) ?? file}`
  }
  const { tag, design } = (cover ?? {}) as Readonly<Record<string, Json>>
  const { motif, inks } = (design ?? {}) as Readonly<Record<string, Json>>
  const [motifNumber, inksNumber] = coverNumbers(motif, inks)
  return [
    t('console.pictures.drawn'),
    motifNumber && t('console.pictures.motifNumber', { number: motifNumber }),
    inksNumber && t('console.pictures.inksNumber', { number: inksNumber }),
    tag,
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' · ')
}

type MoneyText = (minor: string, currency: string) => string

function amountText(money: MoneyText, value: Json): string {
  const { minor, currency } = (value ?? {}) as Readonly<Record<string, Json>>
  return money(String(minor), String(currency))
}

function rangeText(money: MoneyText, { currency, min, max, step }: Readonly<Record<string, Json>>) {
  const [least, most] = [min, max].map((minor) => money(String(minor), String(currency)))
  return `${least} – ${most}${step === undefined ? '' : ` / ${money(String(step), String(currency))}`}`
}

/** Where, and step by step. */
function redeemText({ at, steps, validity, key_format: format }: Readonly<Record<string, Json>>) {
  const list = Array.isArray(steps) ? (steps as readonly Json[]) : []
  const said = (format ?? {}) as Readonly<Record<string, Json>>
  return [at, ...list.map((step, index) => `${index + 1}. ${String(step)}`), validity, said['text']]
    .filter((one) => typeof one === 'string')
    .join(' · ')
}

/** Fields that shoppers fill in, each with its rules. */
function accountText(field: Json): string {
  const { key, label, kind, required, min, max, pattern } = field as Readonly<Record<string, Json>>
  const length = min === undefined && max === undefined ? '' : ` ${min ?? 0}–${max ?? '…'}`
  const rule = typeof pattern === 'string' ? ` ${pattern}` : ''
  return `${String(label)} (${String(key)}: ${String(kind)}${length}${rule}${required === true ? ' *' : ''})`
}
