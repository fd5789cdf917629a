import type { EnglishTexts } from '../folder/english.ts'
import type { Subject } from '../schema/translations.ts'
import type { Row } from './tables.ts'

export interface TranslationChange {
  /** The row to write; null: the row at `before` is taken away. */
  readonly row: Row | null
  readonly before: Row | null
}

const keyOf = (row: Row) =>
  `${row['subject']} ${row['subject_code']} ${row['field']} ${row['language']}`
const ownerOf = (row: Row) => `${row['subject']} ${row['subject_code']}`

/**
 * What must be written so that the shop has a folder's words. A person's correction made in the shop is kept; a text that is
 * the same as before keeps the record of the English it was made from, so that it shows as stale once the English changes.
 * Words of other subjects than the folder's are not looked at.
 * @param english of the folder
 */
export function diffTranslations(
  existing: readonly Row[],
  wanted: readonly Row[],
  english: EnglishTexts,
): TranslationChange[] {
  const present = new Map(existing.map((row) => [keyOf(row), row]))
  const owners = new Set(wanted.map(ownerOf))
  const named = new Set<string>()
  const changes: TranslationChange[] = []
  for (const { english_now: englishNow, ...rest } of wanted) {
    const row: Row = rest
    const key = keyOf(row)
    named.add(key)
    const now = present.get(key)
    if (now?.['origin'] === 'human' && row['origin'] !== 'human') continue
    const kept = now && now['text'] === row['text'] ? now['english_hash'] : englishNow
    const complete: Row = { ...row, english_hash: row['english_hash'] ?? kept }
    if (
      now &&
      now['text'] === complete['text'] &&
      now['origin'] === complete['origin'] &&
      now['english_hash'] === complete['english_hash']
    )
      continue
    changes.push({ row: complete, before: now ?? null })
  }
  for (const [key, row] of present) {
    const isUnsaid = owners.has(ownerOf(row)) || isWithoutEnglish(row, english)
    if (!named.has(key) && isUnsaid && row['origin'] !== 'human')
      changes.push({ row: null, before: row })
  }
  return changes
}

/** A text of something the folder names, which has no such text any more. */
function isWithoutEnglish(row: Row, english: EnglishTexts): boolean {
  if (row['subject'] === 'phrase') return false
  const fields = english[row['subject'] as Subject].get(String(row['subject_code']))
  return fields !== undefined && !fields.has(String(row['field']))
}
