import { sql } from 'kysely'
import { dayOf } from '#kernel/day.ts'
import { AppError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'
import { ANY_CODE, identityOf, type KeyFormat, type KeyStatus } from './rules.ts'

export { findKeys, listKeys, type ListedKey } from './read/listed.ts'

export interface Stockable {
  readonly item: string
  readonly brand: string
  readonly format: KeyFormat
}

/** An item that is delivered as a key, by its code; null when there is none, or it is delivered otherwise. */
export async function findStockable(db: Db, itemCode: string): Promise<Stockable | null> {
  const row = await db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .select(['i.id', 'b.code', 'b.key_format'])
    .where('i.code', '=', itemCode)
    .where('b.delivery', '=', 'card_key')
    .executeTakeFirst()
  return row ? { item: row.id, brand: row.code, format: formatOf(row.key_format) } : null
}

/** How keys of an item's brand look. */
export async function getFormat(db: Db, item: string): Promise<Stockable> {
  const row = await db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .innerJoin('brand as b', 'b.code', 'p.brand')
    .select(['b.code', 'b.key_format'])
    .where('i.id', '=', item)
    .executeTakeFirstOrThrow()
  return { item, brand: row.code, format: formatOf(row.key_format) }
}

/** How keys of every brand look that has some. */
export async function listFormats(
  db: Db,
): Promise<readonly { readonly brand: string; readonly format: KeyFormat }[]> {
  const rows = await db
    .selectFrom('brand')
    .select(['code', 'key_format'])
    .where('delivery', '=', 'card_key')
    .execute()
  return rows.map((row) => ({ brand: row.code, format: formatOf(row.key_format) }))
}

function formatOf(stored: unknown): KeyFormat {
  const format = stored as KeyFormat | null
  return format && format.parts.length > 0 ? format : ANY_CODE
}

/** Where a code may be longer no more. */
const CODE_MAX = 200

/**
 * Units whose key a text is, whether it is theirs now or was replaced: it is compared by its keyed hash with every brand's, and nothing is
 * decrypted.
 */
export async function findUnitsOfCode(
  db: Db,
  hashOf: (identity: string) => Buffer,
  text: string,
): Promise<string[]> {
  const code = text.trim()
  if (code.length < 6 || code.length > CODE_MAX) return []
  const brands = await db
    .selectFrom('brand')
    .select(['code', 'key_format'])
    .where('delivery', '=', 'card_key')
    .execute()
  const hashes = brands.map((brand) => {
    const format = formatOf(brand.key_format)
    const parts = Object.fromEntries(format.parts.map(({ name }) => [name, code]))
    return hashOf(identityOf(brand.code, format, parts))
  })
  const { rows } = await sql<{ unit: string }>`
    select coalesce(k.unit_id, r.unit_id) as unit from card_key k left join key_replacement r on r.old_key_id = k.id
    where k.fingerprint = any(${hashes}::bytea[]) and coalesce(k.unit_id, r.unit_id) is not null`.execute(
    db,
  )
  return rows.map(({ unit }) => unit)
}

export interface Shelf extends Stockable {
  readonly isHot: boolean
  /** What the catalogue says is at hand; null where it says nothing. */
  readonly planned: number | null
  readonly free: number
}

/** Every item on sale that is delivered as a key of the shop's own, with its keys that can be sold. */
export async function listShelves(db: Db, now: Date): Promise<Shelf[]> {
  const { rows } = await sql<{
    item: string
    brand: string
    key_format: unknown
    isHot: boolean
    planned: number | null
    free: number
  }>`
    with free as materialized (
      select item, count(*)::integer as count from card_key where status = 'free' and expires_on > ${dayOf(now)}::date group by item
    )
    select i.id as item, b.code as brand, b.key_format, b.is_hot as "isHot", i.stock as planned, coalesce(free.count, 0) as free
    from item i join product p on p.code = i.product join brand b on b.code = p.brand left join free on free.item = i.id
    where b.delivery = 'card_key' and i.status = 'active' and not exists (select from card_source c where c.item = i.id and c.source = 'order') order by b.is_hot desc, b.popularity desc, i.position`.execute(
    db,
  )
  return rows.map(({ key_format: format, ...row }) => ({ ...row, format: formatOf(format) }))
}

/** Those of these items that are on sale and whose counted stock is below a limit; what the catalogue says is scarce or sold out is not among them. */
export async function listLowShelves(
  db: Db,
  items: readonly string[],
  below: number,
): Promise<Stockable[]> {
  const { rows } = await sql<{ item: string; brand: string; key_format: unknown }>`
    select i.id as item, b.code as brand, b.key_format
    from stock_level l join item i on i.id = l.item join product p on p.code = i.product join brand b on b.code = p.brand
    where l.item = any(${[...items]}::uuid[]) and l.free < ${below} and b.delivery = 'card_key' and i.status = 'active' and (i.stock is null or i.stock >= ${below}) and not exists (select from card_source c where c.item = i.id and c.source = 'order')`.execute(
    db,
  )
  return rows.map(({ key_format: format, ...row }) => ({ ...row, format: formatOf(format) }))
}

/** Those of these keyed hashes that the shop has, or has had. */
export async function listKnown(db: Db, fingerprints: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{
    fingerprint: Buffer
  }>`select fingerprint from card_key where fingerprint = any(${[...fingerprints]}::bytea[])`.execute(
    db,
  )
  return rows.map(({ fingerprint }) => fingerprint)
}

/** How many of these the shop has, or has had. */
export async function countKnown(db: Db, fingerprints: readonly Buffer[]): Promise<number> {
  if (fingerprints.length === 0) return 0
  const row = await db
    .selectFrom('card_key')
    .where('fingerprint', 'in', fingerprints)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Keys of an item by status. */
export async function countStock(
  db: Db,
  item: string,
): Promise<Readonly<Record<KeyStatus, number>>> {
  const { rows } = await sql<{
    status: KeyStatus
    count: number
  }>`select status, count(*)::integer as count from card_key where item = ${item} group by status`.execute(
    db,
  )
  return {
    quarantined: 0,
    free: 0,
    claimed: 0,
    delivered: 0,
    void: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  }
}

export interface OwnKey {
  /** Public id of the unit, by which it is revealed. */
  readonly unit: string
  readonly orderNumber: string
  readonly order: string
  readonly productName: string
  readonly itemName: string
  readonly product: string
  readonly itemCode: string
  readonly lastFour: string
  /** A calendar day. */
  readonly expiresOn: string | null
  /** Given back, or about to be: it is shown no more. */
  readonly isVoid: boolean
  readonly isWithheld: boolean
  readonly deliveredAt: Date
  readonly revealedAt: Date | null
  readonly usedAt: Date | null
}

export interface OwnKeysQuery {
  /** Public id of an order: its keys alone. */
  readonly order?: string | undefined
  readonly page: number
  readonly limit: number
}

/**
 * A payer who has the money back, or asks the shop or their bank for it, does not get the code as well: the shop may be agreeing at this
 * very moment, because nobody has seen it. Of an order `o` and its key `k`.
 */
export const isWithheld = sql`(o.status = 'refunded' or (k.revealed_at is null and (exists (select from payment_attempt paid where paid.order_id = o.id and paid.is_disputed) or exists (
  select from service_case_unit asked join service_case c on c.id = asked.case_id where asked.unit_id = k.unit_id and asked.is_open and c.kind = 'refund_request'))))`

/**
 * A page of a shopper's keys, those of the newest order first, without what they say. Which orders are on it follows from how many
 * keys each has, in the index of their orders alone.
 */
export async function listOwnKeys(
  db: Db,
  accountId: string,
  { order, page, limit }: OwnKeysQuery,
): Promise<{ readonly keys: OwnKey[]; readonly total: number }> {
  const skipped = (page - 1) * limit
  const mine = sql`from shop_order where account_id = ${accountId} and cards_delivered > 0 ${order === undefined ? sql`` : sql`and public_id = ${order}`}`
  const shown =
    order === undefined
      ? sql`
      select id, until - cards_delivered as since from (
        select id, cards_delivered, sum(cards_delivered) over (order by created_at desc, id desc rows unbounded preceding) as until ${mine} order by created_at desc, id desc limit ${skipped + limit}
      ) as counted where until > ${skipped} and until - cards_delivered < ${skipped + limit} limit ${limit}`
      : sql`select id, 0 as since ${mine}`
  const { rows: keys } = await sql<OwnKey>`
    with shown as materialized (${shown})
    select u.public_id as "unit", o.number as "orderNumber", o.public_id as "order", l.product_name as "productName", l.item_name as "itemName", l.product,
      l.item_code as "itemCode", k.last_four as "lastFour", nullif(k.expires_on, 'infinity')::text as "expiresOn", k.status = 'void' or u.status <> 'delivered' or o.status = 'refunded' as "isVoid", ${isWithheld} as "isWithheld",
      k.delivered_at as "deliveredAt", k.revealed_at as "revealedAt", k.used_at as "usedAt"
    from shown join shop_order o on o.id = shown.id join order_unit u on u.order_id = o.id and u.delivery = 'card_key' and u.delivered_at is not null
    join order_line l on l.id = u.line_id join card_key k on k.unit_id = u.id and k.delivered_at is not null
    order by o.created_at desc, o.id desc, l.position, u.unit_no limit ${limit} offset ${skipped} - (select min(since) from shown)`.execute(
    db,
  )
  // All of them are on the first page: the usual case of one order.
  if (page === 1 && keys.length < limit) return { keys, total: keys.length }
  const { rows: counted } = await sql<{
    count: number
  }>`select coalesce(sum(cards_delivered), 0)::integer as count ${mine}`.execute(db)
  return { keys, total: counted[0]?.count ?? 0 }
}

/** A key's order, for a question about it. Throws 'not_found' for what is not theirs or was given back. */
export async function getOwnKey(
  db: Db,
  accountId: string,
  unit: string,
): Promise<{ readonly order: string }> {
  const { rows } = await sql<{ order: string }>`
    select o.public_id as order from order_unit u join shop_order o on o.id = u.order_id join card_key k on k.unit_id = u.id
    where u.public_id = ${unit} and o.account_id = ${accountId} and k.status = 'delivered' and u.status = 'delivered' and not ${isWithheld}`.execute(
    db,
  )
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

export interface KeyBatch {
  readonly id: string
  readonly fileName: string
  readonly imported: number
  readonly createdAt: Date
  readonly createdBy: string
}

/** What an item's keys came in by, newest first; also of one that is no longer delivered as a key. Throws when there is no such item. */
export async function listBatches(db: Db, itemCode: string, limit: number): Promise<KeyBatch[]> {
  const item = await db
    .selectFrom('item')
    .select('id')
    .where('code', '=', itemCode)
    .executeTakeFirst()
  if (!item) throw new AppError('not_found')
  const rows = await db
    .selectFrom('key_batch')
    .select(['id', 'file_name', 'imported', 'created_at', 'created_by'])
    .where('item', '=', item.id)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    imported: row.imported,
    createdAt: row.created_at,
    createdBy: row.created_by,
  }))
}

