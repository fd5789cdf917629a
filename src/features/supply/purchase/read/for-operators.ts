import { sql } from 'kysely'
import type { Part } from '#kernel/page.ts'
import type { Db } from '#platform/db.ts'
import type { CaseKind } from '../rules.ts'

/** What programs are told at once. */
const FIRST: Part = { after: null, limit: 200 }

export interface DoubtfulPurchase {
  readonly id: string
  readonly reference: string
  readonly supplier: string
  readonly supplierId: string | null
  readonly orderNumber: string
  readonly unit: string
  readonly item: string
  readonly product: string
  readonly expected: string
  readonly currency: string
  readonly told: string | null
  readonly since: Date
}

/** Purchases that nobody could find out about: a person decides, oldest first, behind the id of one. */
export async function listDoubts(
  db: Db,
  { after, limit }: Part = FIRST,
): Promise<DoubtfulPurchase[]> {
  const { rows } = await sql<DoubtfulPurchase>`
    select distinct on (p.id) p.id, p.reference, p.supplier, p.supplier_id as "supplierId", o.number as "orderNumber", u.public_id as unit, l.item_name as item, l.product_name as product,
      p.expected_minor::text as expected, p.currency, p.told, p.created_at as since
    from purchase p join shop_order o on o.id = p.order_id join purchase_unit n on n.purchase_id = p.id join order_unit u on u.id = n.unit_id join order_line l on l.id = u.line_id
    where p.status = 'doubt' and (${after}::uuid is null or p.id > ${after}::uuid) order by p.id, u.id limit ${limit}`.execute(
    db,
  )
  return rows
}

export interface QueuedUnit {
  /** Its place in the list. */
  readonly place: string
  readonly unit: string
  readonly orderNumber: string
  readonly supplier: string
  readonly product: string
  readonly item: string
  readonly held: 'price' | 'known' | null
  readonly dueAt: Date
}

const QUEUE_PLACE =
  /^([01])_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Whether a text is the place of a unit that waits. */
export const isQueuePlace = (text: string): boolean => QUEUE_PLACE.test(text)

/** Units that wait for a person to say whether they may cost that much, and then for a supplier longer than a moment; behind the place of one. */
export async function listQueued(db: Db, { after, limit }: Part = FIRST): Promise<QueuedUnit[]> {
  const [, held, due, unit] = QUEUE_PLACE.exec(after ?? '') ?? []
  const behind =
    unit === undefined
      ? sql`true`
      : sql`(q.held is null, q.due_at, q.unit_id) > (${held === '1'}, ${due}::timestamp at time zone 'UTC', ${unit}::uuid)`
  const { rows } = await sql<QueuedUnit>`
    select u.public_id as unit, o.number as "orderNumber", q.supplier, l.product_name as product, l.item_name as item, q.held, q.due_at as "dueAt",
      (q.held is null)::integer || '_' || to_char(q.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '_' || q.unit_id as place
    from supply_queue q join order_unit u on u.id = q.unit_id join shop_order o on o.id = u.order_id join order_line l on l.id = u.line_id
    where ${behind} order by (q.held is null), q.due_at, q.unit_id limit ${limit}`.execute(db)
  return rows
}

export interface SupplyCase {
  readonly id: string
  readonly kind: CaseKind
  /** Taken back as its notice says, which nobody could ask about. */
  readonly isOnlySaid: boolean
  readonly reference: string
  readonly supplier: string
  readonly orderNumber: string
  readonly cost: string
  readonly currency: string
  readonly openedAt: Date
}

/** What has to be looked at of purchases that are over, oldest first, behind the id of one. */
export async function listCases(db: Db, { after, limit }: Part = FIRST): Promise<SupplyCase[]> {
  const { rows } = await sql<SupplyCase>`
    select c.id, c.kind, c.kind = 'reversed' and p.status = 'done' as "isOnlySaid", p.reference, p.supplier, o.number as "orderNumber", p.actual_minor::text as cost, p.currency, c.opened_at as "openedAt"
    from supply_case c join purchase p on p.id = c.purchase_id join shop_order o on o.id = p.order_id where c.closed_at is null and (${after}::uuid is null or c.id > ${after}::uuid) order by c.id limit ${limit}`.execute(
    db,
  )
  return rows
}
