import { sql } from 'kysely'
import { englishHash, readGoodsRows, readKnownGoods } from '#features/goods/transfer/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { GOODS_FIELDS } from '../engine/fields.ts'
import { itemAround, presentOf, type Present } from '../engine/present.ts'
import { wordKey, wordsOf, type Word } from '../engine/words.ts'
import { LISTED, type Edited, type Json, type Subject } from '../rules.ts'

type Row = Readonly<Record<string, unknown>>

/** A brand, a product or an item with all that can be edited of it. */
export interface EditedGoods {
  readonly subject: Edited
  readonly code: string
  readonly kind: string | null
  readonly values: Readonly<Record<string, Json>>
  /** Names of locks: what imports and syncs leave alone. */
  readonly locked: readonly string[]
}

/** A translation of a word. */
export interface WordText {
  readonly text: string
  readonly englishHash: string
  readonly origin: string
  /** The English that it was made of, where another is said by now and that one is still known. */
  readonly former: string | null
}

export interface TranslatedWord extends Word {
  readonly subject: Subject
  readonly code: string
  readonly hash: string
  readonly texts: ReadonlyMap<LanguageCode, WordText>
}

export interface EditedProduct {
  readonly brand: EditedGoods & {
    readonly type: number
    readonly delivery: string
    readonly country: string | null
  }
  readonly product: EditedGoods
  readonly items: readonly EditedGoods[]
  readonly words: readonly TranslatedWord[]
}

/** A product with its brand and its items, as an editor shows them; null where there is none of that code. */
export async function findEditedProduct(db: Db, code: string): Promise<EditedProduct | null> {
  const found = await db
    .selectFrom('product')
    .select('brand')
    .where('code', '=', code)
    .executeTakeFirst()
  if (!found) return null
  const codes = await db
    .selectFrom('item')
    .select('code')
    .where('product', '=', code)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const rows = await readGoodsRows(
    db,
    { brand: [found.brand], product: [code], item: codes.map((one) => one.code) },
    false,
  )
  const present = presentOf(rows, await readKnownGoods(db, []))
  const goods = (subject: Edited, of: string) => goodsOf(present, subject, of)
  const brand = goods('brand', found.brand)
  const product = goods('product', code)
  const row = present.rows.get(`brand ${found.brand}`)
  if (!brand || !product || !row) return null
  const recharge = row['recharge'] as { readonly country?: string } | null
  return {
    brand: {
      ...brand,
      type: Number(row['type']),
      delivery: String(row['delivery']),
      country: recharge?.country ?? null,
    },
    product,
    items: codes.flatMap((one) => goods('item', one.code) ?? []),
    words: await wordsWithTexts(db, present, [
      ['brand', found.brand],
      ['product', code],
      ...codes.map((one) => ['item', one.code] as const),
    ]),
  }
}

export function goodsOf(present: Present, subject: Edited, code: string): EditedGoods | null {
  const row = present.rows.get(`${subject} ${code}`)
  if (!row) return null
  const around = present.around(subject, row)
  return {
    subject,
    code,
    kind: typeof row['kind'] === 'string' ? row['kind'] : null,
    values: Object.fromEntries(
      Object.entries(GOODS_FIELDS[subject]).map(([name, field]) => [name, field.read(row, around)]),
    ),
    locked: row['locked_fields'] as readonly string[],
  }
}

export async function wordsWithTexts(
  db: Db,
  present: Present,
  goods: readonly (readonly [Edited, string])[],
): Promise<readonly TranslatedWord[]> {
  const words = goods.flatMap(([subject, code]) => {
    const row = present.rows.get(`${subject} ${code}`)
    if (!row) return []
    return wordsOf(subject, row, itemAround(present, subject, row)).map((word) => ({
      ...word,
      subject,
      code,
    }))
  })
  return textsOfWords(db, words)
}

/** Words with what other languages say for them. */
export async function textsOfWords(
  db: Db,
  given: readonly (Word & { readonly subject: Subject; readonly code: string })[],
): Promise<readonly TranslatedWord[]> {
  const words = given.map((word) => ({ ...word, key: wordKey(word.subject, word.code, word) }))
  const codes = (subject: string) => [
    ...new Set(words.filter(({ key }) => key.subject === subject).map(({ key }) => key.code)),
  ]
  const named = words.map(({ key }) => `${key.subject} ${key.code}`)
  const { rows } = await sql<Row & { readonly key: string; readonly language: LanguageCode }>`
    select subject || ' ' || subject_code as key, language, text, origin, english_hash from translation
    where language <> 'en' and ((subject = 'phrase' and field = 'text' and subject_code = any(${codes('phrase')}))
      or (subject = any(${['brand', ...LISTED]}) and field = 'name' and subject_code = any(${words.map(({ key }) => key.code)}) and subject || ' ' || subject_code = any(${named})))`.execute(
    db,
  )
  const texts = Map.groupBy(rows, ({ key }) => key)
  const known = new Set(words.map(({ english }) => englishHash(english)))
  const former = await englishOf(
    db,
    rows.map((row) => String(row['english_hash'])).filter((hash) => !known.has(hash)),
  )
  return words.map(({ key, ...word }) => ({
    ...word,
    hash: englishHash(word.english),
    texts: new Map(
      (texts.get(`${key.subject} ${key.code}`) ?? []).map((row) => [
        row.language,
        {
          text: String(row['text']),
          englishHash: String(row['english_hash']),
          origin: String(row['origin']),
          former: former.get(String(row['english_hash'])) ?? null,
        },
      ]),
    ),
  }))
}

/** English sentences by their hash, of those that were ever translated. */
async function englishOf(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('translation')
    .select(['subject_code', 'text'])
    .where('subject', '=', 'phrase')
    .where('field', '=', 'text')
    .where('language', '=', 'en')
    .where('subject_code', '=', sql<string>`any(${[...new Set(hashes)]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.subject_code, row.text]))
}
