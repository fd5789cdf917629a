import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { ChangeKind, Json } from '../rules.ts'

/** A change as a list of them shows it. */
export interface ListedChange {
  readonly id: string
  readonly kind: ChangeKind
  readonly by: string
  readonly at: Date
  readonly note: string
  readonly rows: number
  /** Public id of the change that took it back. */
  readonly undoneBy: string | null
}

/** A field that a change has changed. */
export interface PastField {
  readonly change: string
  readonly kind: ChangeKind
  readonly by: string
  readonly at: Date
  readonly subject: string
  readonly code: string
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** A field with whether the change has been taken back. */
export interface ProductPast extends PastField {
  readonly isUndone: boolean
}

/** The latest first. @param before public id of the last of the page before; null for the first page */
export async function listChanges(
  db: Db,
  before: string | null,
  limit: number,
): Promise<readonly ListedChange[]> {
  const { rows } = await sql<ListedChange>`
    select c.public_id as id, c.kind, c.made_by as by, c.made_at as at, c.note, c.row_count as rows, u.public_id as "undoneBy"
    from goods_change c left join goods_change u on u.id = c.undone_by
    where ${before}::text is null or (c.made_at, c.id) < (select b.made_at, b.id from goods_change b where b.public_id = ${before})
    order by c.made_at desc, c.id desc limit ${limit}`.execute(db)
  return rows
}

/** What has become of one brand, product or item, the latest first; ids of changes grow with time. */
export async function listHistory(
  db: Db,
  subject: string,
  code: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly PastField[]> {
  const { rows } = await sql<PastField>`
    select c.public_id as change, c.kind, c.made_by as by, c.made_at as at, r.subject, r.code, r.field, r.before, r.after
    from goods_change_row r join goods_change c on c.id = r.change_id
    where r.subject = ${subject} and r.code = ${code}
      and (${before}::text is null or r.change_id < (select b.id from goods_change b where b.public_id = ${before}))
    order by r.change_id desc, r.field limit ${limit}`.execute(db)
  return rows
}

/** What has become of a product, of its brand and of its items, the latest first. */
export async function listHistoryOfProduct(
  db: Db,
  product: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly ProductPast[]> {
  const { rows } = await sql<ProductPast>`
    select c.public_id as change, c.kind, c.made_by as by, c.made_at as at, c.undone_by is not null as "isUndone", r.subject, r.code, r.field, r.before, r.after
    from (
      select 'product' as subject, p.code from product p where p.code = ${product}
      union all select 'brand', p.brand from product p where p.code = ${product}
      union all select 'item', i.code from item i where i.product = ${product}
    ) g join goods_change_row r on r.subject = g.subject and r.code = g.code join goods_change c on c.id = r.change_id
    where (${before}::text is null or r.change_id < (select b.id from goods_change b where b.public_id = ${before}))
    order by r.change_id desc, r.subject, r.code, r.field limit ${limit}`.execute(db)
  return rows
}

/** What of an item imports and syncs leave alone. */
export async function listLocks(db: Db, code: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom('item')
    .select('locked_fields')
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.locked_fields ?? []
}

/** The fields of one change, in the order of what they are of. */
export async function listChangeRows(
  db: Db,
  change: string,
  limit: number,
): Promise<readonly PastField[]> {
  const { rows } = await sql<PastField>`
    select c.public_id as change, c.kind, c.made_by as by, c.made_at as at, r.subject, r.code, r.field, r.before, r.after
    from goods_change c join goods_change_row r on r.change_id = c.id
    where c.public_id = ${change} order by r.subject, r.code, r.field limit ${limit}`.execute(db)
  return rows
}
