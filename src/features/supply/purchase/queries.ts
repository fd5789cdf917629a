import { sql } from 'kysely'
import type { UnitStatus } from '#features/buying/order/rules.ts'
import { assert, present } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Money } from '#kernel/money.ts'
import type { SupplyKind } from '#features/supply/routing/rules.ts'
import type { PurchaseStatus } from './rules.ts'

export {
  isQueuePlace,
  listCases,
  listDoubts,
  listQueued,
} from './read/for-operators.ts'

/** What a supplier is told of a purchase, and asked about it. */
export interface PurchaseRequest {
  readonly reference: string
  readonly kind: SupplyKind
  readonly product: string
  readonly quantity: number
  readonly face: Money | null
  readonly fields: Readonly<Record<string, string>>
  readonly maxCost: Money
  readonly token: string | null
  readonly buyerAddress: string | null
}

/** An attempt as it stands, with all that the supplier was or is told. */
export interface Purchase {
  readonly id: string
  readonly supplier: string
  readonly supplierId: string | null
  readonly orderId: string
  readonly item: string
  readonly status: PurchaseStatus
  readonly asked: number
  readonly createdAt: Date
  readonly currency: string
  readonly expectedMinor: bigint
  readonly maxMinor: bigint
  readonly actualMinor: bigint | null
  readonly failureClass: string | null
  /** As it was handed to the supplier. */
  readonly told: PurchaseRequest
}

interface Row {
  id: string
  reference: string
  supplier: string
  supplier_id: string | null
  order_id: string
  item: string
  status: PurchaseStatus
  kind: SupplyKind
  product: string
  quantity: number
  face_minor: string | null
  face_currency: string | null
  fields: Record<string, string>
  currency: string
  expected_minor: string
  max_minor: string
  actual_minor: string | null
  failure_class: string | null
  asked: number
  created_at: Date
}

export function purchaseOf(row: Row): Purchase {
  const { currency } = row
  return {
    id: row.id,
    supplier: row.supplier,
    supplierId: row.supplier_id,
    orderId: row.order_id,
    item: row.item,
    status: row.status,
    asked: row.asked,
    createdAt: row.created_at,
    currency,
    expectedMinor: BigInt(row.expected_minor),
    maxMinor: BigInt(row.max_minor),
    actualMinor: row.actual_minor === null ? null : BigInt(row.actual_minor),
    failureClass: row.failure_class,
    told: {
      reference: row.reference,
      kind: row.kind,
      product: row.product,
      quantity: row.quantity,
      face:
        row.face_minor === null || row.face_currency === null
          ? null
          : { minor: BigInt(row.face_minor), currency: row.face_currency },
      fields: row.fields,
      maxCost: { minor: BigInt(row.max_minor), currency },
      token: null,
      buyerAddress: null,
    },
  }
}

const COLUMNS = sql`p.id, p.reference, p.supplier, p.supplier_id, p.order_id, p.item, p.status, p.kind, p.product, p.quantity, p.face_minor::text, p.face_currency, p.fields, p.currency,
  p.expected_minor::text, p.max_minor::text, p.actual_minor::text, p.failure_class, p.asked, p.created_at`

/** Its order is locked by the caller. */
export async function lockPurchase(tx: Tx, id: string): Promise<Purchase> {
  const { rows } =
    await sql<Row>`select ${COLUMNS} from purchase p where p.id = ${id} for no key update`.execute(
      tx,
    )
  if (!rows[0]) throw new AppError('not_found')
  return purchaseOf(rows[0])
}

export async function getPurchase(db: Db | Tx, id: string): Promise<Purchase> {
  const { rows } = await sql<Row>`select ${COLUMNS} from purchase p where p.id = ${id}`.execute(db)
  if (!rows[0]) throw new AppError('not_found')
  return purchaseOf(rows[0])
}

