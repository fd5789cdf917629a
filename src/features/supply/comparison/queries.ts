import { sql } from 'kysely'
import type { Part } from '#kernel/page.ts'
import type { Db } from '#platform/db.ts'
import type { DifferenceKind, OurPurchase } from './rules.ts'

const LISTED_MAX = 200

interface Row extends Omit<OurPurchase, 'actualMinor'> {
  readonly actual: string | null
}

const COLUMNS = sql`p.id, p.order_id as "orderId", p.reference, p.supplier_id as "supplierId", p.status, p.currency, p.actual_minor::text as actual`

const ofRow = ({ actual, ...row }: Row): OurPurchase => ({
  ...row,
  actualMinor: actual === null ? null : BigInt(actual),
})

/** Our purchases of these names: theirs, or our references. */
export async function findNamed(
  db: Db,
  supplier: string,
  names: { readonly ids: readonly string[]; readonly references: readonly string[] },
): Promise<OurPurchase[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from purchase p where p.supplier = ${supplier} and p.supplier_id = any(${[...names.ids]}::text[])
    union select ${COLUMNS} from purchase p where p.supplier = ${supplier} and p.reference = any(${[...names.references]}::text[])`.execute(
    db,
  )
  return rows.map(ofRow)
}

/** What was bought at a supplier within a while, behind `last`. */
export async function listBought(
  db: Db,
  supplier: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  last: OurPurchase | null,
): Promise<OurPurchase[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from purchase p
    where p.supplier = ${supplier} and p.status in ('done', 'late') and p.ended_at > ${from} and p.created_at > ${from} and p.created_at < ${to} and p.id > ${last?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid
    order by p.id limit ${LISTED_MAX}`.execute(db)
  return rows.map(ofRow)
}

/** Where a comparison by look-ups goes on: behind the purchase that ended last of those it has asked about. */
export interface Place {
  readonly endedAt: Date
  readonly id: string
}

/** Purchases that are over and that the supplier knew of, by when they ended, behind `last`. */
export async function listEnded(
  db: Db,
  supplier: string,
  to: Date,
  last: Place,
  limit: number,
): Promise<(OurPurchase & { readonly endedAt: Date })[]> {
  const { rows } = await sql<Row & { readonly endedAt: Date }>`
    select ${COLUMNS}, p.ended_at as "endedAt" from purchase p
    where p.supplier = ${supplier} and (p.status in ('done', 'late') or (p.status = 'failed' and p.supplier_id is not null))
      and p.ended_at <= ${to} and (p.ended_at, p.id) > (${last.endedAt}, ${last.id}::uuid)
    order by p.ended_at, p.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...ofRow(row), endedAt: row.endedAt }))
}

/** Purchases that an open difference is about. */
export async function listDiffering(
  db: Db,
  supplier: string,
  before: Date,
): Promise<OurPurchase[]> {
  const { rows } = await sql<Row>`
    select distinct ${COLUMNS} from supply_difference d join purchase p on p.id = d.purchase_id
    where d.supplier = ${supplier} and d.closed_at is null and p.ended_at <= ${before} and p.status <> 'doubt' limit ${LISTED_MAX}`.execute(
    db,
  )
  return rows.map(ofRow)
}

/** Up to when purchases at a supplier have been compared; null before the first time. */
export async function findComparedTo(db: Db, supplier: string): Promise<Date | null> {
  const row = await db
    .selectFrom('supply_comparison')
    .select('compared_to')
    .where('supplier', '=', supplier)
    .executeTakeFirst()
  return row?.compared_to ?? null
}

export interface SupplyDifference {
  readonly id: string
  readonly supplier: string
  readonly kind: DifferenceKind
  readonly reference: string | null
  readonly orderNumber: string | null
  readonly theirId: string | null
  readonly ourStatus: string | null
  readonly theirStatus: string | null
  readonly ourMinor: string | null
  readonly theirMinor: string | null
  readonly currency: string | null
  readonly theirAt: Date | null
  readonly foundAt: Date
}

/** Differences that wait for somebody, oldest first, behind the id of one. */
export async function listSupplyDifferences(
  db: Db,
  { after, limit }: Part = { after: null, limit: LISTED_MAX },
): Promise<SupplyDifference[]> {
  const { rows } = await sql<SupplyDifference>`
    select d.id, d.supplier, d.kind, coalesce(p.reference, d.their_reference) as reference, o.number as "orderNumber", d.their_id as "theirId", d.our_status as "ourStatus",
      d.their_status as "theirStatus", d.our_minor::text as "ourMinor", d.their_minor::text as "theirMinor", d.currency, d.their_at as "theirAt", d.found_at as "foundAt"
    from supply_difference d left join purchase p on p.id = d.purchase_id left join shop_order o on o.id = p.order_id
    where d.closed_at is null and (${after}::uuid is null or d.id > ${after}::uuid) order by d.id limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function countSupplyDifferences(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from supply_difference where closed_at is null`.execute(db)
  return rows[0]?.count ?? 0
}
