import { sql, type RawBuilder } from 'kysely'
import { idAt } from '#kernel/uuid.ts'
import type { Tx } from '#platform/ctx.ts'
import { BUCKETS_PER_DOUBLING, COUNTS, LAST_BUCKET } from '../rules.ts'

/** An hour of the shop, or a day, or a month. */
export interface Hour {
  readonly begins: Date
  readonly ends: Date
}

const HOUR_MS = 3_600_000

/** Rows that were made within an hour, found by their ids, which are in the order of time but for a little. */
const madeIn = (row: string, { begins, ends }: Hour) =>
  sql`${sql.ref(`${row}.id`)} >= ${idAt(begins.getTime() - HOUR_MS)}::uuid and ${sql.ref(`${row}.id`)} < ${idAt(ends.getTime() + HOUR_MS)}::uuid
    and ${sql.ref(`${row}.created_at`)} >= ${begins} and ${sql.ref(`${row}.created_at`)} < ${ends}`

/** US cents of one minor unit, by the rates at the end of the hour. */
const rates = ({ ends }: Hour) => sql`
  select c.code, c.minor_units, power(10::numeric, 2 - c.minor_units) as cents,
    case when c.code = 'USD' then 1 else 1 / (
      select r.per_usd from currency_rate r where r.currency = c.code and coalesce(r.recorded_at, r.observed_at) < ${ends} order by r.observed_at desc limit 1
    ) end as usd
  from currency c`

/** Orders that something was paid, delivered or given back of, with the rate that they were made at. */
const DEALT = sql`
  select o.id, o.currency, coalesce(o.country, '') as country, coalesce(p.method::text, '') as method, o.settled_at,
    coalesce(r.cents * case when o.currency = 'USD' then 1 else coalesce((q.rate ->> 'denominator')::numeric / nullif((q.rate ->> 'numerator')::numeric, 0), r.usd) end, 0) as cents
  from shop_order o join rates r on r.code = o.currency
  left join payment_attempt p on p.order_id = o.id and p.is_applied
  cross join lateral (select jsonb_path_query_first(o.pricing, '$.rates[*] ? (@.currency == $code).per_usd', jsonb_build_object('code', o.currency)) as rate) q
  where o.id in (select id from paid union select order_id from sent union select order_id from back)`

/** What a unit cost and who it came from: of its purchase, of the batch of its key, or as the catalogue has it. */
const SOURCED = sql`
  select s.*, coalesce(bought.supplier::text, kept.supplier, '') as supplier, round(coalesce(bought.cost, kept.cost, listed.cost)) as cost_usd
  from sent s
  left join lateral (
    select p.supplier, p.actual_minor / p.quantity * r.cents * r.usd as cost
    from purchase_unit u join purchase p on p.id = u.purchase_id left join rates r on r.code = p.currency where u.unit_id = s.unit_id and u.is_done limit 1
  ) as bought on true
  left join lateral (
    select b.supplier, b.cost_minor * r.cents * r.usd as cost
    from card_key k join key_batch b on b.id = k.batch_id left join rates r on r.code = b.cost_currency where k.unit_id = s.unit_id
  ) as kept on true
  left join lateral (
    select i.cost_minor * r.cents * r.usd as cost from item i join rates r on r.code = i.cost_currency where i.id = s.item
  ) as listed on true`

/** What the shop bears of each unit of an order that less was taken for: all of them together are what stands in the books. */
const BORNE = sql`
  select e.unit_id, e.order_id, e.brand, round(e.usd * e.up_to / nullif(e.whole, 0)) - round(e.usd * (e.up_to - e.price) / nullif(e.whole, 0)) as usd
  from (
    select u.id as unit_id, u.order_id, coalesce(p.brand, '') as brand, u.price_minor::numeric as price, round(s.shortfall_minor * o.cents) as usd,
      sum(u.price_minor) over (partition by u.order_id order by u.id) as up_to, sum(u.price_minor) over (partition by u.order_id) as whole
    from dealt o join shop_order s on s.id = o.id and s.shortfall_minor > 0 join order_unit u on u.order_id = o.id
      join order_line l on l.id = u.line_id left join product p on p.code = l.product
  ) as e`

