import { sql, type RawBuilder } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import type { Country, PhoneRules } from './rules.ts'

interface StoredPhone {
  calling_code: string
  trunk_prefix: string | null
  mobile_example: string
}

/** Where goods work, in a language as far as it was translated; rows `p` product, `r` region. */
export const regionNameIn = (
  language: LanguageCode,
): RawBuilder<string> => sql`case when p.region_name is null
  then coalesce((select text from translation where subject = 'region' and subject_code = r.code and field = 'name' and language = ${language}), r.name)
  else coalesce((select text from translation where subject = 'phrase'
    and subject_code = left(encode(sha256(convert_to(p.region_name, 'UTF8')), 'hex'), 16) and language = ${language}), p.region_name) end`

/** What a brand, as `b` of a query, is called in a language: one of top-ups as its game is, where it has no name of its own there. */
export const brandNameIn = (
  language: LanguageCode,
): RawBuilder<string> => sql`coalesce((select text from translation where subject = 'brand' and subject_code = b.code and field = 'name' and language = ${language}),
  case when b.kind = 'top_up' then (select text from translation where subject = 'game' and subject_code = b.game and field = 'name' and language = ${language}) end, b.name)`

/** What an item, as `i` of a query, is called in a language. */
export const itemNameIn = (
  language: LanguageCode,
): RawBuilder<string> => sql`coalesce((select text from translation where subject = 'phrase' and field = 'text'
  and subject_code = left(encode(sha256(convert_to(i.name, 'UTF8')), 'hex'), 16) and language = ${language}), i.name)`

/** Every country in the shop's order, with its names. */
export async function listCountries(db: Db): Promise<Country[]> {
  const rows = await db.selectFrom('country').selectAll().orderBy('position').execute()
  const names = Map.groupBy(
    await db
      .selectFrom('translation')
      .select(['subject_code', 'language', 'text'])
      .where('subject', '=', 'country')
      .where('field', '=', 'name')
      .execute(),
    (row) => row.subject_code,
  )
  return rows.map((row) => ({
    code: row.code,
    name: {
      ...Object.fromEntries((names.get(row.code) ?? []).map((name) => [name.language, name.text])),
      en: row.name,
    },
    dialCode: row.dial_code,
    storeCurrency: row.store_currency,
    language: row.language,
    isOnSale: row.is_on_sale,
    phone: phoneRules(row.phone as StoredPhone | null),
  }))
}

function phoneRules(stored: StoredPhone | null): PhoneRules | null {
  if (!stored) return null
  return {
    callingCode: stored.calling_code,
    trunkPrefix: stored.trunk_prefix,
    mobileExample: stored.mobile_example,
  }
}
