import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  LATE_DAYS,
  LATE_LEAST_SECONDS,
  MEASURED_DAYS,
  MEASURED_FROM,
  NOW_FROM,
  type Measured,
} from './rules.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * How long what suppliers delivered took from payment, by product and by product and supplier. "Now" counts those of the last hour and
 * those that have waited longer than half of all took, so that a supplier that stands still is seen before it delivers.
 */
export async function measurePace(db: Db | Tx, now: Date): Promise<Measured[]> {
  const { rows } = await sql<Measured>`
    with took as materialized (
      select i.product, p.supplier, greatest(extract(epoch from u.delivered_at - o.settled_at), 0)::double precision as seconds, u.delivered_at >= ${new Date(now.getTime() - HOUR_MS)} as is_new
      from purchase p join purchase_unit n on n.purchase_id = p.id and n.is_done join order_unit u on u.id = n.unit_id join shop_order o on o.id = p.order_id join item i on i.id = p.item
      where p.status = 'done' and p.ended_at >= ${new Date(now.getTime() - MEASURED_DAYS * DAY_MS)} and u.delivered_at is not null and o.settled_at is not null
    ), usual as (
      select product, supplier, count(*)::integer as deliveries, percentile_cont(0.5) within group (order by seconds) as p50, percentile_cont(0.95) within group (order by seconds) as p95
      from took group by grouping sets ((product), (product, supplier)) having count(*) >= ${MEASURED_FROM}
    ), waiting as (
      select i.product, greatest(extract(epoch from ${now}::timestamptz - o.settled_at), 0)::double precision as seconds from (
        select unit_id from supply_queue where held is null
        union select n.unit_id from purchase p join purchase_unit n on n.purchase_id = p.id and n.is_live where p.next_ask_at is not null
      ) as waits join order_unit u on u.id = waits.unit_id join shop_order o on o.id = u.order_id join item i on i.id = u.item
    ), lately as (
      select product, percentile_cont(0.5) within group (order by seconds) as now from (
        select product, seconds from took where is_new
        union all select w.product, w.seconds from waiting w join usual on usual.product = w.product and usual.supplier is null and w.seconds > usual.p50
      ) as each group by product having count(*) >= ${NOW_FROM}
    )
    select usual.*, case when usual.supplier is null then lately.now end as now from usual left join lately using (product) order by product, supplier nulls first`.execute(
    db,
  )
  return rows
}

export interface MeasuredAt {
  readonly supplier: string
  /** Null: everything of the supplier's. */
  readonly product: string | null
  readonly deliveries: number
  readonly p50: number
  readonly p95: number
  /** Units that wait there, or are being bought. */
  readonly waiting: number
}

/** How long what suppliers delivered took from payment, however few there were: for operators. @param supplier null for all of them */
export async function listMeasured(
  db: Db,
  now: Date,
  supplier: string | null,
): Promise<MeasuredAt[]> {
  const { rows } = await sql<MeasuredAt>`
    with took as materialized (
      select p.supplier, i.product, greatest(extract(epoch from u.delivered_at - o.settled_at), 0)::double precision as seconds
      from purchase p join purchase_unit n on n.purchase_id = p.id and n.is_done join order_unit u on u.id = n.unit_id join shop_order o on o.id = p.order_id join item i on i.id = p.item
      where p.status = 'done' and p.ended_at >= ${new Date(now.getTime() - MEASURED_DAYS * DAY_MS)} and u.delivered_at is not null and o.settled_at is not null
        and (${supplier}::text is null or p.supplier = ${supplier})
    ), waits as (
      select q.supplier, i.product from supply_queue q join order_unit u on u.id = q.unit_id join item i on i.id = u.item
      union all select p.supplier, i.product from purchase p join purchase_unit n on n.purchase_id = p.id and n.is_live join item i on i.id = p.item where p.next_ask_at is not null
    )
    select supplier, product, count(*)::integer as deliveries, percentile_cont(0.5) within group (order by seconds) as p50, percentile_cont(0.95) within group (order by seconds) as p95,
      (select count(*)::integer from waits w where w.supplier = took.supplier and (took.product is null or w.product = took.product)) as waiting
    from took group by grouping sets ((supplier), (supplier, product)) order by supplier, product nulls first`.execute(
    db,
  )
  return rows
}

export interface LateOrder {
  readonly orderId: string
  /** The line that is late; the first of them. */
  readonly line: number
  readonly units: number
}

/** Paid orders with something that should have been delivered by now, whose buyer was not told so. */
export async function listLate(
  db: Db | Tx,
  {
    now,
    factor,
    last,
    limit,
  }: {
    readonly now: Date
    readonly factor: number
    readonly last: string | null
    readonly limit: number
  },
): Promise<LateOrder[]> {
  const { rows } = await sql<LateOrder>`
    select distinct on (o.id) o.id as "orderId", l.position as line, (count(*) over (partition by l.id))::integer as units
    from order_unit u join shop_order o on o.id = u.order_id join order_line l on l.id = u.line_id join item i on i.id = u.item join product p on p.code = i.product join brand b on b.code = p.brand
      left join delivery_pace m on m.product = p.code and m.supplier is null left join delivery_time d on d.brand = b.code
    where u.delivery = 'direct_charge' and u.status in ('queued','delivering','in_doubt') and o.hold is null and o.settled_at >= ${new Date(now.getTime() - LATE_DAYS * DAY_MS)}
      and o.settled_at + greatest(${LATE_LEAST_SECONDS}::double precision, ${factor}::double precision * coalesce(m.p95_seconds, greatest(d.p95_seconds, p.typical_minutes * 60), b.typical_minutes * 60)) * interval '1 second' < ${now}
      and coalesce(m.p95_seconds, d.p95_seconds, p.typical_minutes, b.typical_minutes) is not null
      and not exists (select from order_event e where e.order_id = o.id and e.reason = 'delivery_late')
      and o.id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid
    order by o.id, l.position limit ${limit}`.execute(db)
  return rows
}

export async function hasLateNotice(tx: Tx, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('order_event')
    .select('id')
    .where('order_id', '=', orderId)
    .where('reason', '=', 'delivery_late')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether something of that line still waits. */
export async function isWaiting(tx: Tx, orderId: string, line: number): Promise<boolean> {
  const row = await tx
    .selectFrom('order_unit as u')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .select('u.id')
    .where('u.order_id', '=', orderId)
    .where('l.position', '=', line)
    .where('u.status', 'in', ['queued', 'delivering', 'in_doubt'])
    .executeTakeFirst()
  return row !== undefined
}

export interface Overdue {
  readonly orderId: string
  readonly unitIds: readonly string[]
}

/**
 * Paid units that have waited for a supplier since then, by order. Queued alone: nothing that may have been bought, is being bought, or
 * is in anybody's hands.
 */
export async function listOverdue(
  db: Db,
  {
    before,
    last,
    limit,
  }: { readonly before: Date; readonly last: string | null; readonly limit: number },
): Promise<Overdue[]> {
  const { rows } = await sql<Overdue>`
    select o.id as "orderId", array_agg(u.id) as "unitIds" from supply_queue q join order_unit u on u.id = q.unit_id join shop_order o on o.id = u.order_id
    where u.status = 'queued' and o.hold is null and o.settled_at < ${before} and q.held is null and o.id > ${last ?? '00000000-0000-0000-0000-000000000000'}::uuid
      and not exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed)
      and not exists (select from purchase_unit n where n.unit_id = u.id and (n.is_live or n.is_done))
    group by o.id order by o.id limit ${limit}`.execute(db)
  return rows
}
