import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { CaseKind, CaseStatus, CaseView, ServiceCase } from '../rules.ts'

/** A case as one row of the operators' list. */
export interface DeskCase {
  /** Public id. */
  readonly id: string
  readonly kind: CaseKind
  readonly reason: ServiceCase['reason']
  readonly status: CaseStatus
  readonly orderNumber: string
  /** Null when the person has been erased. */
  readonly shopper: string | null
  /** Of its first unit; null for a dispute, which is about the payment. */
  readonly goods: string | null
  readonly claimedBy: string | null
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

export interface CaseListQuery {
  readonly view: CaseView
  /** Name of who looks. */
  readonly operator: string
  /** Public id of the last case of the page before; null begins. */
  readonly after: string | null
  readonly limit: number
}

/** Cases, those that are open oldest first and those that are closed newest first; an index carries each list. */
export async function listDeskCases(
  db: Db,
  { view, operator, after, limit }: CaseListQuery,
): Promise<DeskCase[]> {
  const isClosed = view === 'closed'
  const place = isClosed ? sql`decided_at` : sql`created_at`
  const order = isClosed ? sql`decided_at desc, id desc` : sql`created_at, id`
  const beyond =
    after === null
      ? sql``
      : sql`and (${place}, id) ${isClosed ? sql`<` : sql`>`} (select ${place}, id from service_case where public_id = ${after})`
  const { rows } = await sql<DeskCase>`
    with listed as (select * from service_case where ${WHICH[view](operator)} ${beyond} order by ${order} limit ${limit})
    select c.public_id as id, c.kind, c.reason, c.status, o.number as "orderNumber", a.nickname as shopper,
      (select l.product_name || ', ' || l.item_name from service_case_unit m join order_unit u on u.id = m.unit_id join order_line l on l.id = u.line_id
        where m.case_id = c.id order by u.id limit 1) as goods,
      c.claimed_by as "claimedBy", c.due_at as "dueAt", c.created_at as "createdAt", c.decided_at as "decidedAt"
    from listed c join shop_order o on o.id = c.order_id join account a on a.id = c.account_id order by ${isClosed ? sql`c.decided_at desc, c.id desc` : sql`c.created_at, c.id`}`.execute(
    db,
  )
  return rows
}

const WHICH: Readonly<Record<CaseView, (operator: string) => RawBuilder<unknown>>> = {
  open: () => sql`status = 'open'`,
  mine: (operator) => sql`status = 'open' and claimed_by = ${operator}`,
  faulty: () => sql`status = 'open' and kind = 'faulty_key'`,
  disputes: () => sql`status = 'open' and kind = 'dispute'`,
  closed: () => sql`status <> 'open'`,
}

/** How many cases each list has, counted to one more than `most` and no further; of one's own, those among the oldest that are open. */
export async function countCaseViews(
  db: Db,
  operator: string,
  most: number,
): Promise<Readonly<Record<CaseView, number>>> {
  const upTo = (which: RawBuilder<unknown>) =>
    sql`(select count(*)::integer from (select from service_case where ${which} limit ${most + 1}) as found)`
  const { rows } = await sql<Record<CaseView, number>>`
    select ${upTo(WHICH.open(operator))} as open, ${upTo(WHICH.faulty(operator))} as faulty, ${upTo(WHICH.disputes(operator))} as disputes, ${upTo(WHICH.closed(operator))} as closed,
      (select count(*)::integer from (select claimed_by from service_case where status = 'open' order by created_at limit ${most + 1}) as oldest where claimed_by = ${operator}) as mine`.execute(
    db,
  )
  return rows[0] ?? { open: 0, mine: 0, faulty: 0, disputes: 0, closed: 0 }
}

/** What a number beside an entry shows at most. */
const COUNTED = 99
const DAY_MS = 86_400_000

/** Cases that wait, counted to 100 and no further, and whether a bank's term ends within a day. */
export async function countDeskCases(
  db: Db,
  now: Date,
): Promise<{ readonly count: number; readonly isLate: boolean }> {
  const { rows } = await sql<{ count: number; isLate: boolean }>`
    select (select count(*)::integer from (select from service_case where status = 'open' limit ${COUNTED + 1}) as waiting) as count,
      exists (select from service_case where status = 'open' and kind = 'dispute' and due_at < ${new Date(now.getTime() + DAY_MS)}) as "isLate"`.execute(
    db,
  )
  return rows[0] ?? { count: 0, isLate: false }
}
