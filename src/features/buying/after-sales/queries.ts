import type { Selectable } from 'kysely'
import { isRefundable } from '#features/buying/order/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ServiceCaseTable } from '#platform/tables.ts'
import type { ServiceCase } from './rules.ts'

export { countCaseViews, countDeskCases, listDeskCases, type DeskCase } from './read/desk.ts'
export { readCaseFile, type CaseFile } from './read/file.ts'

export function caseOf(row: Selectable<ServiceCaseTable>): ServiceCase {
  return {
    id: row.id,
    publicId: row.public_id,
    kind: row.kind,
    orderId: row.order_id,
    accountId: row.account_id,
    reason: row.reason,
    text: row.text,
    hasPicture: row.picture !== null,
    destination: row.destination,
    status: row.status,
    decidedBy: row.decided_by,
    note: row.note,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  }
}

export async function findCase(db: Db | Tx, publicId: string): Promise<ServiceCase | null> {
  const row = await db
    .selectFrom('service_case')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row ? caseOf(row) : null
}

/** A case, locked; its order is locked before. */
export async function lockCase(tx: Tx, id: string): Promise<ServiceCase> {
  return caseOf(
    await tx
      .selectFrom('service_case')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  )
}

/** The cases of an order, newest first. */
export async function listCases(db: Db, orderId: string): Promise<ServiceCase[]> {
  return (
    await db
      .selectFrom('service_case')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
  ).map(caseOf)
}

/** Cases of an order that wait for a decision of the shop. */
export async function countOpenCases(tx: Tx, orderId: string): Promise<number> {
  const row = await tx
    .selectFrom('service_case')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('order_id', '=', orderId)
    .where('status', '=', 'open')
    .where('kind', '<>', 'dispute')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Units of a case that can still be given back, oldest first. */
export async function listRefundable(tx: Tx, caseId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('service_case_unit as c')
    .innerJoin('order_unit as u', 'u.id', 'c.unit_id')
    .select(['u.id', 'u.status', 'u.delivery'])
    .where('c.case_id', '=', caseId)
    // Whoever was given another key for a faulty one since is not given its price as well.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('key_replacement as k')
            .innerJoin('service_case as s', 's.id', 'c.case_id')
            .select('k.unit_id')
            .whereRef('k.unit_id', '=', 'c.unit_id')
            .where('s.kind', '=', 'faulty_key')
            .whereRef('k.replaced_at', '>=', 's.created_at'),
        ),
      ),
    )
    .orderBy('u.id')
    .execute()
  return rows.filter(isRefundable).map((row) => row.id)
}

export interface ListedCase extends ServiceCase {
  readonly order: string
  readonly orderNumber: string
  readonly currency: string
  /** Price of the units asked about, in minor units. */
  readonly amountMinor: bigint
  readonly units: readonly {
    readonly name: string
    readonly delivery: string
    readonly status: string
    readonly isRevealed: boolean
  }[]
}

/** Cases as operators see them, oldest first: those that are open, or the one of a public id. */
export async function listForOperators(
  db: Db,
  which: { readonly publicId: string } | 'open',
  limit = 200,
): Promise<ListedCase[]> {
  const rows = await db
    .selectFrom('service_case as c')
    .innerJoin('shop_order as o', 'o.id', 'c.order_id')
    .selectAll('c')
    .select(['o.public_id as order', 'o.number', 'o.currency'])
    .$if(which === 'open', (query) => query.where('c.status', '=', 'open'))
    .$if(which !== 'open', (query) =>
      query.where('c.public_id', '=', which === 'open' ? '' : which.publicId),
    )
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(limit)
    .execute()
  if (rows.length === 0) return []
  const units = await db
    .selectFrom('service_case_unit as c')
    .innerJoin('order_unit as u', 'u.id', 'c.unit_id')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .leftJoin('card_key as k', 'k.unit_id', 'u.id')
    .select([
      'c.case_id',
      'u.delivery',
      'u.status',
      'u.price_minor',
      'l.product_name',
      'l.item_name',
      'k.revealed_at',
    ])
    .where(
      'c.case_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('u.id')
    .execute()
  const unitsOf = Map.groupBy(units, (unit) => unit.case_id)
  return rows.map((row) => {
    const own = unitsOf.get(row.id) ?? []
    return {
      ...caseOf(row),
      order: row.order,
      orderNumber: row.number,
      currency: row.currency,
      amountMinor: own.reduce((sum, unit) => sum + BigInt(unit.price_minor), 0n),
      units: own.map((unit) => ({
        name: `${unit.product_name} ${unit.item_name}`,
        delivery: unit.delivery,
        status: unit.status,
        isRevealed: unit.revealed_at !== null,
      })),
    }
  })
}

/** The picture a buyer sent with a case (WebP); null without one. */
export async function findCasePicture(db: Db, publicId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('service_case as c')
    .innerJoin('uploaded_picture as p', 'p.id', 'c.picture')
    .select('p.content')
    .where('c.public_id', '=', publicId)
    .executeTakeFirst()
  return row?.content ?? null
}

/** The pictures that were sent with any case about an order, by its number; oldest first. */
export async function listOrderPictures(db: Db, number: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('shop_order as o')
    .innerJoin('service_case as c', 'c.order_id', 'o.id')
    .innerJoin('uploaded_picture as p', 'p.id', 'c.picture')
    .select('p.content')
    .where('o.number', '=', number)
    .orderBy('c.created_at')
    .execute()
  return rows.map((row) => row.content)
}

/** What a shopper asked about their orders, for the export of everything about them. */
export async function exportCase(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('service_case as c')
    .innerJoin('shop_order as o', 'o.id', 'c.order_id')
    .selectAll('c')
    .select('o.number')
    .where('c.account_id', '=', accountId)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({
    order: row.number,
    kind: row.kind,
    reason: row.reason,
    text: row.text,
    destination: row.destination,
    status: row.status,
    answer: row.note,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }))
}
