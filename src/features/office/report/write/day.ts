import { sql } from 'kysely'
import { BUCKETS_PER_DOUBLING, LAST_BUCKET } from '#features/office/figure/rules.ts'
import { idAt } from '#kernel/uuid.ts'
import type { Tx } from '#platform/ctx.ts'
import { ORDER_CENTS } from '../read/others.ts'
import { TALLY_TOTAL } from '../rules.ts'

const TOTAL = sql`${TALLY_TOTAL}::text`

/** A day of the shop, or a month. */
export interface Stretch {
  readonly begins: Date
  readonly ends: Date
}

const HOUR_MS = 3_600_000

/** US cents of one minor unit of each currency, by the rates at the end of the day. */
const rates = ({ ends }: Stretch) => sql`
  select c.code, power(10::numeric, 2 - c.minor_units) * case when c.code = 'USD' then 1 else coalesce(1 / (
      select r.per_usd from currency_rate r where r.currency = c.code and coalesce(r.recorded_at, r.observed_at) < ${ends} order by r.observed_at desc limit 1
    ), 0) end as cents
  from currency c`

/** Rows that were made within a day, found by their ids, which are in the order of time but for a little. */
const madeIn = (row: string, { begins, ends }: Stretch) =>
  sql`${sql.ref(`${row}.id`)} >= ${idAt(begins.getTime() - HOUR_MS)}::uuid and ${sql.ref(`${row}.id`)} < ${idAt(ends.getTime() + HOUR_MS)}::uuid
    and ${sql.ref(`${row}.created_at`)} >= ${begins} and ${sql.ref(`${row}.created_at`)} < ${ends}`

/** Purchases by when they ended; what one cost that was taken back after it was delivered is a cost as it was. */
const purchases = ({ begins, ends }: Stretch) => sql`
  select 'purchase', p.supplier::text, p.currency::text, count(*) filter (where p.actual_minor is not null), count(*) filter (where p.actual_minor is null),
    coalesce(sum(p.actual_minor), 0), 0, coalesce(sum(round(p.actual_minor * r.cents)), 0), 0
  from purchase p join rates r on r.code = p.currency
  where p.supplier in (select code from supplier) and p.ended_at >= ${begins} and p.ended_at < ${ends} group by 2, 3`

const bought = (day: Stretch) => sql`
  select 'key_bought', coalesce(p.brand, ''), coalesce(b.cost_currency, ''), sum(b.imported), coalesce(sum(b.imported) filter (where b.cost_minor is null), 0),
    coalesce(sum(b.cost_minor * b.imported), 0), 0, coalesce(sum(round(b.cost_minor * b.imported * r.cents)), 0), 0
  from key_batch b join item i on i.id = b.item left join product p on p.code = i.product left join rates r on r.code = b.cost_currency
  where ${madeIn('b', day)} group by 2, 3`

/** Keys by when they were delivered, at the price of their order. */
const sold = ({ begins, ends }: Stretch) => sql`
  select 'key_sold', coalesce(p.brand, ''), o.currency::text, count(*), 0, sum(u.price_minor), 0, sum(round(u.price_minor * k.cents)), 0
  from ledger_transfer m join order_unit u on u.id = m.source_id and u.delivery = 'card_key' join shop_order o on o.id = u.order_id
    join order_line l on l.id = u.line_id left join product p on p.code = l.product cross join lateral (select ${ORDER_CENTS} as cents) as k
  where m.source = 'deliver' and m.at >= ${begins} and m.at < ${ends} group by 2, 3`

const taxes = ({ begins, ends }: Stretch) => sql`
  select 'tax', coalesce(b.country, '') || ' ' || b.basis_points, b.currency::text, count(*) filter (where b.gross_minor > 0), count(*) filter (where b.gross_minor < 0),
    sum(b.gross_minor), sum(b.tax_minor), sum(round(b.gross_minor * k.cents)), sum(round(b.tax_minor * k.cents))
  from tax_booking b join shop_order o on o.id = b.order_id cross join lateral (select ${ORDER_CENTS} as cents) as k
  where b.at >= ${begins} and b.at < ${ends} group by 2, 3`

