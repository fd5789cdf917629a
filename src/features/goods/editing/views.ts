import { listCurrencies } from '#features/goods/currency/queries.ts'
import { namesOfGoods } from './queries.ts'
import type { ChangedField, Json } from './rules.ts'
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
    return value.every((one) => typeof one === 'string') ? value.join(', ') : JSON.stringify(value)
  const parts = value as Readonly<Record<string, Json>>
  const { minor, currency } = parts
  if (typeof minor === 'string' && typeof currency === 'string') return money(minor, currency)
  if (field === 'prices')
    return Object.entries(parts)
      .map(([code, amount]) => money(String(amount), code))
      .join(', ')
  return JSON.stringify(value)
}
