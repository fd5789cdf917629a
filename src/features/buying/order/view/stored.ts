import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import type { TaxClass, UnitTax } from '#features/goods/tax/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Money } from '#kernel/money.ts'
import { sql, type Selectable } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { OrderLineTable, ShopOrderTable } from '#platform/tables.ts'
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
  readonly language: LanguageCode
  readonly country: string | null
  readonly goodsMinor: bigint
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  readonly taxBasisPoints: number
  readonly totalMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  /** Of an order that was paid in part: what of that is on its way back, or was given back. */
  readonly askedBackMinor: bigint
  /** No payment of it took money or still may: all have ended without, and none was a transfer, of which a shop learns last. */
  readonly isUncharged: boolean
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
  /** Of the wire contract; 0 for store credit. */
  readonly goodsType: OrderLineTable['goods_type']
  readonly delivery: 'card_key' | 'direct_charge' | 'store_credit'
  readonly productName: string
  readonly itemName: string
  readonly quantity: number
  readonly priceMinor: bigint
  readonly accountFields: Readonly<Record<string, string>>
  /** What was asked for of goods that are sold at any amount. */
  readonly amount: Money | null
  /** Of one unit; null where nothing was said of how it is taxed. */
  readonly tax: UnitTax | null
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
export async function findStoredOrder(
  db: Db,
  accountId: string,
  publicId: string,
): Promise<StoredOrder | null> {
  const row = await db
    .selectFrom('shop_order')
    .select('id')
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row ? ((await readStoredOrders(db, [row.id]))[0] ?? null) : null
}

interface LineRow extends Omit<StoredLine, 'priceMinor' | 'amount' | 'units' | 'tax'> {
  readonly orderId: string
  readonly priceMinor: string
  readonly amountMinor: string | null
  readonly amountCurrency: string | null
  readonly taxClass: TaxClass | null
  readonly taxBasisPoints: number | null
  readonly taxMinor: string | null
}
interface UnitRow extends StoredUnit {
  readonly lineId: string
}
type OfOrder<T> = T & { readonly orderId: string }

/** An order as lists show it: of its units, history and reviews nothing. */
export type ListedOrder = Omit<StoredOrder, 'events' | 'reviewed' | 'lines'> & {
  /** Some of its codes are there to be shown. */
  readonly hasCodes: boolean
  readonly lines: readonly ListedLine[]
}
export type ListedLine = Omit<StoredLine, 'units'>

