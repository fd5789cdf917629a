import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** Former codes that lead to a product, by the alphabet. */
export async function listFormerCodes(db: Db | Tx, code: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('code_redirect')
    .select('old_code')
    .where('kind', '=', 'product')
    .where('new_code', '=', code)
    .orderBy('old_code')
    .execute()
  return rows.map((row) => row.old_code)
}

/** The code of a product's brand; null where there is no such product. @param isToWrite holds its row */
export async function findBrandOf(
  db: Db | Tx,
  code: string,
  isToWrite: boolean,
): Promise<string | null> {
  const row = await db
    .selectFrom('product')
    .select('brand')
    .where('code', '=', code)
    .$if(isToWrite, (query) => query.forUpdate())
    .executeTakeFirst()
  return row?.brand ?? null
}

/** Whether a code means other goods, now or by a former address: products and brands share their addresses. */
export async function isCodeTaken(
  db: Db | Tx,
  { from, to, brand }: Readonly<Record<'from' | 'to' | 'brand', string>>,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from product where code = ${to})
        or exists (select from brand where code = ${to} and code <> ${brand})
        or exists (select from code_redirect where old_code = ${to} and (kind = 'product' and new_code <> ${from} or kind = 'brand' and new_code <> ${brand}))
      as taken`.execute(db)
  return rows[0]?.taken ?? false
}