/** How long purchases took that brought something, as figures count deliveries. */
const TIMED = sql`
  select t.supplier, t.currency, array_agg(coalesce(c.units, 0) order by b.bucket) as times
  from (select supplier, currency, max(bucket) as last from counted group by 1, 2) as t cross join lateral generate_series(0, t.last) as b (bucket)
    left join counted c on c.supplier = t.supplier and c.currency = t.currency and c.bucket = b.bucket group by 1, 2`

const counted = ({ begins, ends }: Stretch) => sql`
  select v.value as supplier, p.currency::text as currency,
    case when e.seconds < 1 then 0 else least(${LAST_BUCKET}::integer, 1 + floor(${BUCKETS_PER_DOUBLING}::float8 * ln(e.seconds) / ln(2::float8))::integer) end as bucket, count(*)::integer as units
  from purchase p cross join lateral (select greatest(0, extract(epoch from p.ended_at - p.created_at))::float8 as seconds) as e
    cross join lateral (values (p.supplier::text), (${TOTAL})) as v (value)
  where p.actual_minor is not null and p.supplier in (select code from supplier) and p.ended_at >= ${begins} and p.ended_at < ${ends} group by 1, 2, 3`

/** Adds a day up anew, by values and all of them together. What was there of it goes. */
export async function addUpDay(tx: Tx, day: Stretch): Promise<void> {
  const { begins } = day
  await sql`delete from tally where span = 'day' and begins = ${begins}`.execute(tx)
  await sql`
    with rates as materialized (${rates(day)}),
    counted as materialized (${counted(day)}),
    timed as (${TIMED}),
    found (subject, value, currency, done, failed, minor, part_minor, usd, part_usd) as (
      ${purchases(day)} union all ${bought(day)} union all ${sold(day)} union all ${taxes(day)}
    ),
    told as (
      select f.subject, v.value, f.currency, sum(f.done) as done, sum(f.failed) as failed, sum(f.minor) as minor, sum(f.part_minor) as part_minor, sum(f.usd) as usd, sum(f.part_usd) as part_usd
      from found f cross join lateral (values (f.value), (${TOTAL})) as v (value) group by 1, 2, 3
    )
    insert into tally (span, subject, begins, value, currency, done, failed, minor, part_minor, usd, part_usd, times)
    select 'day', f.subject, ${begins}::timestamptz, f.value, f.currency, f.done, f.failed, f.minor, f.part_minor, f.usd, f.part_usd, t.times
    from told f left join timed t on f.subject = 'purchase' and t.supplier = f.value and t.currency = f.currency`.execute(
    tx,
  )
}

/** Adds a month up of its days. */
export async function addUpMonth(tx: Tx, { begins, ends }: Stretch): Promise<void> {
  await sql`delete from tally where span = 'month' and begins = ${begins}`.execute(tx)
  await sql`
    with days as materialized (select * from tally where span = 'day' and begins >= ${begins} and begins < ${ends}),
    counted as (
      select d.subject, d.value, d.currency, t.bucket, sum(t.units)::integer as units from days d cross join lateral unnest(d.times) with ordinality as t (units, bucket) group by 1, 2, 3, 4
    ),
    timed as (select subject, value, currency, array_agg(units order by bucket) as times from counted group by 1, 2, 3)
    insert into tally (span, subject, begins, value, currency, done, failed, minor, part_minor, usd, part_usd, times)
    select 'month', s.subject, ${begins}::timestamptz, s.value, s.currency, s.done, s.failed, s.minor, s.part_minor, s.usd, s.part_usd, t.times from (
      select subject, value, currency, sum(done) as done, sum(failed) as failed, sum(minor) as minor, sum(part_minor) as part_minor, sum(usd) as usd, sum(part_usd) as part_usd
      from days group by 1, 2, 3
    ) as s left join timed t on t.subject = s.subject and t.value = s.value and t.currency = s.currency`.execute(
    tx,
  )
  await sql`insert into tally_month (begins) values (${begins}) on conflict do nothing`.execute(tx)
}
