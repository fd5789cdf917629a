import { sql } from 'kysely'
import { startOperatorSession } from '#features/team/operator/commands.ts'
import { operatorCookie } from '#features/team/operator/flows.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { unchecked } from '../buying/made-up.ts'

const AUDIT_A_STATEMENT = 500_000

/** Accounts as shops have them; their names and addresses tell their number. @returns the account of order number `n`, as SQL */
export async function addCustomers(db: Db, count: number) {
  await sql`create unlogged table made_up_shopper as select no, uuidv7() as id from generate_series(0, ${sql.lit(count - 1)}) as no`.execute(
    db,
  )
  await sql`alter table made_up_shopper add primary key (no)`.execute(db)
  await unchecked(db, [
    sql`
    insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, mobile, language, registered_at)
    select id, substr(md5('shopper ' || no), 1, 22), 300000000 + no, 'customer' || no, 'Customer ' || no, 'customer' || no || '@shopper.example', at,
      case when no % 3 = 0 then '+4917' || lpad(no::text, 8, '0') end, (array['en', 'de', 'ja', 'ar', 'es'])[1 + no % 5], at
    from made_up_shopper cross join lateral (select now() - no * interval '2 minutes' as at)`,
    sql`analyze account`,
  ])
  return sql<string>`(select s.id from made_up_shopper s where s.no = (n * 7919) % ${sql.lit(count)})`
}

/** Changes that colleagues have made over two years, sealed by nobody yet. */
export async function addAudit(db: Db, count: number): Promise<void> {
  for (let from = 0; from < count; from += AUDIT_A_STATEMENT)
    await unchecked(db, [
      sql`
      insert into audit_log (id, at, actor, request_id, action, subject, subject_code, before, after)
      select uuidv7(at - now()), at, 'operator:colleague' || n % 10, 'made-up-' || n,
        (array['order.note', 'refund.request', 'key.see', 'shopper.seen', 'setting.changed', 'unit.deliver', 'case.answer'])[1 + n % 7],
        (array['order', 'refund', 'key', 'account', 'setting', 'unit', 'case'])[1 + n % 7], n::text, null, '{"made": "up"}'
      from generate_series(${sql.lit(from)}::integer, ${sql.lit(Math.min(count, from + AUDIT_A_STATEMENT) - 1)}::integer) as n
        cross join lateral (select now() - (${sql.lit(count)} - n) * interval '20 seconds' as at)`,
    ])
  await sql`vacuum analyze audit_log`.execute(db)
}

/** Sessions of the demo's owner, each a person at work. @returns their cookies */
export async function addColleagues(ctx: Ctx, count: number): Promise<string[]> {
  const operator = await ctx.db
    .selectFrom('operator')
    .select(['id', 'name', 'role'])
    .executeTakeFirstOrThrow()
  const visitor = { address: '127.0.0.1', network: '127.0.0.0/24', userAgent: 'bench' }
  const cookies: string[] = []
  for (let index = 0; index < count; index += 1) {
    const token = await transaction(ctx, (tx) =>
      startOperatorSession(tx, ctx, { operator, visitor, factor: 'totp', replaces: null }),
    )
    cookies.push(operatorCookie(token, false).split(';')[0] ?? '')
  }
  return cookies
}

/** Of every order a tax, and of every third one a purchase at one of three suppliers; searches without a result of a year. */
export async function addReported(db: Db): Promise<void> {
  await unchecked(db, [
    sql`insert into supplier (code, created_at) select code, now() from unnest(array['bench-one', 'bench-two', 'bench-three']) as code on conflict do nothing`,
    sql`
    insert into tax_booking (id, order_id, kind, at, country, class, basis_points, currency, gross_minor, tax_minor)
    select uuidv7(o.settled_at - now()), o.id, 'sale', o.settled_at, c.codes[1 + n % cardinality(c.codes)], 'service', (array[0, 700, 1900])[1 + n % 3], o.currency, o.total_minor, o.total_minor / 10
    from (select *, row_number() over () as n from shop_order where settled_at is not null) as o cross join (select array_agg(code) as codes from (select code from country order by code limit 60) as c) as c`,
    sql`
    insert into purchase (id, reference, supplier, order_id, item, status, kind, product, quantity, currency, expected_minor, max_minor, actual_minor, why, request_id, created_at, updated_at, ended_at)
    select uuidv7(o.settled_at - now()), 'bench-' || n, (array['bench-one', 'bench-two', 'bench-three'])[1 + n % 3], o.id, u.item, case when n % 50 = 0 then 'failed' else 'done' end, 'key', 'x', 1, 'USD', 5, 9,
      case when n % 50 = 0 then null else 5 end, '{}', 'bench', o.settled_at, o.settled_at, o.settled_at + interval '1 second' * (n % 300)
    from (select *, row_number() over () as n from shop_order where settled_at is not null) as o
      join lateral (select item from order_unit where order_id = o.id and item is not null limit 1) as u on true where n % 3 = 0`,
    sql`
    insert into search_miss (day, words, searches)
    select current_date - d, 'looked for ' || (d * 31 + w * 7) % 4000 || ' ' || w, 1 + (d + w) % 9 from generate_series(0, 729) as d cross join generate_series(1, 300) as w`,
    sql`analyze tax_booking, purchase, search_miss`,
  ])
}
