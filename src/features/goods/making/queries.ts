import { sql } from 'kysely'
import { brandDocuments } from '#features/goods/transfer/engine/goods-add.ts'
import { listGoodsChoices, type GoodsChoice } from '#features/goods/editing/queries.ts'
import { readAdditionTerms } from '#features/goods/transfer/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'

/** Somewhere that new goods may stand. */
export interface FoundProduct {
  readonly brand: string
  readonly brandName: string
  /** Empty for a brand without products. */
  readonly product: string
  readonly region: string
}

/** Products whose name or code holds the words, by their brands; regions by their names in a language, or in English. */
export async function findProducts(
  db: Db,
  words: string,
  { language, limit }: { readonly language: LanguageCode; readonly limit: number },
): Promise<FoundProduct[]> {
  const like = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<FoundProduct>`
    select b.code as brand, b.name as "brandName", p.code as product, coalesce(p.region_name, t.text, r.name) as region
    from product p join brand b on b.code = p.brand join region r on r.code = p.region
      left join translation t on t.subject = 'region' and t.subject_code = r.code and t.field = 'name' and t.language = ${language}
    where b.name ilike ${like} or p.code ilike ${like} order by b.popularity desc, b.code, p.position, p.code limit ${limit}`.execute(
    db,
  )
  return rows
}

/** What new goods are chosen from. */
export interface MakingChoices {
  readonly categories: readonly { readonly code: string; readonly name: string }[]
  readonly regions: readonly { readonly code: string; readonly name: string }[]
  readonly currencies: readonly { readonly code: string; readonly digits: number }[]
  readonly units: readonly { readonly code: string; readonly name: string }[]
}

/** Each by its name in a language, or in English. */
export async function readMakingChoices(db: Db, language: LanguageCode): Promise<MakingChoices> {
  const [choices, currencies] = await Promise.all([
    listGoodsChoices(db, language),
    sql<{ code: string; digits: number }>`
      select code, minor_units as digits from currency order by position, code`.execute(db),
  ])
  const named = (of: GoodsChoice['of']) =>
    choices.flatMap((one) => (one.of === of ? [{ code: one.code, name: one.name }] : []))
  return {
    categories: named('category'),
    regions: named('region'),
    currencies: currencies.rows,
    units: named('unit'),
  }
}

/** A brand as a folder says it, with all its products; null where there is none of that code. */
export async function findBrandDocument(
  db: Db,
  by: { readonly brand: string } | { readonly product: string },
): Promise<Readonly<Record<string, unknown>> | null> {
  const brand =
    'brand' in by
      ? by.brand
      : (
          await sql<{
            brand: string
          }>`select brand from product where code = ${by.product}`.execute(db)
        ).rows[0]?.brand
  if (brand === undefined) return null
  const { stored, known } = await readAdditionTerms(db, [{ code: brand }], false)
  return brandDocuments(stored, known)[0] ?? null
}
