import { sql } from 'kysely'
import {
  countListUses,
  readCategoryTree,
  readGoodsRows,
  readKnownGoods,
  readListRows,
} from '#features/goods/transfer/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { LIST_FIELDS } from '../engine/list-fields.ts'
import { parentsFor } from '../engine/tree.ts'
import { presentOf } from '../engine/present.ts'
import { wordsOf } from '../engine/words.ts'
import { isListed, SUBJECT_OF, type EntryList, type Json, type Subject } from '../rules.ts'
import type { ProductPast } from './history.ts'
import { goodsOf, textsOfWords, wordsWithTexts, type TranslatedWord } from './one.ts'

/** One entry of a list, as an editor shows it. */
export interface EditedEntry {
  readonly subject: Subject
  readonly code: string
  readonly kind: string | null
  readonly values: Readonly<Record<string, Json>>
  readonly locked: readonly string[]
  readonly words: readonly TranslatedWord[]
  /** How much refers to it; null of a brand, which is never taken away. */
  readonly uses: number | null
}

/** Null where the list has none of that code. */
export async function findEditedEntry(
  db: Db,
  list: EntryList,
  code: string,
): Promise<EditedEntry | null> {
  const subject = SUBJECT_OF[list]
  if (!isListed(subject)) return findBrand(db, code, list === 'operators')
  const row = (await readListRows(db, subject, [code], false))[0]
  if (!row) return null
  const around = { face: null, categories: [], levels: [], picture: undefined }
  const words = wordsOf(subject, row, { hasUnit: false, hasFace: false })
  return {
    subject,
    code,
    kind: null,
    values: Object.fromEntries(
      Object.entries(LIST_FIELDS[subject]).map(([name, field]) => [name, field.read(row, around)]),
    ),
    locked: row['locked_fields'] as readonly string[],
    words: await textsOfWords(
      db,
      words.map((word) => ({ ...word, subject, code })),
    ),
    uses: await countListUses(db, subject, code),
  }
}

async function findBrand(db: Db, code: string, isOperator: boolean): Promise<EditedEntry | null> {
  const rows = await readGoodsRows(db, { brand: [code], product: [], item: [] }, false)
  const present = presentOf(rows, await readKnownGoods(db, []))
  const brand = goodsOf(present, 'brand', code)
  if (!brand || (brand.kind === 'recharge') !== isOperator) return null
  const words = await wordsWithTexts(db, present, [['brand', code]])
  return { ...brand, words, uses: null }
}

/** Codes of the categories that one may be part of. @param code null for a new one */
export const listParents = async (db: Db, code: string | null): Promise<ReadonlySet<string>> =>
  parentsFor(await readCategoryTree(db), code)

/** A thing of the shop that stands under an entry. */
export interface Below {
  readonly of: 'product' | 'brand' | 'game' | 'category'
  readonly code: string
  readonly name: string
}

/** What stands directly under an entry, the first of it. */
export async function listBelow(
  db: Db,
  subject: Subject,
  code: string,
  { language, limit }: { readonly language: LanguageCode; readonly limit: number },
): Promise<readonly Below[]> {
  const products = sql`select 'product' as of, p.code, b.name || ', ' || coalesce(p.region_name, t.text, r.name) as name, 3 as at
    from product p join brand b on b.code = p.brand join region r on r.code = p.region
      left join translation t on t.subject = 'region' and t.subject_code = r.code and t.field = 'name' and t.language = ${language}`
  const brands = sql`select 'brand' as of, b.code, b.name, 2 as at from brand b`
  const games = sql`select 'game' as of, g.code, g.name, 1 as at from game g`
  const sources = {
    category: sql`select 'category' as of, c.code::text, coalesce(t.text, c.name) as name, 0 as at from category c join category a on a.id = c.parent_id
        left join translation t on t.subject = 'category' and t.subject_code = c.code and t.field = 'name' and t.language = ${language} where a.code = ${code}
      union all (${games} join category c on c.id = g.category_id where c.code = ${code})
      union all (${brands} join brand_category bc on bc.brand = b.code join category c on c.id = bc.category_id where c.code = ${code})`,
    game: sql`${brands} where b.game = ${code}`,
    region: sql`${products} where p.region = ${code}`,
    platform: sql`(${games} where ${code} = any(g.platforms)) union all (${brands} where ${code} = any(b.platforms))`,
    brand: sql`${products} where p.brand = ${code}`,
    product: sql`${products} where false`,
    item: sql`${products} where false`,
  }
  const { rows } = await sql<Below>`
    select of, code, name from (${sources[subject]}) below order by at, name, code limit ${limit}`.execute(
    db,
  )
  return rows
}

/** What has become of one entry, the latest first, with whether each change has been taken back. */
export async function listHistoryOf(
  db: Db,
  subject: Subject,
  code: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly ProductPast[]> {
  const { rows } = await sql<ProductPast>`
    select c.public_id as change, c.kind, c.made_by as by, c.made_at as at, c.undone_by is not null as "isUndone", r.subject, r.code, r.field, r.before, r.after
    from goods_change_row r join goods_change c on c.id = r.change_id
    where r.subject = ${subject} and r.code = ${code}
      and (${before}::text is null or r.change_id < (select b.id from goods_change b where b.public_id = ${before}))
    order by r.change_id desc, r.field limit ${limit}`.execute(db)
  return rows
}
