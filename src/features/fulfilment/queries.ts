import { sql, type RawBuilder } from 'kysely'
import { lockOrderById, type LockedOrder } from '#features/order/queries.ts'
import type { UnitStatus } from '#features/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { MEASURED_DAYS, MEASURED_FROM, type HandUnit } from './rules.ts'

const LISTED_MAX = 200

/** What waits to be delivered by hand, longest paid first; what is held or in doubt is listed as such. */
export async function listHandUnits(db: Db): Promise<HandUnit[]> {
  return selectHandUnits(db, sql`true`)
}

export async function findHandUnit(db: Db | Tx, unitId: string): Promise<HandUnit | null> {
  return (await selectHandUnits(db, sql`u.id = ${unitId}`))[0] ?? null
}

async function selectHandUnits(db: Db | Tx, condition: RawBuilder<unknown>): Promise<HandUnit[]> {
  const { rows } = await sql<HandUnit>`
    select u.public_id as "unit", o.number as "orderNumber", u.status, l.product_name as product, l.item_name as item, l.item_code as "itemCode", u.unit_no as place,
      l.quantity, l.account_fields as fields, o.hold, o.settled_at as "paidAt", u.claimed_by as "claimedBy", u.claimed_until as "claimedUntil"
    from order_unit u join shop_order o on o.id = u.order_id join order_line l on l.id = u.line_id
    where u.delivery = 'direct_charge' and u.status in ('queued', 'delivering', 'in_doubt', 'failed') and o.settled_at is not null and ${condition}
    order by o.settled_at, u.id limit ${LISTED_MAX}`.execute(db)
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
      status: row.status as UnitStatus,
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
    where u.delivery = 'direct_charge' and u.status = 'queued' and o.settled_at is not null and o.hold is null
    order by o.settled_at, u.id limit 1 for no key update of o, u skip locked`.execute(tx)
  return rows[0]?.unit ?? null
}

/** Orders that hold units whose taker's time is over. */
export async function listExpiredClaims(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('order_unit')
    .select('public_id')
    .where('delivery', '=', 'direct_charge')
    .where('status', '=', 'delivering')
    .where('claimed_until', '<=', now)
    .orderBy('claimed_until')
    .limit(limit)
    .execute()
  return rows.map((row) => row.public_id)
}

/** Units that failed and whose price nobody has asked back yet, by order; not while another decision about the order is open. */
export async function listFailedUnits(
  db: Db,
  limit: number,
): Promise<{ readonly orderId: string; readonly unitIds: readonly string[] }[]> {
  const { rows } = await sql<{ orderId: string; unitIds: string[] }>`
    select o.id as "orderId", array_agg(u.id order by u.id) as "unitIds" from order_unit u join shop_order o on o.id = u.order_id
    where u.delivery = 'direct_charge' and u.status = 'failed' and (o.hold is null or o.hold = 'out_of_stock')
    group by o.id order by o.id limit ${limit}`.execute(db)
  return rows
}

/** Paid orders that wait for keys to come into stock, longest waiting first. */
export async function listShortOrders(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('shop_order')
    .select('id')
    .where('status', '=', 'processing')
    .where('hold', '=', 'out_of_stock')
    .where('settled_at', 'is not', null)
    .orderBy('settled_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
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
