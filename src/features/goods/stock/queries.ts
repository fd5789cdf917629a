import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** What is shown of an item's stock, some seconds behind what is there. */
export interface StockLevel {
  readonly item: string
  /** Keys at hand; null for goods that are credited, whose stock is the catalogue's. */
  readonly free: number | null
  /** Cards that a supplier can deliver once they are paid: in stock whatever is at hand. */
  readonly isToOrder: boolean
  /** Units sold, with what the catalogue began at. */
  readonly sold: number
  readonly updatedAt: Date
}

/** Levels written since a moment (all: null), of items on sale. */
export async function listLevels(db: Db, since: Date | null): Promise<StockLevel[]> {
  const { rows } = await sql<
    Omit<StockLevel, 'free' | 'sold'> & { free: string | null; sold: string }
  >`
    select l.item, case when b.delivery = 'card_key' then greatest(l.free, 0) end as free, b.delivery = 'card_key' and l.is_to_order as "isToOrder", i.sold + greatest(l.sold, 0) as sold, l.updated_at as "updatedAt"
    from stock_level l join item i on i.id = l.item join product p on p.code = i.product join brand b on b.code = p.brand
    ${since ? sql`where l.updated_at >= ${since}` : sql``}`.execute(db)
  return rows.map((row) => ({
    ...row,
    free: row.free === null ? null : Number(row.free),
    sold: Number(row.sold),
  }))
}

/** Where an item's cards come from: own keys alone, a supplier once they are paid, or a supplier once the own ones are gone. */
export type CardSource = 'stock' | 'order' | 'both'

export interface CardItem {
  readonly source: CardSource
  /** A supplier can deliver it now, as far as anybody knows. */
  readonly isToOrder: boolean
}

/** How cards of an item are come by now. One that nobody has said anything of has own keys first, and a supplier's once it has one. */
export async function getCardItem(tx: Db | Tx, item: string, now: Date): Promise<CardItem> {
  const { rows } = await sql<CardItem>`
    select coalesce((select source from card_source where item = ${item}), 'both') as source, is_made_to_order(${item}, ${now}) as "isToOrder"`.execute(
    tx,
  )
  return present(rows[0], 'a row')
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
