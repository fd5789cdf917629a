import { sql } from 'kysely'
import { brandDocuments } from '#features/goods/transfer/engine/goods-add.ts'
import { readAdditionTerms } from '#features/goods/transfer/queries.ts'
import type { Db } from '#platform/db.ts'

/** Somewhere that new goods may stand. */
export interface FoundProduct {
  readonly brand: string
  readonly brandName: string
  /** Empty for a brand without products. */
  readonly product: string
  readonly region: string
}

/** Products whose name or code holds the words, by their brands. */
export async function findProducts(db: Db, words: string, limit: number): Promise<FoundProduct[]> {
  const like = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<FoundProduct>`
    select b.code as brand, b.name as "brandName", p.code as product, coalesce(p.region_name, r.name) as region
    from product p join brand b on b.code = p.brand join region r on r.code = p.region
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

export async function readMakingChoices(db: Db): Promise<MakingChoices> {
  const named = async (table: string, key: string, order: string) =>
    (
      await sql<{ code: string; name: string }>`
        select ${sql.ref(key)} as code, name from ${sql.table(table)} order by ${sql.ref(order)}, name`.execute(
        db,
      )
    ).rows
  const currencies = await sql<{ code: string; digits: number }>`
    select code, minor_units as digits from currency order by position, code`.execute(db)
  return {
    categories: await named('category', 'code', 'position'),
    regions: await named('region', 'code', 'position'),
    currencies: currencies.rows,
    units: await named('unit', 'key', 'name'),
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
