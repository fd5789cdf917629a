import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Hold, OrderStatus, UnitStatus } from '../rules.ts'

/** An order with everything its buyer is shown of it. Amounts in minor units of its currency. */
export interface StoredOrder {
  readonly id: string
  readonly publicId: string
  readonly number: string
  readonly accountId: string
  readonly status: OrderStatus
  readonly hold: Hold | null
  readonly currency: string
  readonly language: string
  readonly country: string | null
  readonly goodsMinor: bigint
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  readonly taxBasisPoints: number
  readonly totalMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly settledAt: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly lines: readonly StoredLine[]
  /** The one that counts: which paid, else the open one, else the last. */
  readonly attempt: StoredAttempt | null
  readonly events: readonly StoredEvent[]
  /** Brands its buyer has reviewed for it. */
  readonly reviewed: readonly string[]
}

export interface StoredLine {
  readonly id: string
  /** Null for store credit. */
  readonly itemCode: string | null
  readonly product: string | null
  readonly goodsType: number | null
  readonly delivery: 'card_key' | 'direct_charge' | 'store_credit'
  readonly productName: string
  readonly itemName: string
  readonly quantity: number
  readonly priceMinor: bigint
  readonly accountFields: Readonly<Record<string, string>>
  readonly units: readonly StoredUnit[]
}

export interface StoredUnit {
  readonly id: string
  readonly publicId: string
  readonly status: UnitStatus
  readonly deliveredAt: Date | null
  readonly revealedAt: Date | null
  readonly usedAt: Date | null
}

export interface StoredAttempt {
  readonly method: string
  readonly provider: string
  readonly status: string
}

export interface StoredEvent {
  readonly at: Date
  readonly from: OrderStatus | null
  readonly to: OrderStatus
  readonly reason: string
  readonly details: Readonly<Record<string, string | number>>
}

/** A shopper's order by its public id; null for what is not theirs. */
export async function findStoredOrder(db: Db, accountId: string, publicId: string): Promise<StoredOrder | null> {
  const row = await db.selectFrom('shop_order').select('id').where('account_id', '=', accountId).where('public_id', '=', publicId).executeTakeFirst()
  return row ? ((await readStoredOrders(db, [row.id]))[0] ?? null) : null
}

interface LineRow extends Omit<StoredLine, 'priceMinor' | 'units'> {
  readonly orderId: string
  readonly priceMinor: string
}
interface UnitRow extends StoredUnit {
  readonly lineId: string
}
type OfOrder<T> = T & { readonly orderId: string }

/** Orders of these ids, in this order, with five questions however many they are. */
export async function readStoredOrders(db: Db, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return []
  const wanted = sql`any(${[...ids]}::uuid[])`
  const [orders, lines, units, attempts, events, reviews] = await Promise.all([
    db.selectFrom('shop_order').selectAll().where(sql<boolean>`id = ${wanted}`).execute(),
    sql<LineRow>`select order_id as "orderId", id, item_code as "itemCode", product, goods_type as "goodsType", delivery, product_name as "productName", item_name as "itemName",
      quantity, price_minor as "priceMinor", account_fields as "accountFields" from order_line where order_id = ${wanted} order by position`.execute(db),
    sql<UnitRow>`select u.line_id as "lineId", u.id, u.public_id as "publicId", u.status, u.delivered_at as "deliveredAt", k.revealed_at as "revealedAt", k.used_at as "usedAt"
      from order_unit u left join card_key k on k.unit_id = u.id where u.order_id = ${wanted} order by u.unit_no`.execute(db),
    sql<OfOrder<StoredAttempt>>`select distinct on (order_id) order_id as "orderId", method, provider, status from payment_attempt where order_id = ${wanted}
      order by order_id, is_applied desc, (status in ('created', 'requires_action', 'seen', 'authorised')) desc, created_at desc, id desc`.execute(db),
    sql<OfOrder<StoredEvent>>`select order_id as "orderId", at, from_status as "from", to_status as "to", reason, details from order_event where order_id = ${wanted} order by seq`.execute(db),
    sql<OfOrder<{ brand: string }>>`select order_id as "orderId", brand from review where order_id = ${wanted}`.execute(db),
  ])
  const unitsOf = Map.groupBy(units.rows, ({ lineId }) => lineId)
  const linesOf = Map.groupBy(lines.rows, ({ orderId }) => orderId)
  const eventsOf = Map.groupBy(events.rows, ({ orderId }) => orderId)
  const reviewsOf = Map.groupBy(reviews.rows, ({ orderId }) => orderId)
  const attemptOf = new Map(attempts.rows.map((row) => [row.orderId, row]))
  const byId = new Map(orders.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return [{
      id, publicId: row.public_id, number: row.number, accountId: row.account_id, status: row.status as OrderStatus, hold: row.hold as Hold | null, currency: row.currency,
      language: row.language, country: row.country, goodsMinor: BigInt(row.goods_minor), feeMinor: BigInt(row.fee_minor), taxMinor: BigInt(row.tax_minor),
      taxBasisPoints: row.tax_basis_points, totalMinor: BigInt(row.total_minor), capturedMinor: BigInt(row.captured_minor), refundedMinor: BigInt(row.refunded_minor),
      settledAt: row.settled_at, expiresAt: row.expires_at, createdAt: row.created_at, attempt: attemptOf.get(id) ?? null, events: eventsOf.get(id) ?? [],
      reviewed: (reviewsOf.get(id) ?? []).map(({ brand }) => brand),
      lines: (linesOf.get(id) ?? []).map((line) => ({ ...line, priceMinor: BigInt(line.priceMinor), units: unitsOf.get(line.id) ?? [] })),
    }]
  })
}