/** Orders of these ids, in this order, as lists show them. */
export async function readListedOrders(db: Db, ids: readonly string[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return []
  const wanted = anyOf(ids)
  const [orders, lines, attempts, withCodes] = await Promise.all([
    readOrderRows(db, wanted),
    readLines(db, wanted),
    readAttempts(db, wanted),
    readWithCodes(db, ids),
  ])
  return inOrder(ids, orders).map((row) => ({
    ...orderOf(row, attempts),
    lines: lines.get(row.id) ?? [],
    hasCodes: withCodes.has(row.id),
  }))
}

/** One look an order: those with thousands of codes answer with their first. */
async function readWithCodes(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${[...ids]}::uuid[]) as wanted (id) where exists (
      select from order_unit u where u.order_id = wanted.id and u.delivery = 'card_key' and u.status = 'delivered')`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Orders of these ids, in this order, with six questions however many they are. */
export async function readStoredOrders(db: Db, ids: readonly string[]): Promise<StoredOrder[]> {
  if (ids.length === 0) return []
  const wanted = anyOf(ids)
  const [orders, lines, attempts, units, events, reviews] = await Promise.all([
    readOrderRows(db, wanted),
    readLines(db, wanted),
    readAttempts(db, wanted),
    sql<UnitRow>`select u.line_id as "lineId", u.id, u.public_id as "publicId", u.status, u.delivered_at as "deliveredAt", k.revealed_at as "revealedAt", k.used_at as "usedAt"
      from order_unit u left join card_key k on k.unit_id = u.id where u.order_id = ${wanted} order by u.unit_no`.execute(
      db,
    ),
    sql<
      OfOrder<StoredEvent>
    >`select order_id as "orderId", at, from_status as "from", to_status as "to", reason, details from order_event where order_id = ${wanted} order by seq`.execute(
      db,
    ),
    sql<
      OfOrder<{ brand: string }>
    >`select order_id as "orderId", brand from review where order_id = ${wanted}`.execute(db),
  ])
  const unitsOf = Map.groupBy(units.rows, ({ lineId }) => lineId)
  const eventsOf = Map.groupBy(events.rows, ({ orderId }) => orderId)
  const reviewsOf = Map.groupBy(reviews.rows, ({ orderId }) => orderId)
  return inOrder(ids, orders).map((row) => ({
    ...orderOf(row, attempts),
    events: eventsOf.get(row.id) ?? [],
    reviewed: (reviewsOf.get(row.id) ?? []).map(({ brand }) => brand),
    lines: (lines.get(row.id) ?? []).map((line) => ({
      ...line,
      units: unitsOf.get(line.id) ?? [],
    })),
  }))
}

const anyOf = (ids: readonly string[]) => sql`any(${[...ids]}::uuid[])`
type Wanted = ReturnType<typeof anyOf>
type OrderRow = Selectable<ShopOrderTable> & {
  readonly asked_back: string
  readonly is_uncharged: boolean
}

function readOrderRows(db: Db, wanted: Wanted): Promise<OrderRow[]> {
  const askedBack = sql<string>`case when o.hold = 'underpaid' then
    (select coalesce(sum(r.amount_minor), 0) from refund r where r.order_id = o.id and r.currency = o.currency and r.status not in ('failed', 'rejected')) else 0 end`
  const isUncharged = sql<boolean>`o.captured_minor = 0 and not exists (select from payment_attempt a
    where a.order_id = o.id and (a.status not in ('failed', 'voided', 'expired') or a.provider = ${BANK_TRANSFER}))`
  return db
    .selectFrom('shop_order as o')
    .selectAll('o')
    .select([askedBack.as('asked_back'), isUncharged.as('is_uncharged')])
    .where(sql<boolean>`o.id = ${wanted}`)
    .execute()
}

async function readLines(db: Db, wanted: Wanted): Promise<ReadonlyMap<string, ListedLine[]>> {
  const { rows } =
    await sql<LineRow>`select order_id as "orderId", id, item_code as "itemCode", product, goods_type as "goodsType", delivery, product_name as "productName",
    item_name as "itemName", quantity, price_minor as "priceMinor", account_fields as "accountFields",
    amount_minor::text as "amountMinor", amount_currency as "amountCurrency",
    tax_class as "taxClass", tax_basis_points as "taxBasisPoints", tax_minor::text as "taxMinor" from order_line where order_id = ${wanted} order by position`.execute(
      db,
    )
  return Map.groupBy(
    rows.map(({ amountMinor, amountCurrency, taxClass, taxBasisPoints, taxMinor, ...line }) => ({
      ...line,
      tax:
        taxClass === null || taxMinor === null
          ? null
          : { taxClass, basisPoints: taxBasisPoints ?? 0, minor: BigInt(taxMinor) },
      priceMinor: BigInt(line.priceMinor),
      amount:
        amountMinor === null || amountCurrency === null
          ? null
          : { minor: BigInt(amountMinor), currency: amountCurrency },
    })),
    ({ orderId }) => orderId,
  )
}

async function readAttempts(db: Db, wanted: Wanted): Promise<ReadonlyMap<string, StoredAttempt>> {
  const { rows } = await sql<
    OfOrder<StoredAttempt>
  >`select distinct on (order_id) order_id as "orderId", method, provider, status from payment_attempt where order_id = ${wanted}
    order by order_id, is_applied desc, (status in ('created', 'requires_action', 'seen', 'authorised')) desc, created_at desc, id desc`.execute(
    db,
  )
  return new Map(rows.map(({ orderId, ...attempt }) => [orderId, attempt]))
}

function inOrder(ids: readonly string[], rows: readonly OrderRow[]): OrderRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

function orderOf(row: OrderRow, attempts: ReadonlyMap<string, StoredAttempt>) {
  return {
    id: row.id,
    publicId: row.public_id,
    number: row.number,
    accountId: row.account_id,
    status: row.status,
    hold: row.hold,
    currency: row.currency,
    language: row.language,
    country: row.country,
    goodsMinor: BigInt(row.goods_minor),
    feeMinor: BigInt(row.fee_minor),
    taxMinor: BigInt(row.tax_minor),
    taxBasisPoints: row.tax_basis_points,
    totalMinor: BigInt(row.total_minor),
    capturedMinor: BigInt(row.captured_minor),
    refundedMinor: BigInt(row.refunded_minor),
    askedBackMinor: BigInt(row.asked_back),
    isUncharged: row.is_uncharged,
    settledAt: row.settled_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    attempt: attempts.get(row.id) ?? null,
  }
}
