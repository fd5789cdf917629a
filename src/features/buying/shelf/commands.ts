import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { EXPIRING_DAYS, EXPIRING_MOST, NEVER_EMPTY_HOURS, PACE_DAYS } from './rules.ts'
import { lowStockSetting } from './schema.ts'

/**
 * Writes how each shelf stands, where that has changed. Of a shelf that has been selling for less than the days that tell the pace, those
 * since its first sale count. @returns how many changed
 */
export async function writeShelves(ctx: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const lowDays = await readSetting(ctx.db, lowStockSetting)
  const today = sql`${dayOf(ctx.now())}::date`
  const { rows } = await sql<{ count: number }>`
    with sales as materialized (
      select item, greatest(sum(sold), 0)::integer as sold, least(${PACE_DAYS}::integer, ${today} - min(day) + 1) as days
      from key_sale_day where day > ${today} - ${PACE_DAYS}::integer group by item
    ), kept_back as materialized (
      select item, sum(quarantined)::integer as count from key_batch_level where quarantined > 0 group by item
    ), standing as (
      select i.id as item, i.status, greatest(coalesce(l.free, 0), 0)::integer as free, coalesce(q.count, 0) as quarantined, coalesce(s.sold, 0) as sold, coalesce(s.days, 1) as days,
        coalesce(l.is_to_order, false) or coalesce(c.source = 'order', false) as is_to_order, coalesce(k.low_days, ${lowDays}::integer) as low_days,
        (select count(*)::integer from (
          select from card_key e where e.item = i.id and e.status = 'free' and e.expires_on > ${today} and e.expires_on <= ${today} + ${EXPIRING_DAYS}::integer limit ${EXPIRING_MOST}
        ) as soon) as expiring
      from item i join product p on p.code = i.product join brand b on b.code = p.brand left join stock_level l on l.item = i.id left join kept_back q on q.item = i.id
      left join sales s on s.item = i.id left join card_source c on c.item = i.id left join key_shelf k on k.item = i.id
      where b.delivery = 'card_key' and (i.status = 'active' or l.free > 0 or q.count > 0 or k.item is not null)
    ), lasting as (
      select *, case when free = 0 then 0 when sold = 0 then ${NEVER_EMPTY_HOURS}::integer else least(free::bigint * days * 24 / sold, ${NEVER_EMPTY_HOURS}::bigint)::integer end as cover_hours from standing
    ), written as (
      insert into key_shelf as shelf (item, free, quarantined, expiring, sold, cover_hours, is_low, updated_at)
      select item, free, quarantined, expiring, sold, cover_hours, status = 'active' and not is_to_order and (free = 0 or cover_hours < low_days * 24), ${ctx.now()} from lasting order by item
      on conflict (item) do update set free = excluded.free, quarantined = excluded.quarantined, expiring = excluded.expiring, sold = excluded.sold,
        cover_hours = excluded.cover_hours, is_low = excluded.is_low, updated_at = excluded.updated_at
      where (shelf.free, shelf.quarantined, shelf.expiring, shelf.sold, shelf.cover_hours, shelf.is_low)
        is distinct from (excluded.free, excluded.quarantined, excluded.expiring, excluded.sold, excluded.cover_hours, excluded.is_low)
      returning 1
    )
    select count(*)::integer as count from written`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/**
 * Says below how many days of cover a shelf is low; null for the shop's own number. Throws 'not_found', and 'changed_meanwhile' where
 * somebody else has said so since `version` was read.
 */
export async function setLowDays(
  ctx: OperatorCtx,
  {
    itemCode,
    lowDays,
    version,
  }: { readonly itemCode: string; readonly lowDays: number | null; readonly version: number },
): Promise<void> {
  requirePermission(ctx, 'key.import')
  // What came a moment ago gets its shelf now.
  await writeShelves(ctx)
  await transaction(ctx, async (tx, now) => {
    const row = await tx
      .selectFrom('key_shelf as s')
      .innerJoin('item as i', 'i.id', 's.item')
      .select(['s.item', 's.low_days', 's.version'])
      .where('i.code', '=', itemCode)
      .forUpdate('s')
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    if (row.low_days === lowDays) return
    if (row.version !== version)
      throw new AppError('changed_meanwhile', {}, { data: { low_days: row.low_days } })
    await tx
      .updateTable('key_shelf')
      .set({ low_days: lowDays, version: version + 1, updated_at: now })
      .where('item', '=', row.item)
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'shelf',
        subjectCode: itemCode,
        before: { low_days: row.low_days },
        after: { low_days: lowDays },
      },
    ])
  })
  await writeShelves(ctx)
}
