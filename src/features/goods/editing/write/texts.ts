import { sql } from 'kysely'
import { z } from 'zod'
import { englishHash, type TranslationChange } from '#features/goods/transfer/queries.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_CODES } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  hasOwnName,
  textField,
  wordKey,
  wordsOf,
  type ItemAround,
  type Word,
} from '../engine/words.ts'
import {
  isSameValue,
  type ChangedField,
  type Conflict,
  type Edit,
  type EditFault,
  type Json,
  type Subject,
} from '../rules.ts'

type Row = Readonly<Record<string, unknown>>

/** A translation as a change keeps it: what it says, of which English, and where it comes from; taken back, it is all of that again. */
export const textShape = z.strictObject({
  text: z.string().trim().min(1).max(4_000),
  english_hash: z.string().regex(/^[0-9a-f]{16}$/),
  origin: z.enum(['data', 'human', 'machine', 'cldr']),
})
type TextValue = z.infer<typeof textShape>

/** Goods, or one of a list, whose words are looked at, before the change and after it. */
export interface WordedGoods {
  readonly subject: Subject
  readonly code: string
  readonly before: Row
  readonly after: Row
  readonly around: ItemAround
}

export interface PlannedTexts {
  readonly changes: readonly ChangedField[]
  readonly faults: readonly EditFault[]
  readonly conflicts: readonly Conflict[]
  /** Rows of translations to write. */
  readonly texts: readonly TranslationChange[]
}

/** Texts of other languages that change: those that are edited, and those that go on behind an English that does. */
export async function planTexts(
  db: Db | Tx,
  goods: readonly WordedGoods[],
  edits: readonly Edit[],
): Promise<PlannedTexts> {
  const carried = goods.flatMap(carriedWords)
  if (edits.length === 0 && carried.length === 0)
    return { changes: [], faults: [], conflicts: [], texts: [] }
  const byPlace = new Map(goods.map((one) => [`${one.subject} ${one.code}`, one]))
  const found = edits.map((edit) => ({ edit, ...editedWord(edit, byPlace) }))
  const stored = await readTexts(db, [
    ...found.flatMap(({ edit, word, former }) =>
      [word, former].flatMap((one) => (one ? [wordKey(edit.subject, edit.code, one)] : [])),
    ),
    ...carried.flatMap(({ before, after }) => [phraseKey(before), phraseKey(after)]),
  ])
  const changes: ChangedField[] = []
  const faults: EditFault[] = []
  const conflicts: Conflict[] = []
  const texts = new Map<string, TranslationChange>()
  for (const { edit, word, former } of found) {
    const checked = checkedText(edit, { word, former, stored }, faults, conflicts)
    if (!checked || !word) continue
    const { subject, code, field } = edit
    changes.push({ subject, code, field, ...checked, hasLocked: false })
    const language = textField(field)?.language ?? DEFAULT_LANGUAGE
    const key = wordKey(subject, code, word)
    put(texts, stored, key, language, checked.after as TextValue | null)
    if (key.subject === 'phrase' && checked.after !== null) putEnglish(texts, stored, word.english)
  }
  for (const { before, after } of carried) carry(texts, stored, before, after)
  return { changes, faults, conflicts, texts: [...texts.values()] }
}

type Key = ReturnType<typeof wordKey>
type Stored = ReadonlyMap<string, Row>
const rowKey = ({ subject, code, field }: Key, language: string) =>
  `${subject} ${code} ${field} ${language}`
const phraseKey = (english: string): Key => ({
  subject: 'phrase',
  code: englishHash(english),
  field: 'text',
})

async function readTexts(db: Db | Tx, keys: readonly Key[]): Promise<Stored> {
  const codes = (subject: Key['subject']) => [
    ...new Set(keys.filter((key) => key.subject === subject).map(({ code }) => code)),
  ]
  const named = [...new Set(keys.map(({ subject }) => subject))].filter((one) => one !== 'phrase')
  const { rows } = await sql<Row>`
    select * from translation where subject = 'phrase' and field = 'text' and subject_code = any(${codes('phrase')})
    ${sql.join(
      named.map(
        (subject) =>
          sql`union all select * from translation where subject = ${subject} and field = 'name' and subject_code = any(${codes(subject)})`,
      ),
      sql` `,
    )}`.execute(db)
  return new Map(
    rows.map((row) => [
      `${String(row['subject'])} ${String(row['subject_code'])} ${String(row['field'])} ${String(row['language'])}`,
      row,
    ]),
  )
}

interface EditedWord {
  readonly word: Word | undefined
  /** What it said in English before the change. */
  readonly former: Word | undefined
}

