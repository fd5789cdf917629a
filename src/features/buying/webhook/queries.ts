import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** Endpoints of accounts in use that something is due for, longest left alone first, without those that are being told something. */
export async function listDueEndpoints(
  db: Db,
  now: Date,
  busy: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from webhook_endpoint e join account a on a.id = e.account_id and a.status = 'active'
    where e.status = 'on' and e.id <> all(${[...busy]}::uuid[])
      and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting' and d.due_at <= ${now})
    order by e.last_attempt_at nulls first limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface ListedEndpoint {
  readonly endpoint: string
  readonly email: string | null
  readonly url: string
  readonly status: 'on' | 'off'
  readonly waiting: number
  readonly givenUp: number
  readonly delivered: number
  readonly lastAttemptAt: Date | null
}

export async function listEndpoints(db: Db): Promise<ListedEndpoint[]> {
  const { rows } = await sql<ListedEndpoint>`
    select e.public_id as endpoint, a.email, e.url, e.status, e.last_attempt_at as "lastAttemptAt",
      d.waiting::integer as waiting, d."givenUp"::integer as "givenUp", d.delivered::integer as delivered
    from webhook_endpoint e join account a on a.id = e.account_id cross join lateral (
      select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'given_up') as "givenUp",
        count(*) filter (where state = 'delivered') as delivered from webhook_delivery where endpoint_id = e.id
    ) as d order by e.status desc, e.created_at`.execute(db)
  return rows
}

export interface ListedDelivery {
  readonly delivery: string
  readonly orderNumber: string
  readonly orderStatus: string
  readonly state: 'waiting' | 'delivered' | 'given_up'
  readonly attempts: number
  readonly answer: string | null
  readonly createdAt: Date
  readonly dueAt: Date
}

/** What an endpoint was told last, newest first, before a delivery where one is named. */
export async function listDeliveries(
  db: Db,
  endpoint: string,
  limit: number,
  before?: string,
): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select d.public_id as delivery, o.number as "orderNumber", d.order_status as "orderStatus", d.state, d.attempts, d.answer,
      d.created_at as "createdAt", d.due_at as "dueAt"
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id join shop_order o on o.id = d.order_id
    where e.public_id = ${endpoint} ${before === undefined ? sql`` : sql`and (d.created_at, d.id) < (select b.created_at, b.id from webhook_delivery b where b.public_id = ${before})`} order by d.created_at desc, d.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Where a person is told of their orders, for the export of everything about them. */
export async function exportWebhook(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['url', 'status', 'created_at'])
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => ({ ...row }))
}