/** What a purchase is of, by our reference; null where there is none. */
export async function findItemOf(
  db: Db,
  reference: string,
): Promise<{ readonly id: string; readonly item: string } | null> {
  const row = await db
    .selectFrom('purchase')
    .select(['id', 'item'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row ?? null
}

export async function findSupplierOf(db: Db, reference: string): Promise<string | null> {
  const row = await db
    .selectFrom('purchase')
    .select('supplier')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.supplier ?? null
}

/** Whether that name of the supplier's stands for another purchase of ours. */
export async function isAnothers(
  tx: Tx,
  purchase: Pick<Purchase, 'id' | 'supplier'>,
  supplierId: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('purchase')
    .select('id')
    .where('supplier', '=', purchase.supplier)
    .where('supplier_id', '=', supplierId)
    .where('id', '<>', purchase.id)
    .executeTakeFirst()
  return row !== undefined
}

/** A unit that a supplier delivers, in its locked order. */
export interface SuppliedUnit {
  readonly id: string
  readonly publicId: string
  readonly status: UnitStatus
  readonly item: string
  readonly priceMinor: bigint
  /** Its line's place in the order. */
  readonly line: number
  readonly lineId: string
  readonly fields: Readonly<Record<string, string>>
  /** A card, which arrives as a key; else an account is credited. */
  readonly isCard: boolean
}

type UnitRow = Omit<SuppliedUnit, 'priceMinor'> & { readonly price: string }

const UNIT_COLUMNS = sql`u.id, u.public_id as "publicId", u.status, u.item, u.price_minor::text as price, l.position as line, l.id as "lineId", l.account_fields as fields, u.delivery = 'card_key' as "isCard"`

function unitOf(row: UnitRow): SuppliedUnit {
  const { price, ...rest } = row
  return { ...rest, priceMinor: BigInt(price) }
}

/** The units of an attempt, all of one line, locked after their order. */
export async function lockUnitsOf(tx: Tx, purchaseId: string): Promise<readonly SuppliedUnit[]> {
  const { rows } = await sql<UnitRow>`
    select ${UNIT_COLUMNS} from purchase_unit n join order_unit u on u.id = n.unit_id join order_line l on l.id = u.line_id
    where n.purchase_id = ${purchaseId} order by u.id for no key update of u`.execute(tx)
  assert(rows.length > 0, 'a purchase has a unit')
  return rows.map(unitOf)
}

/**
 * Other cards of the same line that wait for the same supplier, as long as nothing was tried for any of them: they may be bought together.
 * What was tried before is tried alone, as one of many may have failed for the others' sake.
 */
export async function lockBeside(
  tx: Tx,
  unit: SuppliedUnit,
  supplier: string,
  now: Date,
  limit: number,
): Promise<readonly SuppliedUnit[]> {
  if (!unit.isCard || limit <= 0) return []
  const { rows } = await sql<UnitRow>`
    select ${UNIT_COLUMNS} from supply_queue q join order_unit u on u.id = q.unit_id join order_line l on l.id = u.line_id
    where u.line_id = ${unit.lineId} and u.id <> ${unit.id} and u.to_order and u.status = 'queued' and q.supplier = ${supplier} and q.held is null and not q.is_allowed and q.allowed_minor is null and q.due_at <= ${now}
      and not exists (select from purchase_unit n where n.unit_id in (u.id, ${unit.id})) order by u.id limit ${limit} for no key update of q, u`.execute(
    tx,
  )
  return rows.map(unitOf)
}

/** A unit that waits for a supplier, with its place in the queue, locked after its order; null where it waits no more, or for a person. */
export async function lockQueued(
  tx: Tx,
  unitId: string,
): Promise<{
  readonly unit: SuppliedUnit
  /** That a person lets it cost more than it may, and up to what, where they said; null where nobody does. */
  readonly allowance: { readonly upTo: Money | null } | null
} | null> {
  const { rows } = await sql<
    UnitRow & { isAllowed: boolean; allowed: string | null; allowedCurrency: string | null }
  >`
    select ${UNIT_COLUMNS}, q.is_allowed as "isAllowed", q.allowed_minor::text as allowed, q.allowed_currency as "allowedCurrency" from supply_queue q join order_unit u on u.id = q.unit_id join order_line l on l.id = u.line_id
    where q.unit_id = ${unitId} and q.held is null for no key update of q, u`.execute(tx)
  const [row] = rows
  if (!row) return null
  const { isAllowed, allowed, allowedCurrency: currency } = row
  const upTo = allowed === null || currency === null ? null : { minor: BigInt(allowed), currency }
  return { unit: unitOf(row), allowance: isAllowed || upTo !== null ? { upTo } : null }
}

/** Whether anything but that purchase is done, or may yet be done, about a unit. */
export async function isBeingBought(tx: Tx, unitId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('purchase_unit')
    .select('purchase_id')
    .where('unit_id', '=', unitId)
    .where((each) => each.or([each('is_live', '=', true), each('is_done', '=', true)]))
    .executeTakeFirst()
  return row !== undefined
}

/** How often a supplier refused a unit as too cheap, and how often it failed for good anywhere. */
export async function countFailures(
  tx: Tx,
  unitId: string,
  supplier: string,
): Promise<{ readonly priceRefusals: number; readonly failures: number }> {
  const { rows } = await sql<{ priceRefusals: number; failures: number }>`
    select (count(*) filter (where p.failure_class = 'price' and p.supplier = ${supplier}))::integer as "priceRefusals",
      (count(*) filter (where p.failure_class in ('price', 'stock') or (p.failure_class = 'supplier' and p.failure_code <> 'not_sent')))::integer as failures
    from purchase_unit n join purchase p on p.id = n.purchase_id where n.unit_id = ${unitId} and p.status = 'failed'`.execute(
    tx,
  )
  return present(rows[0], 'a count is a row')
}

/** When the first was made of a unit's last purchases in a row that were told to come later, or reached nobody; null where the last was none. */
export async function findWaitStart(tx: Tx, unitId: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    with failed as (
      select p.created_at, p.failure_class = 'wait' or (p.failure_class = 'supplier' and p.failure_code = 'not_sent') as waits
      from purchase_unit n join purchase p on p.id = n.purchase_id where n.unit_id = ${unitId} and p.status = 'failed'
    )
    select min(created_at) as since from failed where waits and created_at > coalesce((select max(created_at) from failed where not waits), '-infinity')`.execute(
    tx,
  )
  return rows[0]?.since ?? null
}

/** A unit whose turn came so long ago, or a purchase that was to be asked about, waits for a supplier that this shop does not run. */
const STUCK_MS = 15 * 60_000

export interface UnaskedPurchase {
  readonly id: string
  readonly orderId: string
  readonly supplier: string
  readonly askAt: string
}

const UNASKED_A_PAGE = 100

/** Purchases that were to be asked about so long ago that nobody will, of suppliers other than these. */
export async function listUnasked(
  db: Db,
  suppliers: readonly string[],
  now: Date,
  last: UnaskedPurchase | null,
): Promise<UnaskedPurchase[]> {
  const { rows } = await sql<UnaskedPurchase>`
    select id, order_id as "orderId", supplier, next_ask_at::text as "askAt" from purchase
    where next_ask_at < ${new Date(now.getTime() - STUCK_MS)} and supplier <> all(${[...suppliers]}::text[])
      and (next_ask_at, id) > (${last?.askAt ?? '-infinity'}::timestamptz, ${last?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
    order by next_ask_at, id limit ${UNASKED_A_PAGE}`.execute(db)
  return rows
}

/** What waits for a person of what suppliers deliver. */
export async function countSupplyWork(db: Db, now: Date): Promise<number> {
  const stuck = new Date(now.getTime() - STUCK_MS)
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from purchase where status = 'doubt')::integer + (select count(*) from purchase where next_ask_at < ${stuck} and status <> 'doubt')::integer + (select count(*) from supply_case where closed_at is null)::integer
      + (select count(*) from supply_queue where held is not null or due_at < ${stuck})::integer + (select count(*) from supplier where rests_for = 'ours')::integer as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export interface SupplierBooks {
  readonly supplier: string
  readonly currency: string
  readonly prepaid: string
  readonly reserved: string
  readonly cost: string
  readonly losses: string
}

/** What the books say of each supplier and currency. Reads every movement there: for operators, not for pages. */
export async function listSupplierBooks(db: Db): Promise<SupplierBooks[]> {
  const { rows } = await sql<SupplierBooks>`
    select s.code as supplier, a.currency, (-sum(moved_in_all(a.id)) filter (where a.code = 'supplier:' || s.code))::text as prepaid,
      coalesce(-sum(moved_in_all(a.id)) filter (where a.code = 'supplier_reserved:' || s.code), 0)::text as reserved,
      coalesce(-sum(moved_in_all(a.id)) filter (where a.code = 'goods_cost:' || s.code), 0)::text as cost,
      coalesce(-sum(moved_in_all(a.id)) filter (where a.code = 'supply_losses:' || s.code), 0)::text as losses
    from supplier s join ledger_account a on a.code in ('supplier:' || s.code, 'supplier_reserved:' || s.code, 'goods_cost:' || s.code, 'supply_losses:' || s.code)
    group by s.code, a.currency order by s.code, a.currency`.execute(db)
  return rows
}

export interface NeededInput {
  /** The line's place in the order. */
  readonly line: number
  /** Public id of one of its units that wait. */
  readonly unit: string
  readonly until: Date
}

/** Lines of an order that wait for their buyer to correct something. */
export async function listNeededInputs(db: Db, orderId: string): Promise<NeededInput[]> {
  const { rows } = await sql<NeededInput>`
    select distinct on (l.position) l.position as line, u.public_id as unit, u.input_until as until
    from order_unit u join order_line l on l.id = u.line_id where u.order_id = ${orderId} and u.status = 'needs_input' order by l.position, u.input_until, u.id`.execute(
    db,
  )
  return rows
}

/** Whether something about an order is being decided. */
export async function isOnHold(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ isHeld: boolean }>`
    select hold is not null or exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed) as "isHeld" from shop_order o where id = ${orderId}`.execute(
    db,
  )
  return rows[0]?.isHeld ?? true
}
