import { sql, type RawBuilder } from 'kysely'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import type { UnitStatus } from '#features/buying/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Part } from '#kernel/page.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { MEASURED_DAYS, MEASURED_FROM, RESTOCK_HOURS, type HandUnit } from './rules.ts'

const LISTED_MAX = 200

/** Nobody is asked to deliver it: a supplier is, or was and has yet to answer. */
const NO_SUPPLIER = sql`not exists (select from supply_queue q where q.unit_id = u.id) and not exists (select from purchase_unit n where n.unit_id = u.id and n.is_live)`

/** What waits to be delivered by hand, longest paid first, behind the public id of one; what is held or in doubt is listed as such. */
export async function listHandUnits(
  db: Db,
  { after, limit }: Part = { after: null, limit: LISTED_MAX },
): Promise<HandUnit[]> {
  const behind =
    after === null
      ? sql`true`
      : sql`(o.settled_at, u.id) > (select paid.settled_at, last.id from order_unit last join shop_order paid on paid.id = last.order_id where last.public_id = ${after})`
  return selectHandUnits(db, behind, limit)
}

/** What an operator has taken up, and the unit that they ask for by its public id where it waits. */
export function listHandUnitsOf(
  db: Db,
  operator: string,
  unit: string | null,
): Promise<HandUnit[]> {
  return selectHandUnits(
    db,
    sql`((u.status = 'delivering' and u.claimed_by = ${operator}) or u.public_id = ${unit})`,
  )
}

export async function findHandUnit(db: Db | Tx, unitId: string): Promise<HandUnit | null> {
  return (await selectHandUnits(db, sql`u.id = ${unitId}`))[0] ?? null
}

async function selectHandUnits(
  db: Db | Tx,
  condition: RawBuilder<unknown>,
  limit = LISTED_MAX,
): Promise<HandUnit[]> {
  const { rows } = await sql<HandUnit>`
    select u.public_id as "unit", o.number as "orderNumber", u.status, l.product_name as product, l.item_name as item, l.item_code as "itemCode", u.unit_no as place,
      l.quantity, l.account_fields as fields, o.hold, o.settled_at as "paidAt", u.claimed_by as "claimedBy", u.claimed_until as "claimedUntil"
    from order_unit u join shop_order o on o.id = u.order_id join order_line l on l.id = u.line_id
    where u.delivery = 'direct_charge' and u.status in ('queued', 'delivering', 'in_doubt', 'failed') and o.settled_at is not null and ${NO_SUPPLIER} and ${condition}
    order by o.settled_at, u.id limit ${limit}`.execute(db)
  return rows
}

export interface LockedUnit {
  readonly id: string
  readonly publicId: string
  readonly status: UnitStatus
  readonly priceMinor: bigint
  readonly claimedBy: string | null
  readonly claimedUntil: Date | null
  readonly proof: string | null
  /** Its line's place in the order. */
  readonly line: number
}

/** Whether a unit is a supplier's matter. Its order is locked. */
export async function hasSupplier(tx: Tx, unitId: string): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean
  }>`select not (${NO_SUPPLIER}) as has from order_unit u where u.id = ${unitId}`.execute(tx)
  return rows[0]?.has ?? false
}

/** A unit that is delivered by hand, with its order, locked: order first. Throws 'not_found'. */
export async function lockHandUnit(
  tx: Tx,
  publicId: string,
): Promise<{ readonly order: LockedOrder; readonly unit: LockedUnit }> {
  const known = await tx
    .selectFrom('order_unit')
    .select('order_id')
    .where('public_id', '=', publicId)
    .where('delivery', '=', 'direct_charge')
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const order = await lockOrderById(tx, known.order_id)
  const row = await tx
    .selectFrom('order_unit as u')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .select([
      'u.id',
      'u.public_id',
      'u.status',
      'u.price_minor',
      'u.claimed_by',
      'u.claimed_until',
      'u.proof',
      'l.position',
    ])
    .where('u.public_id', '=', publicId)
    .forNoKeyUpdate('u')
    .executeTakeFirstOrThrow()
  return {
    order,
    unit: {
      id: row.id,
      publicId: row.public_id,
      status: row.status,
      priceMinor: BigInt(row.price_minor),
      claimedBy: row.claimed_by,
      claimedUntil: row.claimed_until,
      proof: row.proof,
      line: row.position,
    },
  }
}

/** The unit that has waited longest of those nobody has taken up; orders that somebody else works on are passed over. */
export async function nextHandUnit(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ unit: string }>`
    select u.public_id as unit from shop_order o join order_unit u on u.order_id = o.id
    where u.delivery = 'direct_charge' and u.status = 'queued' and o.settled_at is not null and o.hold is null and ${NO_SUPPLIER}
    order by o.settled_at, u.id limit 1 for no key update of o, u skip locked`.execute(tx)
  return rows[0]?.unit ?? null
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