/** What facts of an order, a brand's unit and a delivered unit are told by; of each currency apart as well. */
const BY_ORDER = sql`('all', ''), ('currency', o.currency::text), ('country', o.country), ('method', o.method),
      ('currency_country', o.currency || ' ' || o.country), ('currency_method', o.currency || ' ' || o.method)`
const BY_BRAND = sql`('brand', s.brand), ('currency_brand', o.currency || ' ' || s.brand)`
const BY_SUPPLIER = sql`('supplier', s.supplier), ('currency_supplier', o.currency || ' ' || s.supplier)`

/** Each fact as a number of one kind, told for each dimension that it can be told by. */
const FACTS = sql`
  select d.dimension, d.value, n.name, n.count, 0::numeric as minor
  from made m cross join lateral (values ('all', ''), ('currency', m.currency::text), ('country', m.country), ('currency_country', m.currency || ' ' || m.country)) as d (dimension, value)
    cross join lateral (values ('begun', 1::numeric), ('begun_paid', m.is_paid::integer::numeric)) as n (name, count)
  union all select d.dimension, d.value, n.name, n.count, 0
  from (
    select coalesce(p.brand, '') as brand, m.currency, count(distinct m.id) as begun, count(distinct m.id) filter (where m.is_paid) as begun_paid
    from made m join order_line l on l.order_id = m.id left join product p on p.code = l.product where l.delivery <> 'store_credit' group by 1, 2
  ) as b cross join lateral (values ('brand', b.brand), ('currency_brand', b.currency || ' ' || b.brand)) as d (dimension, value)
    cross join lateral (values ('begun', b.begun::numeric), ('begun_paid', b.begun_paid::numeric)) as n (name, count)
  union all select d.dimension, d.value, n.name, n.count, 0
  from tried t cross join lateral (values ('method', t.method), ('currency_method', t.currency || ' ' || t.method)) as d (dimension, value) cross join lateral (values ('begun', 1::numeric), ('begun_paid', t.is_applied::integer::numeric)) as n (name, count)
  union all select d.dimension, d.value, n.name, n.count, case when d.dimension like 'currency%' then n.minor else 0 end
  from paid p join dealt o on o.id = p.id
    cross join lateral (select coalesce(sum(t.amount_minor), 0) as fee from moved t where t.source = 'settle' and t.leg = 1 and t.source_id = p.id) as f
    cross join lateral (values ${BY_ORDER}) as d (dimension, value)
    cross join lateral (values ('paid', 1::numeric, 0::numeric), ('fees_usd', round(f.fee * o.cents), f.fee)) as n (name, count, minor)
  union all select d.dimension, d.value, 'borne_usd', round(m.amount_minor * o.cents), 0
  from moved m join dealt o on m.source = 'shortfall' and o.id = m.source_id
    cross join lateral (values ${BY_ORDER}) as d (dimension, value)
  union all select d.dimension, d.value, 'borne_usd', s.usd, 0
  from borne s join paid p on p.id = s.order_id join dealt o on o.id = s.order_id cross join lateral (values ${BY_BRAND}) as d (dimension, value)
  union all select d.dimension, d.value, 'borne_usd', b.usd, 0
  from sourced s join borne b on b.unit_id = s.unit_id join dealt o on o.id = s.order_id cross join lateral (values ${BY_SUPPLIER}) as d (dimension, value)
  union all select d.dimension, d.value, 'paid', count(distinct s.order_id)::numeric, 0
  from sold s join dealt o on o.id = s.order_id cross join lateral (values ${BY_BRAND}) as d (dimension, value) group by 1, 2
  union all select d.dimension, d.value, n.name, n.count, case when d.dimension like 'currency%' then n.minor else 0 end
  from sold s join dealt o on o.id = s.order_id
    cross join lateral (values ${BY_ORDER}, ${BY_BRAND}) as d (dimension, value)
    cross join lateral (values ('units', 1::numeric, 0::numeric), ('sales_usd', round(s.price_minor * o.cents), s.price_minor)) as n (name, count, minor)
  union all select d.dimension, d.value, n.name, n.count, case when d.dimension = 'supplier' then 0 else n.minor end
  from sourced s join dealt o on o.id = s.order_id cross join lateral (values ${BY_SUPPLIER}) as d (dimension, value)
    cross join lateral (values ('units', 1::numeric, 0::numeric), ('sales_usd', round(s.price_minor * o.cents), s.price_minor)) as n (name, count, minor)
  union all select d.dimension, d.value, n.name, n.count, 0
  from sourced s join dealt o on o.id = s.order_id
    cross join lateral (values ${BY_ORDER}, ${BY_BRAND}, ${BY_SUPPLIER}) as d (dimension, value)
    cross join lateral (values ('delivered', 1::numeric), ('costed', (s.cost_usd is not null)::integer::numeric),
      ('costed_usd', case when s.cost_usd is null then 0 else round(s.price_minor * o.cents) end), ('cost_usd', coalesce(s.cost_usd, 0))) as n (name, count)
  union all select d.dimension, d.value, n.name, n.count, case when d.dimension like 'currency%' then n.minor else 0 end
  from back b join dealt o on o.id = b.order_id
    cross join lateral (values ${BY_ORDER}) as d (dimension, value)
    cross join lateral (values ('refunds', b.is_new::integer::numeric, 0::numeric), ('refunded_usd', round(b.minor * o.cents), b.minor)) as n (name, count, minor)
  union all select d.dimension, d.value, n.name, n.count, case when d.dimension = 'brand' then 0 else n.minor end
  from (
    select coalesce(p.brand, '') as brand, o.currency, b.id, b.is_new, sum(round(u.price_minor * o.cents)) * sign(b.minor) as usd, sum(u.price_minor) * sign(b.minor) as minor
    from back b join dealt o on o.id = b.order_id join refund_unit r on r.refund_id = b.id join order_unit u on u.id = r.unit_id
      join order_line l on l.id = u.line_id left join product p on p.code = l.product group by 1, 2, b.id, b.is_new, b.minor
  ) as u cross join lateral (values ('brand', u.brand), ('currency_brand', u.currency || ' ' || u.brand)) as d (dimension, value)
    cross join lateral (values ('refunds', u.is_new::integer::numeric, 0::numeric), ('refunded_usd', u.usd, u.minor)) as n (name, count, minor)`

