import { sql, type Selectable } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import { mayDo, ROLES, type Permission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { OperatorActTable } from '#platform/tables.ts'
import { COUNTED } from './read/counted.ts'
import {
  COUNTED_HOURS,
  APART_AFTER_HOURS,
  GIVING_KINDS,
  kindsOf,
  MEASURES,
  NO_MONEY,
  type Act,
  type ActKind,
  type Counted,
  type Hand,
  type ShopLimit,
} from './rules.ts'
import { SECOND_PERSON_SETTINGS } from './schema.ts'

export { COUNTED } from './read/counted.ts'
export { readOwnLimits } from './read/own-limits.ts'

const HOUR_MS = 3_600_000
const US_DOLLAR = 'USD'

export function actOf(row: Selectable<OperatorActTable>): Act {
  return {
    id: row.id,
    publicId: row.public_id,
    // The table holds kinds of newer releases as well.
    kind: row.kind as ActKind,
    status: row.status,
    subject: row.subject,
    accountId: row.account_id,
    orderId: row.order_id,
    money:
      row.currency === null
        ? NO_MONEY
        : { minor: BigInt(row.amount_minor), currency: row.currency },
    usdMinor: row.usd_minor === null ? null : BigInt(row.usd_minor),
    counts:
      row.counted_minor === null || row.counted_currency === null
        ? null
        : { minor: BigInt(row.counted_minor), currency: row.counted_currency },
    details: detailsOf(row.details),
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    decidedBy: row.decided_by,
  }
}

function detailsOf(details: unknown): Act['details'] {
  const isObject = details !== null && typeof details === 'object' && !Array.isArray(details)
  return isObject ? Object.fromEntries(Object.entries(details)) : {}
}

/** What an act counts in the shop's currency; null where no rate is known. */
export async function readCounts(
  db: Db | Tx,
  { counts, usdMinor, money }: Pick<Act, 'usdMinor'> & Partial<Pick<Act, 'counts' | 'money'>>,
): Promise<{ readonly currency: string; readonly minor: bigint | null }> {
  const from = counts ?? money ?? { minor: usdMinor ?? 0n, currency: US_DOLLAR }
  const { rows } = await sql<{ currency: string; minor: string | null }>`
    select shop_currency() as currency, in_shop_currency(${from.minor.toString()}::numeric, ${from.currency})::text as minor`.execute(
    db,
  )
  const { currency, minor } = present(rows[0], 'an amount in the currency of the shop')
  // Rates that came of quotes are known to the last digit by whoever counted the cents.
  if (usdMinor === null || (currency === US_DOLLAR && !counts)) return { currency, minor: usdMinor }
  return { currency, minor: minor === null ? null : BigInt(minor) }
}

/** How many others of a kind wait: of who asks, and of all. */
export async function countOthersWaiting(
  tx: Tx,
  { actor, now }: { readonly actor: string; readonly now: () => Date },
  { kind, subject }: Pick<Act, 'kind' | 'subject'>,
): Promise<{ readonly own: number; readonly all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*) filter (where asked_by = ${actor})::integer as own, count(*)::integer as "all" from operator_act
    where kind = ${kind} and subject <> ${subject} and status = 'waiting' and (ends_at is null or ends_at > ${now()})`.execute(
    tx,
  )
  return present(rows[0], 'a count of what waits')
}

/** One of the shop's limits, in the shop's currency. What no rate is known of allows nothing. */
export async function readShopLimit(db: Db | Tx, which: ShopLimit): Promise<bigint> {
  const said = await readSetting(db, SECOND_PERSON_SETTINGS[which])
  const { rows } = await ('units' in said
    ? sql<{
        minor: string
      }>`select (${said.units.toString()}::numeric * shop_unit())::text as minor`
    : sql<{
        minor: string
      }>`select coalesce(in_shop_currency(${said.minor.toString()}::numeric, ${said.currency}), 0)::text as minor`
  ).execute(db)
  return BigInt(present(rows[0], 'a limit of the shop').minor)
}

/** What is counted of an act that is looked at: whom and what it is about. */
type Weighable = Pick<Act, 'kind' | 'accountId' | 'subject'> & Partial<Pick<Act, 'orderId'>>

/** What an operator answers for by now, against what an act is limited by. Exact only while it is the operator's turn. */
export async function readCounted(
  tx: Tx,
  actor: string,
  { kind, accountId, subject, orderId = null }: Weighable,
  now: Date,
): Promise<Counted> {
  const { permission, shopLimit } = MEASURES[kind]
  if (shopLimit === null) return { toSame: 0n, toAll: 0n, aloneToSame: 0n, given: 0n, forOrder: 0n }
  const since = new Date(now.getTime() - COUNTED_HOURS * HOUR_MS)
  const same =
    accountId === null
      ? sql<boolean>`account_id is null and subject = ${subject}`
      : sql<boolean>`account_id = ${accountId}`
  const { rows } = await sql<Record<keyof Counted, string>>`
    select coalesce(sum(counted) filter (where permission = ${permission} and ${same}), 0)::text as "toSame",
      coalesce(sum(counted) filter (where permission = ${permission}), 0)::text as "toAll",
      coalesce(sum(counted) filter (where status = 'given' and kind = any(${[...kindsOf(shopLimit)]}) and ${same}), 0)::text as "aloneToSame",
      coalesce(sum(counted) filter (where kind = any(${[...GIVING_KINDS]})), 0)::text as given,
      (select coalesce(sum(${COUNTED}), 0) from operator_act where order_id = ${orderId} and decided_by = ${actor}
        and status in ('given','approved') and kind = any(${[...GIVING_KINDS]}))::text as "forOrder"
    from (select *, ${COUNTED} as counted from operator_act where decided_by = ${actor} and status in ('given','approved') and decided_at > ${since}) a`.execute(
    tx,
  )
  const row = present(rows[0], 'a sum')
  return {
    toSame: BigInt(row.toSame),
    toAll: BigInt(row.toAll),
    aloneToSame: BigInt(row.aloneToSame),
    given: BigInt(row.given),
    forOrder: BigInt(row.forOrder),
  }
}

/** The account of an operator; null for an actor that is none, like a shopper or the shop itself. */
export async function findHand(tx: Tx, actor: string): Promise<Hand | null> {
  const row = await tx
    .selectFrom('operator')
    .select(['created_by', 'created_at', 'password_set_by', 'password_set_at'])
    .where(sql<string>`'operator:' || name`, '=', actor)
    .executeTakeFirst()
  return row
    ? {
        actor,
        createdBy: row.created_by,
        createdAt: row.created_at,
        passwordSetBy: row.password_set_by,
        passwordSetAt: row.password_set_at,
      }
    : null
}

/**
 * Whether there is somebody else who could approve what changes the team, or how the shop is paid: their account is no newer than the
 * time after which it counts as another's, and who was shut out lately counts as well, so that nobody is alone by shutting the other out.
 */
export async function hasAnotherApprover(
  db: Db | Tx,
  now: Date,
  /** Names of who asks, and of whom it is about. */
  except: readonly string[],
  permission: Permission = 'staff.manage',
): Promise<boolean> {
  const before = new Date(now.getTime() - APART_AFTER_HOURS * HOUR_MS)
  // What the program's own roles allow stands in no row.
  const builtIn = ROLES.filter(
    (role) => mayDo({ role }, permission) && mayDo({ role }, 'approval.decide'),
  )
  const { rows } = await sql<{ name: string }>`
    select o.name from operator o join operator_role r on r.code = o.role
    where (o.role = any(${[...builtIn]}::text[]) or r.permissions @> ${[permission, 'approval.decide']}::text[])
      and o.name <> all(${[...except]}) and o.created_at <= ${before} and (o.status = 'active' or o.disabled_at > ${before}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** What somebody asked for and nobody has decided. */
export async function listAskedBy(tx: Tx, actor: string): Promise<Act[]> {
  const rows = await tx
    .selectFrom('operator_act')
    .selectAll()
    .where('asked_by', '=', actor)
    .where('status', '=', 'waiting')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(actOf)
}

/** The act of a kind about something that can still be approved; null for none. */
export async function findWaiting(
  tx: Db | Tx,
  kind: ActKind,
  subject: string,
  now: Date,
): Promise<Act | null> {
  const row = await tx
    .selectFrom('operator_act')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'waiting')
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirst()
  return row ? actOf(row) : null
}

export async function findByPublicId(db: Db, publicId: string): Promise<Act | null> {
  const row = await db
    .selectFrom('operator_act')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row ? actOf(row) : null
}

/** The newest act of a kind about something that was not refused or left to end; null for none. */
export async function findAbout(tx: Tx, kind: ActKind, subject: string): Promise<Act | null> {
  const row = await tx
    .selectFrom('operator_act')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', 'in', ['given', 'waiting', 'approved'])
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? actOf(row) : null
}

export interface WaitingAct extends Act {
  readonly orderNumber: string | null
  readonly endsAt: Date | null
}

/** What waits for another person, longest first. */
export async function listWaiting(db: Db, now: Date, limit: number): Promise<WaitingAct[]> {
  const rows = await db
    .selectFrom('operator_act as a')
    .leftJoin('shop_order as o', 'o.id', 'a.order_id')
    .selectAll('a')
    .select('o.number')
    .where('a.status', '=', 'waiting')
    .where(({ or, eb }) => or([eb('a.ends_at', 'is', null), eb('a.ends_at', '>', now)]))
    .orderBy('a.asked_at')
    .orderBy('a.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...actOf(row), orderNumber: row.number, endsAt: row.ends_at }))
}

export async function countWaiting(db: Db, now: Date): Promise<number> {
  const row = await db
    .selectFrom('operator_act')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'waiting')
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** What operators gave a shopper, for the export of everything about them. */
export async function exportApproval(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('operator_act as a')
    .leftJoin('shop_order as o', 'o.id', 'a.order_id')
    .select(['a.kind', 'a.status', 'a.currency', 'a.amount_minor', 'a.asked_at', 'o.number'])
    .where('a.account_id', '=', accountId)
    .orderBy('a.asked_at')
    .orderBy('a.id')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    order: row.number,
    amount_minor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    asked_at: row.asked_at.toISOString(),
  }))
}
