import { sql } from 'kysely'
import type { OrderStatus, UnitStatus } from '#features/buying/order/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ResellerKey, Scope } from './rules.ts'

interface KeyRow extends Omit<ResellerKey, 'scopes' | 'orderMax' | 'dayMax' | 'agentMax'> {
  readonly scopes: readonly string[]
  readonly orderMax: string
  readonly dayMax: string
  readonly agentMax: string | null
}

/** A key in force, of an account in use, that may be used from an address; null for any other. */
export async function findKey(
  db: Db,
  publicId: string,
  address: string,
  now: Date,
): Promise<ResellerKey | null> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.public_id as "publicId", k.account_id as "accountId", a.role_id as "roleId", k.name, k.scopes, k.salt,
      case when k.former_until > ${now} then k.former_salt end as "formerSalt", k.order_max_minor::text as "orderMax",
      k.day_max_minor::text as "dayMax", k.agent_max_minor::text as "agentMax", k.contract
    from reseller_key k join account a on a.id = k.account_id
    where k.public_id = ${publicId} and k.revoked_at is null and a.status = 'active'
      and (k.networks = '{}' or ${address}::inet <<= any(k.networks::inet[]))`.execute(db)
  return rows[0] ? keyOf(rows[0]) : null
}

function keyOf({ scopes, orderMax, dayMax, agentMax, ...key }: KeyRow): ResellerKey {
  return {
    ...key,
    scopes: scopes as readonly Scope[],
    orderMax: BigInt(orderMax),
    dayMax: BigInt(dayMax),
    agentMax: agentMax === null ? null : BigInt(agentMax),
  }
}

export interface ListedKey {
  readonly key: string
  readonly email: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly orderMaxUsd: bigint
  readonly dayMaxUsd: bigint
  readonly agentMaxUsd: bigint | null
  /** Of the last day, in US cents. */
  readonly dayUsd: bigint
  readonly networks: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export async function listKeys(db: Db, now: Date): Promise<ListedKey[]> {
  const { rows } = await sql<
    Omit<ListedKey, 'orderMaxUsd' | 'dayMaxUsd' | 'agentMaxUsd' | 'dayUsd'> &
      Record<'orderMaxUsd' | 'dayMaxUsd' | 'dayUsd', string> & { agentMaxUsd: string | null }
  >`select k.public_id as key, a.email, k.name, k.scopes, k.order_max_minor::text as "orderMaxUsd", k.day_max_minor::text as "dayMaxUsd",
      k.agent_max_minor::text as "agentMaxUsd", k.networks, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt",
      coalesce((select sum(o.usd_minor) from reseller_order o where o.key_id = k.id and o.state <> 'refused' and o.created_at > ${dayBefore(now)}), 0)::text as "dayUsd"
    from reseller_key k join account a on a.id = k.account_id order by k.revoked_at is not null, k.created_at desc limit 1000`.execute(
    db,
  )
  return rows.map(({ orderMaxUsd, dayMaxUsd, agentMaxUsd, dayUsd, ...row }) => ({
    ...row,
    orderMaxUsd: BigInt(orderMaxUsd),
    dayMaxUsd: BigInt(dayMaxUsd),
    agentMaxUsd: agentMaxUsd === null ? null : BigInt(agentMaxUsd),
    dayUsd: BigInt(dayUsd),
  }))
}

const DAY_MS = 86_400_000
const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS)

/** What a key has ordered within a day, in US cents; its row is locked, so that nobody else adds to it meanwhile. */
export async function lockSpent(tx: Tx, keyId: string, now: Date): Promise<bigint | null> {
  const key = await tx
    .selectFrom('reseller_key')
    .select('id')
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!key) return null
  const { rows } = await sql<{ spent: string }>`
    select coalesce(sum(usd_minor), 0)::text as spent from reseller_order where key_id = ${keyId} and state <> 'refused' and created_at > ${dayBefore(now)}`.execute(
    tx,
  )
  return BigInt(rows[0]?.spent ?? '0')
}

export interface ReferencedOrder {
  readonly id: string
  /** Whoever ordered it. */
  readonly keyId: string
  readonly reference: string
  readonly requestHash: Buffer
  readonly state: 'open' | 'placed' | 'refused'
  readonly refusal: string | null
  readonly currency: string
  readonly createdAt: Date
  /** Null where none was made, or it is forgotten. */
  readonly order: SoldOrder | null
}

export interface SoldOrder {
  readonly publicId: string
  readonly number: string
  readonly status: OrderStatus
  readonly isPaid: boolean
  readonly totalMinor: bigint
  readonly refundedMinor: bigint
  readonly lines: readonly SoldLine[]
}

export interface SoldLine {
  readonly item: string
  readonly quantity: number
  /** Of goods that are sold at any amount: how much, in minor units of their face currency. */
  readonly amount: { readonly minor: string; readonly currency: string } | null
  /** Of one, in minor units. */
  readonly price: string
  readonly units: readonly {
    readonly id: string
    readonly status: UnitStatus
    readonly delivery: string
    readonly deliveredAt: string | null
  }[]
}

/** An order of a reseller by their own reference, or by the shop's id of it; null where there is none. */
export async function findReferenced(
  db: Db | Tx,
  accountId: string,
  by: { readonly reference: string } | { readonly order: string },
): Promise<ReferencedOrder | null> {
  const which =
    'reference' in by ? sql`r.reference = ${by.reference}` : sql`o.public_id = ${by.order}`
  const { rows } =
    await sql<ReferencedRow>`select ${REFERENCED} where r.account_id = ${accountId} and ${which}`.execute(
      db,
    )
  return rows[0] ? referencedOf(rows[0]) : null
}

type ReferencedRow = Omit<ReferencedOrder, 'order'> & {
  readonly order:
    | (Omit<SoldOrder, 'totalMinor' | 'refundedMinor'> & { total: string; refunded: string })
    | null
}

const REFERENCED = sql`r.id, r.key_id as "keyId", r.reference, r.request_hash as "requestHash", r.state, r.refusal, r.currency, r.created_at as "createdAt",
      case when o.id is not null then json_build_object('publicId', o.public_id, 'number', o.number, 'status', o.status, 'isPaid', o.settled_at is not null,
        'total', o.total_minor::text, 'refunded', o.refunded_minor::text, 'lines', (
          select json_agg(json_build_object('item', l.item_code, 'quantity', l.quantity, 'price', l.price_minor::text,
            'amount', case when l.amount_minor is not null then json_build_object('minor', l.amount_minor::text, 'currency', l.amount_currency) end, 'units', (
            select json_agg(json_build_object('id', u.public_id, 'status', u.status, 'delivery', u.delivery, 'deliveredAt', u.delivered_at) order by u.unit_no)
            from order_unit u where u.line_id = l.id)) order by l.position) from order_line l where l.order_id = o.id)) end as order
    from reseller_order r left join shop_order o on o.id = r.order_id`

/** Orders that were asked for within a while, oldest first, behind the one of a reference. */
export interface OrderPage {
  readonly from: Date
  readonly to: Date
  readonly after: string | null
  readonly limit: number
}

/** A page of an account's orders. @param keyId of the key that made them; null: whichever did */
export async function listReferenced(
  db: Db,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string | null },
  { from, to, after, limit }: OrderPage,
): Promise<ReferencedOrder[]> {
  const behind =
    after === null
      ? sql`true`
      : sql`(r.created_at, r.id) > (select l.created_at, l.id from reseller_order l where l.account_id = ${accountId} and l.reference = ${after})`
  const { rows } = await sql<ReferencedRow>`
    select ${REFERENCED} where r.account_id = ${accountId} and r.created_at >= ${from} and r.created_at < ${to} and ${behind}
      and (${keyId}::uuid is null or r.key_id = ${keyId})
    order by r.created_at, r.id limit ${limit}`.execute(db)
  return rows.map(referencedOf)
}

function referencedOf({ order, ...rest }: ReferencedRow): ReferencedOrder {
  if (!order) return { ...rest, order: null }
  const { total, refunded, ...sold } = order
  return {
    ...rest,
    order: { ...sold, totalMinor: BigInt(total), refundedMinor: BigInt(refunded) },
  }
}

/**
 * Whether something that any price may be made of has changed since then: a rate, a currency, a margin rule (those that began or ended by themselves
 * too), or a setting of prices.
 */
export async function haveTermsChanged(db: Db, since: Date): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select exists (select from currency_rate where coalesce(recorded_at, observed_at) >= ${since})
      or exists (select from price_input where kind in ('currency', 'setting') and recorded_at >= ${since})
      or exists (select from margin_rule where created_at >= ${since} or valid_from between ${since} and clock_timestamp()
        or valid_until between ${since} and clock_timestamp()) as changed`.execute(db)
  return rows[0]?.changed ?? true
}

/** Items that were changed since then, or what their prices are made from, by id. */
export async function listChangedItems(db: Db, since: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id::text from item where updated_at >= ${since}
    union select split_part(subject, ':', 1) from price_input where kind in ('item', 'cost', 'level_price') and recorded_at >= ${since}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** A reseller's keys and orders by reference, for the export of everything about them. No secret is among it. */
export async function exportReseller(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ part: Record<string, unknown> }>`
    select json_build_object('key', public_id, 'name', name, 'scopes', scopes, 'networks', networks, 'created_at', created_at, 'last_used_at', last_used_at,
      'revoked_at', revoked_at) as part from reseller_key where account_id = ${accountId}
    union all
    select json_build_object('reference', r.reference, 'order', o.number, 'state', r.state, 'created_at', r.created_at) from reseller_order r
      left join shop_order o on o.id = r.order_id where r.account_id = ${accountId}`.execute(db)
  return rows.map(({ part }) => part)
}
