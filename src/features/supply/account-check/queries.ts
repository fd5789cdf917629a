import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Money } from '#kernel/money.ts'

/** An item at the supplier that is asked about accounts. */
export interface CheckOffer {
  readonly supplier: string
  readonly kind: 'topup' | 'recharge' | 'data'
  readonly product: string
  readonly face: Money | null
  /** The supplier's name of each field of ours. */
  readonly fields: Readonly<Record<string, string>>
  /** What it is told beside them. */
  readonly fixed: Readonly<Record<string, string>>
}

/** The first of these suppliers, in the order they are bought from, that sells the item, is switched on and does not rest. */
export async function findCheckOffer(
  db: Db,
  item: string,
  suppliers: readonly string[],
  now: Date,
): Promise<CheckOffer | null> {
  const { rows } = await sql<{
    supplier: string
    kind: CheckOffer['kind']
    product: string
    face: string | null
    currency: string | null
    fields: Record<string, string>
    fixed: Record<string, string>
  }>`
    select o.supplier, o.kind, o.product, o.face_minor::text as face, o.face_currency as currency, o.fields, o.fixed
    from supplier_offer o join supplier s on s.code = o.supplier
    where o.item = ${item} and o.is_on and s.status = 'on' and (s.rests_until is null or s.rests_until <= ${now}) and o.supplier = any(${[...suppliers]}::text[])
    order by o.priority, o.supplier limit 1`.execute(db)
  const [row] = rows
  if (!row) return null
  const { face, currency, ...offer } = row
  return {
    ...offer,
    face: face === null || currency === null ? null : { minor: BigInt(face), currency },
  }
}

/** What a line of an order is of. */
export interface UnitLine {
  readonly product: string
  readonly item: string
  /** Its place in the order. */
  readonly line: number
  readonly amount: Money | null
}

/** Of an order that waits for a correction: what the line of a unit is of. */
export async function findUnitLine(
  db: Db,
  accountId: string,
  order: string,
  unit: string,
): Promise<UnitLine | null> {
  const row = await db
    .selectFrom('order_unit as u')
    .innerJoin('order_line as l', 'l.id', 'u.line_id')
    .innerJoin('shop_order as o', 'o.id', 'l.order_id')
    .select(['l.product', 'l.item', 'l.position', 'l.amount_minor', 'l.amount_currency'])
    .where('o.public_id', '=', order)
    .where('o.account_id', '=', accountId)
    .where('u.public_id', '=', unit)
    .executeTakeFirst()
  if (!row || row.item === null || row.product === null) return null
  const { amount_minor: minor, amount_currency: currency } = row
  return {
    product: row.product,
    item: row.item,
    line: row.position,
    amount: minor === null || currency === null ? null : { minor: BigInt(minor), currency },
  }
}

/**
 * What suppliers call the accounts of an order's lines, by the line's place in it. Of an account that was refused since nothing is
 * said: it is asked for again.
 */
export async function listPlayers(db: Db, orderId: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('line_player as p')
    .innerJoin('order_line as l', 'l.id', 'p.line_id')
    .select(['l.position', 'p.name'])
    .where('l.order_id', '=', orderId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('order_unit as u')
            .select('u.id')
            .whereRef('u.line_id', '=', 'l.id')
            .where('u.status', '=', 'needs_input'),
        ),
      ),
    )
    .execute()
  return new Map(rows.map(({ position, name }) => [position, name]))
}

/** For the export of everything about a person. */
export async function exportPlayer(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('line_player as p')
    .innerJoin('order_line as l', 'l.id', 'p.line_id')
    .innerJoin('shop_order as o', 'o.id', 'l.order_id')
    .select(['o.number', 'l.product_name', 'p.name'])
    .where('o.account_id', '=', accountId)
    .orderBy('o.created_at')
    .orderBy('l.position')
    .execute()
  return rows.map(({ number, product_name: product, name }) => ({ order: number, product, name }))
}
