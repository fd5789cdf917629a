import { sql } from 'kysely'
import { isRefundable, type UnitStatus } from '#features/buying/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import {
  findingsOf,
  type CaseKind,
  type CaseStatus,
  type Finding,
  type ServiceCase,
} from '../rules.ts'

/** One thing a case is about; of a dispute, everything its order holds. */
export interface CaseUnit {
  readonly publicId: string
  readonly name: string
  readonly delivery: string
  readonly status: UnitStatus
  readonly priceMinor: bigint
  readonly deliveredAt: Date | null
  readonly shownAt: Date | null
  readonly lastFour: string | null
  /** Other reports about keys of the same batch within 90 days; null where it holds no key. */
  readonly batchReports: number | null
  readonly batchSize: number | null
  readonly hasSpare: boolean
  /** When its key was replaced since the case was opened. */
  readonly replacedAt: Date | null
  /** When, and from which network, its buyer looked at its code. */
  readonly looks: readonly { readonly at: Date; readonly network: string }[]
}

/** Everything known about a case. */
export interface CaseFile {
  readonly id: string
  readonly kind: CaseKind
  readonly reason: ServiceCase['reason']
  readonly status: CaseStatus
  readonly text: string
  readonly hasPicture: boolean
  readonly destination: ServiceCase['destination']
  readonly note: string
  readonly claimedBy: string | null
  readonly dueAt: Date | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly createdAt: Date
  readonly shopper: {
    readonly id: string
    readonly nickname: string | null
    readonly email: string | null
    readonly language: LanguageCode
    readonly registeredAt: Date
    readonly emailVerifiedAt: Date | null
  }
  readonly order: {
    readonly number: string
    readonly currency: string
    readonly totalMinor: bigint
    readonly capturedMinor: bigint
    readonly refundedMinor: bigint
    readonly createdAt: Date
    readonly settledAt: Date | null
    readonly country: string | null
    readonly termsVersion: string
    readonly network: string | null
    readonly userAgent: string | null
  }
  readonly payment: {
    readonly provider: string
    readonly method: string
    readonly reference: string | null
    readonly isDisputed: boolean
  } | null
  readonly units: readonly CaseUnit[]
  /** Of the same shopper, before. */
  readonly before: {
    readonly asked: number
    readonly accepted: number
    readonly disputes: number
    readonly paidOrders: number
  }
  readonly findings: readonly Finding[]
}

type Head = Omit<CaseFile, 'order' | 'units' | 'findings' | 'before' | 'payment'> & {
  readonly caseId: string
  readonly orderId: string
  readonly accountId: string
  readonly order: Omit<
    CaseFile['order'],
    'totalMinor' | 'capturedMinor' | 'refundedMinor' | 'createdAt' | 'settledAt'
  > & {
    readonly total: string
    readonly captured: string
    readonly refunded: string
  }
  readonly orderedAt: Date
  readonly settledAt: Date | null
  readonly registeredAt: Date
  readonly emailVerifiedAt: Date | null
}

/** A case with its evidence, and what the rules say of it. Throws 'not_found'. */
export async function readCaseFile(db: Db, publicId: string): Promise<CaseFile> {
  const { caseId, orderId, accountId, orderedAt, settledAt, ...head } = await readHead(db, publicId)
  const [units, payment, before] = await Promise.all([
    readUnits(db, { caseId, orderId, isWhole: head.kind === 'dispute', since: head.createdAt }),
    readPayment(db, orderId),
    readBefore(db, { accountId, caseId, at: head.createdAt }),
  ])
  const { total, captured, refunded, ...order } = head.order
  const { registeredAt, emailVerifiedAt, ...told } = head
  return {
    ...told,
    shopper: { ...head.shopper, registeredAt, emailVerifiedAt },
    order: {
      ...order,
      totalMinor: BigInt(total),
      capturedMinor: BigInt(captured),
      refundedMinor: BigInt(refunded),
      createdAt: orderedAt,
      settledAt,
    },
    payment,
    units,
    before,
    findings: findingsOf({
      kind: head.kind,
      openedAt: head.createdAt,
      isDisputed: payment?.isDisputed ?? false,
      before,
      units: units.map((unit) => ({
        ...unit,
        isRefundable: isRefundable(unit),
        isReplaced: unit.replacedAt !== null,
      })),
    }),
  }
}