/** Counts of units by how long they took, for each dimension and value. */
const TIMED = sql`
  select t.dimension, t.value, array_agg(coalesce(c.units, 0) order by b.bucket) as times
  from (select dimension, value, max(bucket) as last from counted group by dimension, value) as t
    cross join lateral generate_series(0, t.last) as b (bucket)
    left join counted c on c.dimension = t.dimension and c.value = t.value and c.bucket = b.bucket
  group by t.dimension, t.value`

const COUNTED = sql`
  select d.dimension, d.value, case when e.seconds < 1 then 0 else least(${LAST_BUCKET}::integer, 1 + floor(${BUCKETS_PER_DOUBLING}::float8 * ln(e.seconds) / ln(2::float8))::integer) end as bucket,
    count(*)::integer as units
  from sourced s join dealt o on o.id = s.order_id
    cross join lateral (select greatest(0, extract(epoch from s.at - o.settled_at))::float8 as seconds) as e
    cross join lateral (values ${BY_ORDER}, ${BY_BRAND}, ${BY_SUPPLIER}) as d (dimension, value)
  where o.settled_at is not null group by 1, 2, 3`

const summed = (name: string, column: 'count' | 'minor'): RawBuilder<unknown> =>
  sql`coalesce(sum(${sql.ref(`f.${column}`)}) filter (where f.name = ${name}::text), 0)`

