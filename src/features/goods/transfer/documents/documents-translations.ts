import { LANGUAGES } from '#kernel/language.ts'
import { compareTexts } from './document-parts.ts'
import { PLURAL_FORMS, type PluralForms } from '#kernel/plural.ts'
import { englishHash, unitTexts } from '../folder/english.ts'
import type { StoredRows } from '../queries.ts'
import { ORIGIN_DEFAULT } from '../rows/rows-translations.ts'
import { SUBJECTS } from '../schema/translations.ts'
import type { Row } from '../rows/tables.ts'

/** translations/<language>.json */
export function translationDocuments(rows: StoredRows): ReadonlyMap<string, unknown> {
  const english = storedEnglish(rows)
  const documents = new Map<string, unknown>()
  // A person's translation stays in the shop even where its English is gone; a folder cannot say such a one.
  const byLanguage = Map.groupBy(
    rows.translation.filter(
      (row) =>
        row['language'] !== 'en' && (row['subject'] === 'phrase' || english.has(placeOf(row))),
    ),
    (row) => row['language'],
  )
  for (const { code: language } of LANGUAGES) {
    const own = byLanguage.get(language)
    if (!own) continue
    const bySubject = Map.groupBy(own, (row) => row['subject'])
    const origins = new Map(
      [...SUBJECTS, 'phrase'].map((subject) => [
        subject,
        usualOrigin(bySubject.get(subject) ?? []),
      ]),
    )
    const said = [...origins].filter(([, origin]) => origin !== ORIGIN_DEFAULT)
    const document: Record<string, unknown> =
      said.length > 0 ? { origins: Object.fromEntries(said) } : {}
    for (const subject of SUBJECTS) {
      const group = bySubject.get(subject)
      if (group)
        document[subject] = subjectValue(group, origins.get(subject) ?? ORIGIN_DEFAULT, english)
    }
    documents.set(`translations/${language}.json`, document)
  }
  return documents
}

/** The most frequent origin stands at the head of the file; ties by name. */
function usualOrigin(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const row of rows)
    counts.set(String(row['origin']), (counts.get(String(row['origin'])) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || compareTexts(a, b))[0]?.[0] ?? ORIGIN_DEFAULT
}

function subjectValue(
  rows: readonly Row[],
  origin: string,
  english: ReadonlyMap<string, string>,
): Row {
  const byCode = Map.groupBy(rows, (row) => String(row['subject_code']))
  return Object.fromEntries(
    [...byCode]
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([code, group]) => {
        const fields = group
          .map(
            (row) =>
              [String(row['field']), entryValue(row, origin, english.get(placeOf(row)))] as const,
          )
          .sort(([a], [b]) => compareTexts(a, b))
        const only = fields.length === 1 && fields[0]?.[0] === 'name' ? fields[0][1] : null
        return [code, only ?? Object.fromEntries(fields)]
      }),
  )
}

function placeOf(row: Row): string {
  return `${row['subject']} ${row['subject_code']} ${row['field']}`
}

function entryValue(row: Row, origin: string, english: string | undefined): unknown {
  const isCurrent = english !== undefined && row['english_hash'] === englishHash(english)
  if (isCurrent && row['origin'] === origin) return row['text']
  return {
    text: row['text'],
    origin: row['origin'] === origin ? undefined : row['origin'],
    english_hash: isCurrent ? undefined : row['english_hash'],
  }
}

/** English forms by unit, as units.json has them. */
export function unitForms(rows: StoredRows): ReadonlyMap<unknown, PluralForms> {
  const english = rows.translation.filter(
    (row) => row['subject'] === 'unit' && row['language'] === 'en',
  )
  const byUnit = Map.groupBy(english, (row) => row['subject_code'])
  return new Map(
    [...byUnit].map(([key, own]) => {
      const texts = new Map(own.map((row) => [row['field'], String(row['text'])]))
      return [
        key,
        Object.fromEntries(
          PLURAL_FORMS.flatMap((form) => {
            const text = texts.get(form)
            return text === undefined ? [] : [[form, text]]
          }),
        ),
      ]
    }),
  )
}

/** English of each translated text, as it stands in the rows themselves. */
function storedEnglish(rows: StoredRows): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const plain = [
    ['brand', 'code'],
    ['game', 'code'],
    ['category', 'code'],
    ['region', 'code'],
    ['country', 'code'],
    ['currency', 'code'],
    ['platform', 'code'],
  ] as const
  for (const [table, key] of plain)
    for (const row of rows[table]) texts.set(`${table} ${row[key]} name`, String(row['name']))
  const forms = unitForms(rows)
  for (const row of rows.unit)
    for (const [field, text] of unitTexts(String(row['name']), forms.get(row['key']) ?? {}))
      texts.set(`unit ${row['key']} ${field}`, text)
  for (const row of rows.article_category)
    texts.set(`article_category ${row['kind']}/${row['code']} name`, String(row['name']))
  for (const row of rows.article) {
    const at = `article ${row['kind']}/${row['code']}`
    texts.set(`${at} title`, String(row['title'])).set(`${at} summary`, String(row['summary']))
    ;(row['sections'] as { heading?: string; paragraphs: string[] }[]).forEach((section, index) => {
      if (section.heading) texts.set(`${at} sections.${index}.heading`, section.heading)
      section.paragraphs.forEach((paragraph, n) =>
        texts.set(`${at} sections.${index}.paragraphs.${n}`, paragraph),
      )
    })
  }
  return texts
}

/** translations/phrases/<language>.json: English → translation. */
export function phraseDocuments(rows: StoredRows, english: string): ReadonlyMap<string, unknown> {
  const phrases = rows.translation.filter((row) => row['subject'] === 'phrase')
  const texts = new Map(
    phrases
      .filter((row) => row['language'] === english)
      .map((row) => [row['subject_code'], String(row['text'])]),
  )
  const byLanguage = Map.groupBy(
    phrases.filter((row) => row['language'] !== english),
    (row) => row['language'],
  )
  const documents = new Map<string, unknown>()
  for (const { code: language } of LANGUAGES) {
    const own = byLanguage.get(language)
    if (!own) continue
    const origin = usualOrigin(own)
    const entries = own.flatMap((row) => {
      const source = texts.get(row['subject_code'])
      return source === undefined ? [] : [[source, entryValue(row, origin, source)] as const]
    })
    documents.set(
      `translations/phrases/${language}.json`,
      Object.fromEntries(entries.sort(([a], [b]) => compareTexts(a, b))),
    )
  }
  return documents
}
