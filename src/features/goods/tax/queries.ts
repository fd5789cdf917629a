import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  taxTable,
  type TaxClass,
  type TaxClassRow,
  type TaxRateRow,
  type TaxTable,
} from './rules.ts'

export interface SetTaxClass extends TaxClassRow {
  readonly setBy: string
  readonly setAt: Date
}

export interface SetTaxRate extends TaxRateRow {
  readonly setBy: string
  readonly setAt: Date
}

/** What holds of each product and country; `limit` of them, those of all first. */
export async function listTaxClasses(db: Db | Tx, limit: number | null): Promise<SetTaxClass[]> {
  const { rows } = await sql<Omit<SetTaxClass, 'taxClass'> & { taxClass: TaxClass }>`
    select product, country, class as "taxClass", set_by as "setBy", set_at as "setAt" from (
      select distinct on (product, country) * from tax_class order by product, country, id desc
    ) as newest where class is not null order by product nulls first, country nulls first limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Every rate that was ever said, in the order in which they were. */
export async function listTaxRates(db: Db | Tx): Promise<SetTaxRate[]> {
  const { rows } = await sql<SetTaxRate>`
    select country, class as "taxClass", basis_points as "basisPoints", case when isfinite(valid_from) then valid_from end as "validFrom",
      set_by as "setBy", set_at as "setAt" from tax_rate order by id`.execute(db)
  return rows
}

/** What orders are taxed by. */
export async function readTaxTable(db: Db): Promise<TaxTable> {
  const [classes, rates] = await Promise.all([listTaxClasses(db, null), listTaxRates(db)])
  return taxTable(classes, rates)
}

/** What the table of taxes was at: it changes with each change of it. */
export async function taxVersion(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce(greatest((select id from tax_class order by id desc limit 1), (select id from tax_rate order by id desc limit 1))::text, 'none') as version`.execute(
    db,
  )
  return rows[0]?.version ?? 'none'
}

/** The moment at which a day of the shop begins. */
export async function dayBegins(db: Db | Tx, day: string, timeZone: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select ${day}::date::timestamp at time zone ${timeZone} as at`.execute(db)
  return rows[0]?.at ?? new Date(0)
}

export async function isProduct(db: Db | Tx, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('product')
    .select('code')
    .where('code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

export async function isCountry(db: Db | Tx, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('country')
    .select('code')
    .where('code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

/** How many products a class would be about, and of how many of them something closer was said, which goes before. */
export async function countTouched(
  db: Db,
  { product, country }: { readonly product: string | null; readonly country: string | null },
): Promise<{ readonly products: number; readonly apart: number }> {
  const isWhole = product === null && country === null
  const { rows } = await sql<{ products: number; apart: number }>`
    with said as materialized (
      select product, country from (select distinct on (product, country) * from tax_class order by product, country, id desc) as newest where class is not null
    ), closer as materialized (
      select distinct product from said where product is not null and case when ${product}::text is null
        then ${country}::text is null or country is null or country = ${country} else ${country}::text is null and country is not null end
    )
    select count(*)::integer as products,
      count(*) filter (where code in (select product from closer) or (${isWhole}::boolean and exists (select from said where product is null and country is not null)))::integer as apart
    from product where ${product}::text is null or code = ${product}`.execute(db)
  return rows[0] ?? { products: 0, apart: 0 }
}
