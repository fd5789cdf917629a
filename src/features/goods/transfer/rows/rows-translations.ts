import type { LanguageCode } from '#kernel/language.ts'
import { DEFAULT_LANGUAGE } from '#kernel/language.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import { isOneText } from '../folder/check-translations.ts'
import { englishHash, englishTexts } from '../folder/english.ts'
import {
  SUBJECTS,
  type Origin,
  type TranslationEntry,
  type TranslationFields,
} from '../schema/translations.ts'
import type { Row } from './tables.ts'

/** Where a file says nothing about the origin of its texts. */
export const ORIGIN_DEFAULT: Origin = 'data'
export const PHRASE_FIELD = 'text'

/**
 * One row a text and language. Phrases are keyed by the hash of their English, which stands beside them as a row of language
 * `en`. `english_hash` is null where the file does not say it: the English as it stands, unless the text is the same as
 * before (then what is known of it holds).
 */
export function translationRows(folder: CatalogueFolder): Row[] {
  const rows: Row[] = []
  const english = englishTexts(folder)
  for (const [language, file] of folder.translations) {
    for (const subject of SUBJECTS) {
      const origin = file.origins?.[subject] ?? ORIGIN_DEFAULT
      for (const [code, fields] of Object.entries(file[subject] ?? {})) {
        for (const [field, entry] of textsOf(fields)) {
          const source = english[subject].get(code)?.get(field) ?? ''
          rows.push(row(subject, code, field, language, entry, origin, source))
        }
      }
    }
  }
  rows.push(...unitRows(folder), ...phraseRows(folder))
  return rows
}

function textsOf(fields: TranslationFields): [string, TranslationEntry][] {
  if (isOneText(fields)) return [['name', fields as TranslationEntry]]
  return Object.entries(fields as Record<string, TranslationEntry>)
}

function row(
  subject: string,
  code: string,
  field: string,
  language: LanguageCode,
  entry: TranslationEntry,
  origin: Origin,
  english: string,
): Row {
  const own = typeof entry === 'string' ? { text: entry } : entry
  return {
    subject,
    subject_code: code,
    field,
    language,
    text: own.text,
    origin: own.origin ?? origin,
    english_hash: own.english_hash ?? null,
    english_now: englishHash(english),
  }
}

/** English forms of units stand beside their translations: the unit's own row has its name alone. */
function unitRows(folder: CatalogueFolder): Row[] {
  return folder.units.flatMap((unit) =>
    Object.entries(unit.forms ?? {}).map(([form, text]) => {
      const now = row('unit', unit.key, form, DEFAULT_LANGUAGE, text, ORIGIN_DEFAULT, text)
      return { ...now, english_hash: now['english_now'] }
    }),
  )
}

function phraseRows(folder: CatalogueFolder): Row[] {
  // English alone needs no row: it is what stands in the goods themselves.
  const english = new Set([...folder.phrases.values()].flatMap((file) => Object.keys(file)))
  const rows: Row[] = [...english].map((phrase) => {
    const hash = englishHash(phrase)
    return {
      subject: 'phrase',
      subject_code: hash,
      field: PHRASE_FIELD,
      language: DEFAULT_LANGUAGE,
      text: phrase,
      origin: ORIGIN_DEFAULT,
      english_hash: hash,
      english_now: hash,
    }
  })
  for (const [language, file] of folder.phrases) {
    const origin = folder.translations.get(language)?.origins?.phrase ?? ORIGIN_DEFAULT
    for (const [phrase, entry] of Object.entries(file))
      rows.push(row('phrase', englishHash(phrase), PHRASE_FIELD, language, entry, origin, phrase))
  }
  return rows
}