async function readHead(db: Db, publicId: string): Promise<Head> {
  const { rows } = await sql<Head>`
    select c.id as "caseId", c.order_id as "orderId", c.account_id as "accountId", c.public_id as id, c.kind, c.reason, c.status, c.text,
      c.picture is not null as "hasPicture", c.destination, c.note, c.claimed_by as "claimedBy", c.due_at as "dueAt", c.decided_by as "decidedBy",
      c.decided_at as "decidedAt", c.created_at as "createdAt", o.created_at as "orderedAt", o.settled_at as "settledAt",
      a.registered_at as "registeredAt", a.email_verified_at as "emailVerifiedAt",
      json_build_object('id', a.user_id, 'nickname', a.nickname, 'email', a.email, 'language', o.language) as shopper,
      json_build_object('number', o.number, 'currency', o.currency, 'total', o.total_minor::text, 'captured', o.captured_minor::text, 'refunded', o.refunded_minor::text,
        'country', o.country, 'termsVersion', o.terms_version, 'network', o.evidence->>'network', 'userAgent', o.evidence->>'user_agent') as "order"
    from service_case c join shop_order o on o.id = c.order_id join account a on a.id = c.account_id where c.public_id = ${publicId}`.execute(
    db,
  )
  const head = rows[0]
  if (!head) throw new AppError('not_found')
  return head
}

/** Days within which reports about one batch belong together. */
const BATCH_DAYS = 90

async function readUnits(
  db: Db,
  {
    caseId,
    orderId,
    isWhole,
    since,
  }: {
    readonly caseId: string
    readonly orderId: string
    readonly isWhole: boolean
    readonly since: Date
  },
): Promise<CaseUnit[]> {
  const which = isWhole
    ? sql`u.order_id = ${orderId}`
    : sql`u.id in (select unit_id from service_case_unit where case_id = ${caseId})`
  const { rows } = await sql<
    Omit<CaseUnit, 'priceMinor' | 'looks'> & {
      readonly price: string
      readonly keyId: string | null
    }
  >`
    select u.public_id as "publicId", l.product_name || ', ' || l.item_name as name, u.delivery, u.status, u.price_minor::text as price,
      u.delivered_at as "deliveredAt", k.revealed_at as "shownAt", k.last_four as "lastFour", k.id as "keyId", b.imported as "batchSize",
      case when k.batch_id is not null then (
        select count(distinct s.id)::integer from service_case s join service_case_unit m on m.case_id = s.id join card_key n on n.unit_id = m.unit_id
        where s.kind = 'faulty_key' and s.id <> ${caseId} and s.created_at > ${since}::timestamptz - ${BATCH_DAYS} * interval '1 day' and n.batch_id = k.batch_id) end as "batchReports",
      exists (select from card_key f where f.item = u.item and f.status = 'free') as "hasSpare",
      (select max(replaced_at) from key_replacement r where r.unit_id = u.id and r.replaced_at >= ${since}) as "replacedAt"
    from order_unit u join order_line l on l.id = u.line_id
      left join card_key k on k.unit_id = u.id left join key_batch b on b.id = k.batch_id
    where ${which} order by u.id limit 200`.execute(db)
  const looks = await readLooks(
    db,
    rows.flatMap(({ keyId }) => keyId ?? []),
  )
  return rows.map(({ price, keyId, ...unit }) => ({
    ...unit,
    priceMinor: BigInt(price),
    looks: keyId === null ? [] : (looks.get(keyId) ?? []),
  }))
}

async function readLooks(db: Db, keyIds: readonly string[]) {
  if (keyIds.length === 0) return new Map<string, CaseUnit['looks'][number][]>()
  const rows = await db
    .selectFrom('key_access')
    .select(['key_id', 'at', 'network'])
    .where('key_id', 'in', [...keyIds])
    .where('actor', 'like', 'account:%')
    .orderBy('at')
    .limit(500)
    .execute()
  const byKey = Map.groupBy(rows, ({ key_id }) => key_id)
  return new Map(
    [...byKey].map(([key, found]) => [key, found.map(({ at, network }) => ({ at, network }))]),
  )
}

async function readPayment(db: Db, orderId: string): Promise<CaseFile['payment']> {
  const row = await db
    .selectFrom('payment_attempt')
    .select(['provider', 'method', 'provider_reference', 'is_disputed'])
    .where('order_id', '=', orderId)
    .where('captured_minor', '>', '0')
    .orderBy('is_applied', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row
    ? {
        provider: row.provider,
        method: row.method,
        reference: row.provider_reference,
        isDisputed: row.is_disputed,
      }
    : null
}

/** Orders are counted so far and no further. */
const COUNTED = 1_000

async function readBefore(
  db: Db,
  {
    accountId,
    caseId,
    at,
  }: { readonly accountId: string; readonly caseId: string; readonly at: Date },
): Promise<CaseFile['before']> {
  const { rows } = await sql<CaseFile['before']>`
    select count(*) filter (where kind <> 'dispute')::integer as asked, count(*) filter (where kind <> 'dispute' and status = 'accepted')::integer as accepted,
      count(*) filter (where kind = 'dispute')::integer as disputes,
      (select count(*)::integer from (select from shop_order o where o.account_id = ${accountId} and o.settled_at < ${at} limit ${COUNTED}) as paid) as "paidOrders"
    from service_case where account_id = ${accountId} and created_at <= ${at} and id <> ${caseId}`.execute(
    db,
  )
  return rows[0] ?? { asked: 0, accepted: 0, disputes: 0, paidOrders: 0 }
}
