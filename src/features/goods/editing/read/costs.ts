import { sql } from 'kysely'
import type { Item } from '#features/goods/catalogue/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** What each item costs the shop, from who is asked first; by code. The same that its price is made of. */
export async function readCosts(
  db: Db | Tx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<Item['cost']>>> {
  const { rows } = await sql<{
    code: string
    supplier: string | null
    minor: string
    currency: string
  }>`
    select i.code, c.supplier, coalesce(c.cost_minor, i.cost_minor)::text as minor, coalesce(c.cost_currency, i.cost_currency) as currency
    from item i left join (
      select distinct on (o.item) o.item, o.supplier, o.cost_minor, o.cost_currency from supplier_offer o join supplier s on s.code = o.supplier
      where o.is_on and s.status = 'on' order by o.item, o.priority, o.supplier
    ) c on c.item = i.id
    where i.code = any(${[...codes]}) and coalesce(c.cost_minor, i.cost_minor) is not null`.execute(
    db,
  )
  return new Map(
    rows.map(({ code, supplier, minor, currency }) => [
      code,
      { supplier, minor: BigInt(minor), currency },
    ]),
  )
}