/** Adds an hour up anew. What was there of it goes. */
export async function addUpHour(tx: Tx, hour: Hour): Promise<void> {
  const { begins, ends } = hour
  await sql`delete from figure where span = 'hour' and begins = ${begins}`.execute(tx)
  if (await isQuiet(tx, hour)) return
  const counts = sql.join(COUNTS.map((count) => summed(count, 'count')))
  await sql`
    with rates as materialized (${rates(hour)}),
    moved as materialized (
      select source, source_id, leg, amount_minor, at from ledger_transfer
      where at >= ${begins} and at < ${ends} and source in ('settle', 'shortfall', 'deliver', 'refund', 'refund_undone', 'refund_rest', 'refund_rest_undone')
    ),
    made as materialized (
      select o.id, o.currency, coalesce(o.country, '') as country, o.settled_at is not null as is_paid from shop_order o where ${madeIn('o', hour)}
    ),
    tried as materialized (select p.method::text as method, p.currency, p.is_applied from payment_attempt p where ${madeIn('p', hour)}),
    paid as materialized (select distinct source_id as id from moved where source = 'settle'),
    sold as materialized (
      select u.order_id, u.price_minor, coalesce(p.brand, '') as brand
      from paid join order_unit u on u.order_id = paid.id join order_line l on l.id = u.line_id left join product p on p.code = l.product where u.delivery <> 'store_credit'
    ),
    sent as materialized (
      select u.id as unit_id, u.order_id, u.item, u.price_minor, coalesce(p.brand, '') as brand, m.at
      from moved m join order_unit u on u.id = m.source_id join order_line l on l.id = u.line_id left join product p on p.code = l.product
      where m.source = 'deliver' and u.delivery <> 'store_credit'
    ),
    back as materialized (
      select r.id, r.order_id, sum(m.amount_minor * case when m.source in ('refund', 'refund_rest_undone') then 1 else -1 end) as minor, bool_or(m.source = 'refund') and not exists (select from refund_part n where n.refund_id = r.id) as is_new
      from moved m join refund r on r.id = m.source_id where m.source like 'refund%' and r.purpose <> 'surplus' group by r.id, r.order_id
    ),
    dealt as materialized (${DEALT}),
    sourced as materialized (${SOURCED}),
    borne as materialized (${BORNE}),
    facts as (${FACTS}),
    counted as materialized (${COUNTED}),
    timed as (${TIMED})
    insert into figure (span, begins, dimension, value, ${sql.join(COUNTS.map((count) => sql.ref(count)))}, sales_minor, fees_minor, refunded_minor, times)
    select 'hour', ${begins}::timestamptz, f.dimension, f.value, ${counts}, ${summed('sales_usd', 'minor')}, ${summed('fees_usd', 'minor')}, ${summed('refunded_usd', 'minor')},
      (select t.times from timed t where t.dimension = f.dimension and t.value = f.value)
    from facts f group by f.dimension, f.value`.execute(tx)
}

/** Nothing happened: of a small shop that is most of its hours. */
async function isQuiet(tx: Tx, hour: Hour): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select not (exists (select from ledger_transfer where at >= ${hour.begins} and at < ${hour.ends})
      or exists (select from shop_order o where ${madeIn('o', hour)}) or exists (select from payment_attempt p where ${madeIn('p', hour)})) as is`.execute(
    tx,
  )
  return rows[0]?.is ?? false
}

const PARTS = { day: 'hour', month: 'day' } as const

/** Adds a day up of its hours, or a month of its days. */
export async function addUpParts(
  tx: Tx,
  span: keyof typeof PARTS,
  { begins, ends }: Hour,
): Promise<void> {
  await sql`delete from figure where span = ${span} and begins = ${begins}`.execute(tx)
  const names = [...COUNTS, 'sales_minor', 'fees_minor', 'refunded_minor']
  await sql`
    with parts as materialized (select * from figure where span = ${PARTS[span]} and begins >= ${begins} and begins < ${ends}),
    counted as (
      select p.dimension, p.value, t.bucket, sum(t.units)::integer as units from parts p cross join lateral unnest(p.times) with ordinality as t (units, bucket) group by 1, 2, 3
    ),
    timed as (select dimension, value, array_agg(units order by bucket) as times from counted group by 1, 2)
    insert into figure (span, begins, dimension, value, ${sql.join(names.map((name) => sql.ref(name)))}, times)
    select ${span}::text, ${begins}::timestamptz, s.*, t.times from (
      select p.dimension, p.value, ${sql.join(names.map((name) => sql`sum(${sql.ref(`p.${name}`)})`))} from parts p group by p.dimension, p.value
    ) as s left join timed t on t.dimension = s.dimension and t.value = s.value`.execute(tx)
}