export interface KeyUse {
  readonly id: number
  readonly checkValue: Buffer
  /** New keys may go under it, or older ones are. */
  readonly isInUse: boolean
  readonly hasRows: boolean
}

/** The keys that keys of card keys have been wrapped under. */
export async function listKeyUses(db: Db): Promise<KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    select id, check_value as "checkValue", active_at is not null and retired_at is null as "isInUse",
      exists (select from card_key where kek_id = k.id) as "hasRows" from key_encryption_key k order by id`.execute(
    db,
  )
  return rows
}

/** A process that has not said for so long which keys it knows is gone. */
export const READER_GONE_SECONDS = 90

/** Processes that show codes and cannot reach keys in use. */
export async function listLackingReaders(
  db: Db,
  now: Date,
): Promise<{ readonly name: string; readonly keyIds: readonly number[] }[]> {
  const { rows } = await sql<{ name: string; keyIds: number[] }>`
    select r.name, array_agg(k.id order by k.id) as "keyIds" from vault_reader r
    join key_encryption_key k on k.active_at is not null and k.retired_at is null and k.id <> all(r.key_ids)
    where r.seen_at >= ${now}::timestamptz - make_interval(secs => ${READER_GONE_SECONDS}) group by r.id, r.name order by r.name`.execute(
    db,
  )
  return rows
}
