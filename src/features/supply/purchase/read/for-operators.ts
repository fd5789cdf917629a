import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { CaseKind } from '../rules.ts'

const LISTED_MAX = 200

export interface DoubtfulPurchase {
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

/** Purchases that nobody could find out about: a person decides, longest waiting first. */
export async function listDoubts(db: Db): Promise<DoubtfulPurchase[]> {
  const { rows } = await sql<DoubtfulPurchase>`
    select distinct on (p.updated_at, p.id) p.reference, p.supplier, p.supplier_id as "supplierId", o.number as "orderNumber", u.public_id as unit, l.item_name as item, l.product_name as product,
      p.expected_minor::text as expected, p.currency, p.told, p.created_at as since
    from purchase p join shop_order o on o.id = p.order_id join purchase_unit n on n.purchase_id = p.id join order_unit u on u.id = n.unit_id join order_line l on l.id = u.line_id
    where p.status = 'doubt' order by p.updated_at, p.id, u.id limit ${LISTED_MAX}`.execute(db)
  return rows
}

export interface QueuedUnit {
  readonly unit: string
  readonly orderNumber: string
  readonly supplier: string
  readonly product: string
  readonly item: string
  readonly held: 'price' | 'known' | null
  readonly dueAt: Date
}

/** Units that wait for a supplier longer than a moment, or for a person to say whether they may cost that much. */
export async function listQueued(db: Db): Promise<QueuedUnit[]> {
  const { rows } = await sql<QueuedUnit>`
    select u.public_id as unit, o.number as "orderNumber", q.supplier, l.product_name as product, l.item_name as item, q.held, q.due_at as "dueAt"
    from supply_queue q join order_unit u on u.id = q.unit_id join shop_order o on o.id = u.order_id join order_line l on l.id = u.line_id
    order by (q.held is null), q.due_at limit ${LISTED_MAX}`.execute(db)
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

/** What has to be looked at of purchases that are over. */
export async function listCases(db: Db): Promise<SupplyCase[]> {
  const { rows } = await sql<SupplyCase>`
    select c.id, c.kind, c.kind = 'reversed' and p.status = 'done' as "isOnlySaid", p.reference, p.supplier, o.number as "orderNumber", p.actual_minor::text as cost, p.currency, c.opened_at as "openedAt"
    from supply_case c join purchase p on p.id = c.purchase_id join shop_order o on o.id = p.order_id where c.closed_at is null order by c.opened_at limit ${LISTED_MAX}`.execute(
    db,
  )
  return rows
}
