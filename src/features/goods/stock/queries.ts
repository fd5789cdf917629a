import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** What is shown of an item's stock, some seconds behind what is there. */
export interface StockLevel {
  readonly item: string
  /** Keys at hand; null for goods made to order, whose stock is the catalogue's. */
  readonly free: number | null
  /** Units sold, with what the catalogue began at. */
  readonly sold: number
  readonly updatedAt: Date
}

/** Levels written since a moment (all: null), of items on sale. */
export async function listLevels(db: Db, since: Date | null): Promise<StockLevel[]> {
  const { rows } = await sql<
    Omit<StockLevel, 'free' | 'sold'> & { free: string | null; sold: string }
  >`
    select l.item, case when b.delivery = 'card_key' then greatest(l.free, 0) end as free, i.sold + greatest(l.sold, 0) as sold, l.updated_at as "updatedAt"
    from stock_level l join item i on i.id = l.item join product p on p.code = i.product join brand b on b.code = p.brand
    ${since ? sql`where l.updated_at >= ${since}` : sql``}`.execute(db)
  return rows.map((row) => ({
    ...row,
    free: row.free === null ? null : Number(row.free),
    sold: Number(row.sold),
  }))
}

/** Whether anything was sold or stocked that is not counted yet. */
export async function isToCount(db: Db): Promise<boolean> {
  return (await sql`select from stock_change limit 1`.execute(db)).rows.length > 0
}

/** Days that a sale counts as lately. */
const RECENT_DAYS = 90

/** Units of each item delivered lately, by its id. Reads every unit: not for every page. */
export async function listRecentSales(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ item: string; units: number }>`
    select item, count(*)::integer as units from order_unit
    where status = 'delivered' and item is not null and delivered_at > now() - make_interval(days => ${RECENT_DAYS})
    group by item`.execute(db)
  return new Map(rows.map(({ item, units }) => [item, units]))
}
