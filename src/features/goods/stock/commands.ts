import { sql } from 'kysely'
import { present } from '#kernel/assert.ts'
import { dayOf } from '#kernel/day.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { CardSource } from './queries.ts'

/** Told when levels changed; web processes read them again. */
export const STOCK_CHANNEL = 'stock_changed'

/** Held while everything is counted anew. */
const RECOUNT_LOCK = 7_126_040

export interface CountedStock {
  /** How many items changed. */
  readonly changed: number
  /** Items with fewer keys at hand than before. */
  readonly fallen: readonly string[]
}

/** Adds up what has changed since the last time. Two at once share the work. */
export async function countStock(ctx: Pick<Ctx, 'db' | 'now'>): Promise<CountedStock> {
  const { rows } = await sql<CountedStock>`
    with taken as (delete from stock_change returning item, batch_id, free, sold, claimed, quarantined, voided),
    summed as (select item, sum(free) as free, sum(sold) as sold from taken group by item),
    written as (
      insert into stock_level as level (item, free, sold, updated_at)
      select summed.item, summed.free, summed.sold, ${ctx.now()} from summed join item on item.id = summed.item where summed.free <> 0 or summed.sold <> 0 order by summed.item
      on conflict (item) do update set free = level.free + excluded.free, sold = level.sold + excluded.sold, updated_at = excluded.updated_at
      returning item
    ),
    batched as (
      insert into key_batch_level as level (batch_id, item, free, claimed, delivered, quarantined, void, updated_at)
      select batch_id, item, sum(free), sum(claimed), sum(sold), sum(quarantined), sum(voided), ${ctx.now()} from taken where batch_id is not null group by batch_id, item order by batch_id
      on conflict (batch_id) do update set free = level.free + excluded.free, claimed = level.claimed + excluded.claimed, delivered = level.delivered + excluded.delivered,
        quarantined = level.quarantined + excluded.quarantined, void = level.void + excluded.void, updated_at = excluded.updated_at
    ),
    dated as (
      insert into key_sale_day as day (item, day, sold)
      select item, ${dayOf(ctx.now())}::date, sum(sold) from taken where batch_id is not null group by item having sum(sold) <> 0 order by item
      on conflict (item, day) do update set sold = day.sold + excluded.sold
    )
    select count(*)::integer as changed, coalesce(array_agg(item) filter (where summed.free < 0), '{}') as fallen, case when count(*) > 0 then pg_notify(${STOCK_CHANNEL}, '') end
    from written join summed using (item)`.execute(ctx.db)
  return present(rows[0], 'a row')
}

/** So often is everything counted once more because a sale was added up meanwhile. */
const RECOUNTS = 10
const SERIALIZATION_FAILURE = '40001'

/**
 * Counts everything anew: keys that have expired leave the stock, and nothing that was missed stays so. Reads every key.
 * @returns how many items were other than thought
 */
export async function recountStock(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  for (let left = RECOUNTS; ; left -= 1) {
    try {
      return await recountOnce(ctx)
    } catch (error) {
      const isOvertaken =
        error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE
      if (!isOvertaken || left === 0) throw error
    }
  }
}

async function recountOnce(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${RECOUNT_LOCK})`.execute(tx)
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
      await recountBatches(tx, ctx.now())
      return rows[0]?.count ?? 0
    })
}

/** Days of sales that are kept by the day. */
const SALES_KEPT_DAYS = 90

/** What batches hold and what was sold each day, from the keys themselves; part of counting everything anew. */
async function recountBatches(tx: Tx, now: Date): Promise<void> {
  const since = sql`${dayOf(now)}::date - ${SALES_KEPT_DAYS}::integer`
  await sql`
    insert into key_batch_level as level (batch_id, item, free, claimed, delivered, quarantined, void, updated_at)
    select batch_id, item, count(*) filter (where status = 'free'), count(*) filter (where status = 'claimed'), count(*) filter (where status = 'delivered'),
      count(*) filter (where status = 'quarantined'), count(*) filter (where status = 'void'), ${now} from card_key group by batch_id, item order by batch_id
    on conflict (batch_id) do update set free = excluded.free, claimed = excluded.claimed, delivered = excluded.delivered, quarantined = excluded.quarantined, void = excluded.void, updated_at = excluded.updated_at
      where (level.free, level.claimed, level.delivered, level.quarantined, level.void) is distinct from (excluded.free, excluded.claimed, excluded.delivered, excluded.quarantined, excluded.void)`.execute(
    tx,
  )
  await sql`delete from key_sale_day where day < ${since}`.execute(tx)
  await sql`
    insert into key_sale_day as day (item, day, sold)
    select item, (delivered_at at time zone 'UTC')::date, count(*) from card_key where status = 'delivered' and delivered_at >= ${since} group by 1, 2 order by 1, 2
    on conflict (item, day) do update set sold = excluded.sold where day.sold <> excluded.sold`.execute(
    tx,
  )
}

/** Says where an item's cards come from; what is paid already stays as it was chosen. */
export async function setCardSource(
  ctx: Pick<Ctx, 'now'> & { readonly db: Db | Tx },
  items: readonly string[],
  source: CardSource,
): Promise<void> {
  if (items.length === 0) return
  await ctx.db
    .insertInto('card_source')
    .values(items.map((item) => ({ item, source, updated_at: ctx.now() })))
    .onConflict((conflict) =>
      conflict.column('item').doUpdateSet({ source, updated_at: ctx.now() }),
    )
    .execute()
}

/**
 * Notes which cards a supplier can deliver now, where that is other than it was: a supplier has been set, has gone off, rests, or rests no
 * more. As `is_made_to_order` has it, of all items at once. Pages follow within seconds; what decides is looked at when paying begins. @returns how many items changed
 */
export async function followSuppliers(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const { rows: free } = await sql<{
      isFree: boolean
    }>`select pg_try_advisory_xact_lock(${RECOUNT_LOCK}) as "isFree"`.execute(tx)
    // While everything is counted anew, nothing else is written; it is seen the next time.
    if (!free[0]?.isFree) return 0
    const { rows } = await sql<{ count: number }>`
    with offered as materialized (
      select o.item, coalesce(min(c.source), 'both') <> 'stock' and bool_or(o.is_on and s.status = 'on' and (s.rests_until is null or s.rests_until <= ${ctx.now()})) as is_to_order
      from supplier_offer o join supplier s on s.code = o.supplier left join card_source c on c.item = o.item where o.kind in ('giftcard', 'key', 'voucher') group by o.item
    ), now_is as (
      select item, is_to_order from offered
      union all select item, false from stock_level where is_to_order and item not in (select item from offered)
    ), written as (
      insert into stock_level as level (item, free, sold, is_to_order, updated_at)
      select item, 0, 0, is_to_order, ${ctx.now()} from now_is
      where is_to_order is distinct from coalesce((select l.is_to_order from stock_level l where l.item = now_is.item), false) order by item
      on conflict (item) do update set is_to_order = excluded.is_to_order, updated_at = excluded.updated_at
      returning 1
    )
    select count(*)::integer as count, case when count(*) > 0 then pg_notify(${STOCK_CHANNEL}, '') end from written`.execute(
      tx,
    )
    return rows[0]?.count ?? 0
  })
}