function editedWord(edit: Edit, goods: ReadonlyMap<string, WordedGoods>): EditedWord {
  const own = goods.get(`${edit.subject} ${edit.code}`)
  const place = textField(edit.field)
  const [former, word] = [own?.before, own?.after].map((row) =>
    own && row && place
      ? wordsOf(edit.subject, row, own.around).find(({ name }) => name === place.word)
      : undefined,
  )
  return { word, former }
}

const valueOf = (row: Row | undefined): Json =>
  row
    ? {
        text: String(row['text']),
        english_hash: String(row['english_hash']),
        origin: String(row['origin']),
      }
    : null

/** What a translation was and becomes; undefined where it is at fault, meets another's change, or changes nothing. */
function checkedText(
  { subject, code, field, from, to }: Edit,
  { word, former, stored }: EditedWord & { readonly stored: Stored },
  faults: EditFault[],
  conflicts: Conflict[],
): { readonly before: Json; readonly after: Json } | undefined {
  const place = { subject, code, field }
  const language = textField(field)?.language
  if (!word || !language) {
    faults.push({ ...place, reason: 'unknown_field', why: null })
    return undefined
  }
  const parsed = to === null ? null : textShape.safeParse(to)
  if (parsed && !parsed.success) {
    faults.push({ ...place, reason: 'wrong_type', why: null })
    return undefined
  }
  const rowOf = (one: Word | undefined) =>
    one && stored.get(rowKey(wordKey(subject, code, one), language))
  const before = valueOf(rowOf(word) ?? rowOf(former))
  const after = parsed ? madeOf(parsed.data, former, word) : null
  if (isSameValue(before, after)) return undefined
  if (from !== undefined && !isSameValue(before, from)) {
    // What was said of another English has gone with it.
    const isGone = after === null && hashOf(from) !== englishHash(word.english)
    if (!isGone) conflicts.push({ ...place, from, present: before, to: after })
    return undefined
  }
  return { before, after }
}

/** Who translates anew what they change in English, too, has translated that. */
function madeOf(value: TextValue, former: Word | undefined, word: Word): TextValue {
  const isOfFormer = former && value.english_hash === englishHash(former.english)
  return isOfFormer && value.origin === 'human'
    ? { ...value, english_hash: englishHash(word.english) }
    : value
}

const hashOf = (value: Json) => (textShape.safeParse(value).data ?? null)?.english_hash ?? null

function put(
  texts: Map<string, TranslationChange>,
  stored: Stored,
  key: Key,
  language: string,
  value: TextValue | null,
): void {
  const at = rowKey(key, language)
  const { subject, code, field } = key
  const row = value && { subject, subject_code: code, field, language, ...value }
  texts.set(at, { row, before: stored.get(at) ?? null })
}

/** A phrase is known by a row of its English. */
function putEnglish(texts: Map<string, TranslationChange>, stored: Stored, english: string): void {
  const key = phraseKey(english)
  const at = rowKey(key, DEFAULT_LANGUAGE)
  if (stored.has(at) || texts.has(at)) return
  const value: TextValue = { text: english, english_hash: key.code, origin: 'data' }
  put(texts, stored, key, DEFAULT_LANGUAGE, value)
}

/**
 * English sentences that another takes the place of. One that only moved, or that is said elsewhere in the same goods as well, is none: its
 * translations are where they were.
 */
function carriedWords({ subject, before, after, around }: WordedGoods) {
  const [was, will] = [before, after].map((row) => wordsOf(subject, row, around))
  const texts = (words: readonly Word[] | undefined) =>
    new Set((words ?? []).map(({ english }) => english))
  const [old, fresh] = [texts(was), texts(will)]
  return (was ?? []).flatMap((word) => {
    const now = will?.find(({ name }) => name === word.name)
    if (!now || (hasOwnName(subject) && word.name === 'name')) return []
    if (fresh.has(word.english) || old.has(now.english)) return []
    return [{ before: word.english, after: now.english }]
  })
}

/** What was translated goes on being shown behind an English that changes, and is told as made of the one before. */
function carry(
  texts: Map<string, TranslationChange>,
  stored: Stored,
  before: string,
  after: string,
): void {
  for (const language of LANGUAGE_CODES) {
    if (language === DEFAULT_LANGUAGE) continue
    const row = stored.get(rowKey(phraseKey(before), language))
    const at = rowKey(phraseKey(after), language)
    if (!row || stored.has(at) || texts.has(at)) continue
    put(texts, stored, phraseKey(after), language, valueOf(row) as TextValue)
    putEnglish(texts, stored, after)
  }
}