export interface ExpiredClaim {
  readonly publicId: string
  readonly since: string
}

/** Units whose taker's time is over, behind `last`. */
export async function listExpiredClaims(
  db: Db,
  now: Date,
  last: ExpiredClaim | null,
  limit: number,
): Promise<ExpiredClaim[]> {
  const { rows } = await sql<ExpiredClaim>`
    select public_id as "publicId", claimed_until::text as since from order_unit
    where delivery = 'direct_charge' and status in ('queued', 'delivering', 'in_doubt', 'failed') and status = 'delivering' and claimed_until <= ${now}
      and (claimed_until, public_id) > (${last?.since ?? '-infinity'}::timestamptz, ${last?.publicId ?? ''}) order by claimed_until, public_id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Units that somebody has taken up. */
export async function listClaimedBy(tx: Tx, name: string): Promise<string[]> {
  const { rows } = await sql<{ publicId: string }>`
    select public_id as "publicId" from order_unit
    where delivery = 'direct_charge' and status in ('queued', 'delivering', 'in_doubt', 'failed') and status = 'delivering' and claimed_by = ${name}
    order by public_id`.execute(tx)
  return rows.map(({ publicId }) => publicId)
}

export interface FailedUnits {
  readonly orderId: string
  readonly unitIds: readonly string[]
}

/** Units that failed and whose price nobody has asked back yet, by order, behind `last`; not while another decision about the order is open. */
export async function listFailedUnits(
  db: Db,
  last: FailedUnits | null,
  limit: number,
): Promise<FailedUnits[]> {
  const { rows } = await sql<FailedUnits>`
    select o.id as "orderId", array_agg(u.id order by u.id) as "unitIds" from order_unit u join shop_order o on o.id = u.order_id
    where (u.delivery = 'direct_charge' or u.to_order) and u.status = 'failed' and (o.hold is null or o.hold = 'out_of_stock') and not exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed) and o.id > ${last?.orderId ?? NO_ID}::uuid
    group by o.id order by o.id limit ${limit}`.execute(db)
  return rows
}

export interface ShortOrder {
  readonly orderId: string
  readonly since: string
}

/**
 * Paid orders that wait for keys, longest waiting first, behind `last`: those for which one is there now, was bound before or can be bought, and those
 * that have waited long enough. The others would only be looked at in vain, minute by minute.
 */
export async function listShortOrders(
  db: Db,
  now: Date,
  last: ShortOrder | null,
  limit: number,
): Promise<ShortOrder[]> {
  const { rows } = await sql<ShortOrder>`
    select o.id as "orderId", o.settled_at::text as since from shop_order o
    where o.status = 'processing' and o.hold = 'out_of_stock' and o.settled_at is not null
      and not exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed) and (o.settled_at, o.id) > (${last?.since ?? '-infinity'}::timestamptz, ${last?.orderId ?? NO_ID}::uuid)
      and (o.settled_at < ${new Date(now.getTime() - RESTOCK_HOURS * 3_600_000)} or exists (
        select from order_unit u where u.order_id = o.id and u.delivery = 'card_key' and u.status = 'queued' and (
          exists (select from card_key k where k.unit_id = u.id) or exists (select from card_key k where k.item = u.item and k.status = 'free') or is_made_to_order(u.item, ${now}))))
    order by o.settled_at, o.id limit ${limit}`.execute(db)
  return rows
}

export interface DeliveryTime {
  readonly brand: string
  readonly deliveries: number
  readonly p50Seconds: number
  readonly p95Seconds: number
}

/** From payment to delivery, by brand, where enough was delivered lately. Reads every delivery of these days: for the schedule. */
export async function deliveryTimes(db: Db | Tx, now: Date): Promise<DeliveryTime[]> {
  const since = new Date(now.getTime() - MEASURED_DAYS * 86_400_000)
  const { rows } = await sql<DeliveryTime>`
    select p.brand, count(*)::integer as deliveries,
      ceil(percentile_cont(0.5) within group (order by took.seconds))::integer as "p50Seconds", ceil(percentile_cont(0.95) within group (order by took.seconds))::integer as "p95Seconds"
    from order_unit u join shop_order o on o.id = u.order_id join item i on i.id = u.item join product p on p.code = i.product
    cross join lateral (select greatest(extract(epoch from u.delivered_at - o.settled_at), 0) as seconds) as took
    where u.delivered_at >= ${since} and o.settled_at is not null
    group by p.brand having count(*) >= ${MEASURED_FROM} order by p.brand`.execute(db)
  return rows
}
