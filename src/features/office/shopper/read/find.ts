import { sql, type RawBuilder } from 'kysely'
import type { AccountStatus } from '#features/people/account/rules.ts'
import type { Db } from '#platform/db.ts'
import { FOUND_MAX, soughtOf, type ShopperView } from '../rules.ts'

/** A shopper as one row of the operators' list. */
export interface ListedShopper {
  /** Public id, for the way to their page. */
  readonly id: string
  readonly uid: string
  readonly nickname: string
  readonly userName: string
  readonly email: string
  readonly status: AccountStatus
  readonly level: number
  readonly registeredAt: Date
  readonly lastOrderAt: Date | null
}

export interface ShopperListQuery {
  /** Null for all that are there. */
  readonly status: AccountStatus | null
  /** Public id of a shopper: those older or newer than them. Null begins with the newest. */
  readonly from: { readonly id: string; readonly direction: 'older' | 'newer' } | null
  readonly limit: number
}

/** The shop's shoppers, newest first, whatever the direction they are paged in; one index carries each list. */
export function listShoppers(
  db: Db,
  { status, from, limit }: ShopperListQuery,
): Promise<ListedShopper[]> {
  const isNewer = from?.direction === 'newer'
  const order = isNewer ? sql`registered_at asc, id asc` : sql`registered_at desc, id desc`
  // Written out, so that the indexes of these lists are seen to hold what is asked for.
  const which =
    status === null
      ? sql`status <> 'erased'`
      : status === 'frozen'
        ? sql`status = 'frozen'`
        : sql`status = 'cancelling'`
  const beyond = from
    ? sql`and (registered_at, id) ${isNewer ? sql`>` : sql`<`} ((select registered_at from edge), (select id from edge))`
    : sql``
  return readRows(
    db,
    sql`with edge as (select registered_at, id from account where user_id = ${from?.id ?? null}),
      listed as (select * from account where ${which} ${beyond} order by ${order} limit ${limit})`,
  )
}

/** How many shoppers each list has, counted to one more than `most` and no further. */
export async function countShopperViews(
  db: Db,
  most: number,
): Promise<Readonly<Record<ShopperView, number>>> {
  const upTo = (which: RawBuilder<unknown>) =>
    sql`(select count(*)::integer from (select from account where ${which} limit ${most + 1}) as found)`
  const { rows } = await sql<Record<ShopperView, number>>`
    select ${upTo(sql`status <> 'erased'`)} as all, ${upTo(sql`status = 'frozen'`)} as frozen, ${upTo(sql`status = 'cancelling'`)} as leaving`.execute(
    db,
  )
  return rows[0] ?? { all: 0, frozen: 0, leaving: 0 }
}

/** What bytes come after every text that begins so. */
const END = '\u{10FFFF}'

/**
 * Shoppers whose address, name, phone or uid begins with what was typed, or is it; as many as fit a page, so that whoever types more finds
 * fewer. Each kind is read by its own index, in its order, and no further than that.
 */
export function findShoppers(db: Db, typed: string): Promise<ListedShopper[]> {
  const { begins, digits } = soughtOf(typed)
  const ranged = (column: RawBuilder<unknown>, from: string) =>
    sql`(select id from account where ${column} ~>=~ ${from} and ${column} ~<~ ${from + END} order by ${column} using ~<~ limit ${FOUND_MAX})`
  const branches = [
    ranged(sql`email`, begins),
    ...(begins.includes('@')
      ? []
      : [ranged(sql`lower(user_name)`, begins), ranged(sql`lower(nickname)`, begins)]),
    sql`(select id from account where user_id = ${typed.trim()})`,
  ]
  if (digits !== null) {
    branches.push(ranged(sql`mobile`, digits.startsWith('+') ? digits : `+${digits}`))
    if (/^\d{9}$/.test(digits)) branches.push(sql`(select id from account where uid = ${digits})`)
  }
  return readRows(
    db,
    sql`with found as (${sql.join(branches, sql` union `)}),
      listed as (select a.* from account a join found using (id) where a.status <> 'erased' order by a.registered_at desc, a.id desc limit ${FOUND_MAX})`,
  )
}

async function readRows(db: Db, listed: RawBuilder<unknown>): Promise<ListedShopper[]> {
  const { rows } = await sql<ListedShopper>`${listed}
    select l.user_id as id, l.uid::text as uid, l.nickname, l.user_name as "userName", l.email, l.status, l.role_id as level, l.registered_at as "registeredAt",
      (select max(created_at) from shop_order o where o.account_id = l.id) as "lastOrderAt"
    from listed l order by l.registered_at desc, l.id desc`.execute(db)
  return rows
}
