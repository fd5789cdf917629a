import { sql } from 'kysely'
import { GOODS_TYPE } from '#features/goods/catalogue/rules.ts'
import { PHONE_FIELD as PHONE } from '#features/goods/recharge/rules.ts'
import type { Db } from '#platform/db.ts'

/** A phone that was recharged so shortly before may not have been meant again. */
const RECENT_MS = 30 * 60_000
const { recharge: RECHARGE } = GOODS_TYPE
/** How far back recharges are looked for: so many orders. */
const ORDERS_MAX = 100

/** When a shopper last paid for a recharge of each of these numbers (E.164), where that is not long ago. */
export async function findRecentRecharges(
  db: Db,
  accountId: string,
  numbers: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ number: string; at: Date }>`
    select l.account_fields ->> ${PHONE} as number, max(o.settled_at) as at from shop_order o join order_line l on l.order_id = o.id
    where o.account_id = ${accountId} and o.has_charging and o.created_at > ${new Date(now.getTime() - 2 * RECENT_MS)} and o.settled_at > ${new Date(now.getTime() - RECENT_MS)}
      and o.status <> 'refunded' and l.goods_type = ${RECHARGE} and l.account_fields ->> ${PHONE} = any(${[...numbers]}::text[]) group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ number, at }) => [number, at]))
}

/** Something that a shopper has sent to a phone. */
export interface PastRecharge {
  readonly number: string
  readonly item: string
  /** Code of the operator. */
  readonly product: string
  readonly amountMinor: bigint | null
  readonly at: Date
}

/** A shopper's last recharges that were paid, newest first; what was sent to the same phone again is there once. */
export async function listRecharges(
  db: Db,
  accountId: string,
  limit: number,
): Promise<PastRecharge[]> {
  const { rows } = await sql<Omit<PastRecharge, 'amountMinor'> & { amountMinor: string | null }>`
    with recent as materialized (
      select id, settled_at from shop_order where account_id = ${accountId} and has_charging order by created_at desc, id desc limit ${ORDERS_MAX}
    )
    select l.account_fields ->> ${PHONE} as number, l.item_code as item, l.product, l.amount_minor::text as "amountMinor", max(o.settled_at) as at
    from recent o join order_line l on l.order_id = o.id where o.settled_at is not null and l.goods_type = ${RECHARGE} and l.account_fields ? ${PHONE}
    group by 1, 2, 3, 4 order by at desc limit ${limit}`.execute(db)
  return rows.map(({ amountMinor, ...row }) => ({
    ...row,
    amountMinor: amountMinor === null ? null : BigInt(amountMinor),
  }))
}
