import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import { dayOf } from '#kernel/day.ts'
import type { Ctx } from '#platform/ctx.ts'

/** Told when levels changed; web processes read them again. */
export const STOCK_CHANNEL = 'stock_changed'

export interface CountedStock {
  /** How many items changed. */
  readonly changed: number
  /** Items with fewer keys at hand than before. */
  readonly fallen: readonly string[]
}

/** Adds up what has changed since the last time. Two at once share the work. */
export async function countStock(ctx: Pick<Ctx, 'db' | 'now'>): Promise<CountedStock> {
  const { rows } = await sql<CountedStock>`
    with taken as (delete from stock_change returning item, free, sold),
    summed as (select item, sum(free) as free, sum(sold) as sold from taken group by item),
    written as (
      insert into stock_level as level (item, free, sold, updated_at)
      select summed.item, summed.free, summed.sold, ${ctx.now()} from summed join item on item.id = summed.item where summed.free <> 0 or summed.sold <> 0 order by summed.item
      on conflict (item) do update set free = level.free + excluded.free, sold = level.sold + excluded.sold, updated_at = excluded.updated_at
      returning item
    )
    select count(*)::integer as changed, coalesce(array_agg(item) filter (where summed.free < 0), '{}') as fallen, case when count(*) > 0 then pg_notify(${STOCK_CHANNEL}, '') end
    from written join summed using (item)`.execute(ctx.db)
  return present(rows[0], 'a row')
}

/**
 * Counts everything anew: keys that have expired leave the stock, and nothing that was missed stays so. Reads every key.
 * @returns how many items were other than thought
 */
export async function recountStock(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // What is noted and visible here is in the counts as well; what comes later stays noted.
      await sql`delete from stock_change`.execute(tx)
      const { rows } = await sql<{ count: number }>`
      with counted as (
        select item, sum(free) as free, sum(sold) as sold from (
          select item, count(*) as free, 0 as sold from card_key where status = 'free' and expires_on > ${dayOf(ctx.now())}::date group by item
          union all select item, 0, count(*) from card_key where status = 'delivered' group by item
          union all select item, 0, count(*) from order_unit where delivery = 'direct_charge' and status = 'delivered' group by item
          union all select item, 0, 0 from stock_level
        ) as each group by item
      ), written as (
        insert into stock_level as level (item, free, sold, updated_at)
        select item, free, sold, ${ctx.now()} from counted order by item
        on conflict (item) do update set free = excluded.free, sold = excluded.sold, updated_at = excluded.updated_at
          where (level.free, level.sold) is distinct from (excluded.free, excluded.sold)
        returning 1
      )
      select count(*)::integer as count, case when count(*) > 0 then pg_notify(${STOCK_CHANNEL}, '') end from written`.execute(
        tx,
      )
      return rows[0]?.count ?? 0
    })
}
