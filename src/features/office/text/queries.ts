import type { LanguageCode } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { TextOverride } from '#platform/i18n/messages.ts'
import { foundKeys, hashOf, NO_VERSION, programText } from './engine/texts.ts'

/** The owner's words for a text, and of which original they were made. */
export interface OwnText {
  readonly language: LanguageCode
  readonly key: string
  readonly text: string
  readonly originalHash: string
  readonly madeBy: string
  readonly madeAt: Date
}

const COLUMNS = [
  'language',
  'key',
  'text',
  'original_hash as originalHash',
  'made_by as madeBy',
  'made_at as madeAt',
] as const

/** All of them: what every process lays over its own. */
export async function listOverrides(db: Db): Promise<readonly TextOverride[]> {
  const rows = await db.selectFrom('text_override').select(['language', 'key', 'text']).execute()
  return rows as readonly TextOverride[]
}

export async function findOwnText(
  db: Db | Tx,
  language: LanguageCode,
  key: string,
): Promise<OwnText | null> {
  const row = await db
    .selectFrom('text_override')
    .select(COLUMNS)
    .where('language', '=', language)
    .where('key', '=', key)
    .executeTakeFirst()
  return (row as OwnText | undefined) ?? null
}

/** A text with the owner's words for it. */
export interface ListedText {
  readonly key: string
  readonly original: string
  readonly english: string
  readonly own: Pick<OwnText, 'text' | 'madeBy' | 'madeAt'> | null
  /** The release has another text by now than the one they were made of. */
  readonly isOriginalChanged: boolean
  readonly version: string
}

export interface TextFilter {
  readonly language: LanguageCode
  readonly query: string
  readonly area: string | null
  readonly isOwnOnly: boolean
}

/** Texts in the order of their keys, those after one. */
export async function listTexts(
  db: Db,
  { language, query, area, isOwnOnly }: TextFilter,
  after: string | null,
  limit: number,
): Promise<{ readonly texts: readonly ListedText[]; readonly next: string | null }> {
  const rows = (await db
    .selectFrom('text_override')
    .select(COLUMNS)
    .where('language', '=', language)
    .execute()) as readonly OwnText[]
  const ownOf = new Map(rows.map((row) => [row.key, row]))
  const wanted = query.toLocaleLowerCase()
  const found = new Set(foundKeys(query, area))
  // The owner's words are searched as well as the program's.
  for (const { key, text } of rows)
    if (wanted !== '' && text.toLocaleLowerCase().includes(wanted)) found.add(key)
  const keys = [...found]
    .filter((key) => (!isOwnOnly || ownOf.has(key)) && (after === null || key > after))
    .toSorted()
  const shown = keys.slice(0, limit)
  return {
    texts: shown.flatMap((key) => {
      const text = programText(language, key)
      return text ? [listed(text, ownOf.get(key) ?? null)] : []
    }),
    next: keys.length > limit ? (shown.at(-1) ?? null) : null,
  }
}

function listed(
  text: Omit<ListedText, 'own' | 'isOriginalChanged' | 'version'>,
  own: OwnText | null,
): ListedText {
  return {
    ...text,
    own,
    isOriginalChanged: own !== null && own.originalHash !== hashOf(text.original),
    version: own ? hashOf(own.text) : NO_VERSION,
  }
}
