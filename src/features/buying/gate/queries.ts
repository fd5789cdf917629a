import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { COUNTED, type Counted, type GateLine, type GateReason, type GateVerdict } from './rules.ts'

export { countUnscreened } from './read/screening.ts'

const LISTED_MAX = 200

export interface OrderLine extends GateLine {
  readonly item: string
  readonly delivery: 'card_key' | 'direct_charge'
  readonly isRecharge: boolean
  readonly brand: string
  readonly fields: Readonly<Record<string, string>>
  readonly quantity: number
  readonly price: string
}

/** All that is looked at of an order, in one trip. */
export interface GateView {
  readonly lines: readonly OrderLine[]
  readonly country: { readonly code: string; readonly isOnSale: boolean } | null
  readonly email: string | null
  readonly names: readonly string[]
  readonly provenAge: number | null
  readonly isScreened: boolean
  readonly check: {
    readonly subject: string
    readonly verdict: GateVerdict
    readonly decision: 'released' | 'refused' | null
  } | null
}

/** Its order is locked. Store credit is no goods. */
export async function readGateView(tx: Tx, orderId: string): Promise<GateView> {
  const { rows } = await sql<GateView>`
    select (select coalesce(json_agg(json_build_object('item', l.item, 'delivery', l.delivery, 'isRecharge', b.kind = 'recharge', 'brand', b.code, 'fields', l.account_fields,
        'quantity', l.quantity, 'price', l.price_minor::text, 'minAge', p.min_age, 'buyerCountries', i.buyer_countries, 'blockedCountries', i.blocked_countries) order by l.position), '[]')
        from order_line l join item i on i.id = l.item join product p on p.code = i.product join brand b on b.code = p.brand where l.order_id = o.id) as lines,
      (select json_build_object('code', c.code, 'isOnSale', c.is_on_sale) from country c where c.code = o.country) as country,
      a.email, array_remove(a.nickname || array(select d.first_name || ' ' || d.surname from billing_address d where d.account_id = a.id), null) as names,
      (select years from age_proof g where g.account_id = a.id) as "provenAge",
      exists (select from screening_entry) as "isScreened",
      (select json_build_object('subject', encode(k.subject, 'hex'), 'verdict', k.verdict, 'decision', k.decision) from delivery_check k where k.order_id = o.id) as check
    from shop_order o join account a on a.id = o.account_id where o.id = ${orderId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`order ${orderId} has no view`)
  return row
}

/** Whether somebody is on a list, by name and by e-mail address. */
export async function findListed(
  tx: Tx,
  keys: readonly string[],
  email: string | null,
): Promise<{ readonly name: boolean; readonly email: boolean }> {
  const { rows } = await sql<{ name: boolean; email: boolean }>`
    select exists (select from screening_entry where name_key = any(${[...keys]}::text[])) as name, exists (select from screening_entry where email = ${email}) as email`.execute(
    tx,
  )
  return rows[0] ?? { name: false, email: false }
}

export interface Subject {
  readonly per: Counted
  readonly hash: Buffer
}

/** What went to each of these within so many hours, other orders' alone. */
export async function countUses(
  tx: Tx,
  orderId: string,
  asked: readonly (Subject & { readonly since: Date })[],
): Promise<readonly { readonly units: number; readonly usdMinor: bigint }[]> {
  const { rows } = await sql<{ units: number; usd: string }>`
    select coalesce(sum(u.units), 0)::integer as units, coalesce(sum(u.usd_minor), 0)::text as usd
    from unnest(${asked.map(({ per }) => per)}::text[], ${asked.map(({ hash }) => hash.toString('hex'))}::text[], ${asked.map(({ since }) => since)}::timestamptz[]) with ordinality as w (kind, hash, since, place)
    left join delivery_use u on u.kind = w.kind and u.subject = decode(w.hash, 'hex') and u.at > w.since and u.order_id <> ${orderId}
      and not exists (select from delivery_check c where c.order_id = u.order_id and (c.decision = 'refused' or (c.verdict = 'refuse' and c.decision is null)))
    group by w.place order by w.place`.execute(tx)
  return rows.map(({ units, usd }) => ({ units, usdMinor: BigInt(usd) }))
}

export interface HeldByGate {
  readonly orderNumber: string
  readonly uid: string
  readonly reasons: readonly GateReason[]
  readonly verdict: 'hold' | 'refuse'
  readonly decision: 'released' | 'refused' | null
  readonly total: string
  readonly currency: string
  readonly country: string | null
  readonly since: Date
}

/** Orders that the gate holds, longest first. Neither names nor accounts are told: `orders show` and the shopper's page have them. */
export async function listHeldByGate(db: Db): Promise<HeldByGate[]> {
  const { rows } = await sql<HeldByGate>`
    select o.number as "orderNumber", a.uid::text as uid, k.reasons, k.verdict, k.decision, o.total_minor::text as total, o.currency, o.country, k.checked_at as since
    from shop_order o join delivery_check k on k.order_id = o.id join account a on a.id = o.account_id
    where o.status = 'processing' and o.hold = 'risk' order by k.checked_at limit ${LISTED_MAX}`.execute(
    db,
  )
  return rows
}

/** How many orders wait for somebody to look at them. */
export async function countHeldByGate(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from shop_order o join delivery_check k on k.order_id = o.id
    where o.status = 'processing' and o.hold = 'risk' and k.verdict = 'hold' and k.decision is null`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export interface RefusedOrder {
  readonly orderId: string
  readonly isByRule: boolean
  /** Units whose price is still to go back. */
  readonly unitIds: readonly string[]
}

/** Refused orders that are still held for it, behind `last`. */
export async function listRefused(db: Db, last: RefusedOrder | null): Promise<RefusedOrder[]> {
  const { rows } = await sql<RefusedOrder>`
    select o.id as "orderId", k.decision is null as "isByRule",
      coalesce((select array_agg(u.id order by u.id) from order_unit u where u.order_id = o.id and u.status in ('queued', 'failed', 'needs_input')), '{}') as "unitIds"
    from delivery_check k join shop_order o on o.id = k.order_id
    where (k.verdict = 'refuse' or k.decision = 'refused') and k.decision is distinct from 'released' and o.hold = 'risk' and o.status = 'processing' and o.id > ${last?.orderId ?? '00000000-0000-0000-0000-000000000000'}::uuid
      and not exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed)
    order by o.id limit ${LISTED_MAX}`.execute(db)
  return rows
}

export interface ScreeningList {
  readonly list: string
  readonly entries: number
}

export async function listScreeningLists(db: Db): Promise<ScreeningList[]> {
  const { rows } = await sql<ScreeningList>`
    select list, count(*)::integer as entries from screening_entry group by list order by list`.execute(
    db,
  )
  return rows
}

/** What the shop keeps of its looks at somebody's orders: their accounts stand in it as hashes alone. */
export async function exportGate(
  db: Db,
  accountId: string,
): Promise<Record<string, string | number | null>[]> {
  const { rows } = await sql<{
    number: string
    verdict: string
    checkedAt: Date
    counted: string[]
  }>`
    select o.number, k.verdict, k.checked_at as "checkedAt", coalesce((select array_agg(u.kind order by u.kind) from delivery_use u where u.order_id = o.id), '{}') as counted
    from delivery_check k join shop_order o on o.id = k.order_id where o.account_id = ${accountId} order by k.checked_at, o.id`.execute(
    db,
  )
  const age = await db
    .selectFrom('age_proof')
    .select(['years', 'proved_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const asked = await db
    .selectFrom('screening_check')
    .select(['state', 'wanted_at', 'answered_at'])
    .where('account_id', '=', accountId)
    .orderBy('wanted_at')
    .execute()
  return [
    ...asked.map(({ state, wanted_at: at, answered_at: answered }) => ({
      screening_service: state,
      asked_at: at.toISOString(),
      answered_at: answered?.toISOString() ?? null,
    })),
    ...(age ? [{ years_at_least: age.years, seen_at: age.proved_at.toISOString() }] : []),
    ...rows.map(({ number, verdict, checkedAt, counted }) => ({
      order: number,
      verdict,
      checked_at: checkedAt.toISOString(),
      counted: COUNTED.filter((kind) => counted.includes(kind)).join(', '),
    })),
  ]
}
