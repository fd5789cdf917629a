import { sql } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'

/** What a field of goods may refer to, each with its name in a language, or in English. */
export interface GoodsChoice {
  readonly of: 'category' | 'platform' | 'region' | 'unit' | 'game'
  readonly code: string
  readonly name: string
}

export async function listGoodsChoices(
  db: Db,
  language: LanguageCode,
): Promise<readonly GoodsChoice[]> {
  const { rows } = await sql<GoodsChoice>`
    select c.of, c.code, coalesce(t.text, c.name) as name from (
      select 'category' as of, x.code, x.name, x.position from category x where x.status = 'active'
      union all select 'platform', code, name, position from platform
      union all select 'region', code, name, position from region
      union all select 'unit', key, name, 0 from unit
      union all select 'game', code, name, 0 from game where status = 'active'
    ) c left join translation t on t.subject = c.of and t.subject_code = c.code and t.field = 'name' and t.language = ${language}
    order by c.of, c.position, name`.execute(db)
  return rows
}

/** Who delivers an item, in the order in which they are asked where nothing else is said. */
export interface ItemOffer {
  readonly item: string
  readonly supplier: string
  readonly costMinor: string
  readonly costCurrency: string
  readonly isOn: boolean
}

export async function listItemOffers(db: Db, product: string): Promise<readonly ItemOffer[]> {
  const { rows } = await sql<ItemOffer>`
    select i.code as item, o.supplier, o.cost_minor::text as "costMinor", o.cost_currency as "costCurrency", o.is_on and s.status = 'on' as "isOn"
    from item i join supplier_offer o on o.item = i.id join supplier s on s.code = o.supplier
    where i.product = ${product} order by i.code, o.priority, o.supplier`.execute(db)
  return rows
}

/** Keys on the shelf and what was sold of a product's items, by code; null where no keys are counted. */
export async function listItemCounts(
  db: Db,
  product: string,
): Promise<
  ReadonlyMap<
    string,
    { readonly free: string | null; readonly sold: string; readonly isToOrder: boolean }
  >
> {
  const { rows } = await sql<{
    code: string
    free: string | null
    sold: string
    isToOrder: boolean
  }>`
    select i.code, l.free::text as free, (i.sold + coalesce(l.sold, 0))::text as sold, coalesce(l.is_to_order, false) as "isToOrder"
    from item i left join stock_level l on l.item = i.id where i.product = ${product}`.execute(db)
  return new Map(rows.map(({ code, ...counts }) => [code, counts]))
}
