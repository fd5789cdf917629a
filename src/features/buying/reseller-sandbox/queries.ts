import { sql, type Selectable } from 'kysely'
import type { ListedKey, OrderPage } from '#features/buying/reseller/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ResellerTestOrderTable } from '#platform/tables.ts'
import { TEST_SCOPES, type TestKey, type TestLine, type TestOrder } from './rules.ts'

/** A test key in force, of an account in use; null for any other. */
export async function findTestKey(db: Db, publicId: string): Promise<TestKey | null> {
  const { rows } = await sql<
    Omit<TestKey, 'orderMax' | 'dayMax'> & Record<'orderMax' | 'dayMax', string>
  >`select k.id, k.public_id as "publicId", k.account_id as "accountId", a.role_id as "roleId", k.salt,
      k.order_max_minor::text as "orderMax", k.day_max_minor::text as "dayMax"
    from reseller_test_key k join account a on a.id = k.account_id
    where k.public_id = ${publicId} and k.revoked_at is null and a.status = 'active'`.execute(db)
  const [row] = rows
  return row ? { ...row, orderMax: BigInt(row.orderMax), dayMax: BigInt(row.dayMax) } : null
}

const DAY_MS = 86_400_000
const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS)

/** What a test key ordered within a day, its row locked; null for one that was revoked. */
export async function lockTested(
  tx: Tx,
  keyId: string,
  now: Date,
): Promise<{
  readonly usdMinor: bigint
  readonly orders: number
  readonly webhookUrl: string | null
} | null> {
  const key = await tx
    .selectFrom('reseller_test_key')
    .select('webhook_url')
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!key) return null
  const { rows } = await sql<{ usd: string; orders: number }>`
    select coalesce(sum(usd_minor) filter (where refusal is null), 0)::text as usd, count(*)::integer as orders
    from reseller_test_order where key_id = ${keyId} and created_at > ${dayBefore(now)}`.execute(tx)
  return {
    usdMinor: BigInt(rows[0]?.usd ?? '0'),
    orders: rows[0]?.orders ?? 0,
    webhookUrl: key.webhook_url,
  }
}

/** A test order of an account by its reference or the shop's id of it; null where there is none. */
export async function findTestOrder(
  db: Db | Tx,
  accountId: string,
  by: { readonly reference: string } | { readonly order: string },
): Promise<TestOrder | null> {
  const row = await db
    .selectFrom('reseller_test_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((each) =>
      'reference' in by ? each('reference', '=', by.reference) : each('public_id', '=', by.order),
    )
    .executeTakeFirst()
  return row ? testOrderOf(row) : null
}

/** A page of an account's test orders. */
export async function listTestOrders(
  db: Db,
  accountId: string,
  { from, to, after, limit }: OrderPage,
): Promise<TestOrder[]> {
  const orders = db
    .selectFrom('reseller_test_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
  const rows = await orders
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(created_at, id) > (select l.created_at, l.id from reseller_test_order l where l.account_id = ${accountId} and l.reference = ${after})`,
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(testOrderOf)
}

const testOrderOf = (row: Selectable<ResellerTestOrderTable>): TestOrder => ({
  id: row.id,
  publicId: row.public_id,
  keyId: row.key_id,
  reference: row.reference,
  requestHash: row.request_hash,
  currency: row.currency,
  lines: row.lines as readonly TestLine[],
  refusal: row.refusal,
  createdAt: row.created_at,
})

/** Test keys, as keys are listed. */
export async function listTestKeys(db: Db, now: Date): Promise<ListedKey[]> {
  const { rows } = await sql<
    Pick<ListedKey, 'key' | 'email' | 'name' | 'createdAt' | 'revokedAt'> &
      Record<'orderMaxUsd' | 'dayMaxUsd' | 'dayUsd', string>
  >`select k.public_id as key, a.email, k.name, k.order_max_minor::text as "orderMaxUsd", k.day_max_minor::text as "dayMaxUsd",
      k.created_at as "createdAt", k.revoked_at as "revokedAt", coalesce((select sum(o.usd_minor) from reseller_test_order o
        where o.key_id = k.id and o.refusal is null and o.created_at > ${dayBefore(now)}), 0)::text as "dayUsd"
    from reseller_test_key k join account a on a.id = k.account_id order by k.revoked_at is not null, k.created_at desc limit 1000`.execute(
    db,
  )
  return rows.map(({ orderMaxUsd, dayMaxUsd, dayUsd, ...row }) => ({
    ...row,
    scopes: TEST_SCOPES,
    orderMaxUsd: BigInt(orderMaxUsd),
    dayMaxUsd: BigInt(dayMaxUsd),
    agentMaxUsd: null,
    dayUsd: BigInt(dayUsd),
    networks: [],
    lastUsedAt: null,
  }))
}

/** Test keys whose orders are to be told of now, those that were left alone longest first, without those that are being told something. */
export async function listDueTestKeys(
  db: Db,
  now: Date,
  busy: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select k.id from reseller_test_key k join account a on a.id = k.account_id and a.status = 'active'
    where k.revoked_at is null and k.id <> all(${[...busy]}::uuid[])
      and exists (select from reseller_test_delivery d where d.key_id = k.id and d.state = 'waiting' and d.due_at <= ${now})
    order by k.last_attempt_at nulls first limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A reseller's test keys and test orders, for the export of everything about them. No secret is among it. */
export async function exportResellerSandbox(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ part: Record<string, unknown> }>`
    select json_build_object('key', public_id, 'name', name, 'webhook', webhook_url, 'created_at', created_at, 'revoked_at', revoked_at) as part
    from reseller_test_key where account_id = ${accountId}
    union all
    select json_build_object('reference', reference, 'order', public_id, 'lines', lines, 'created_at', created_at)
    from reseller_test_order where account_id = ${accountId}`.execute(db)
  return rows.map(({ part }) => part)
}
