import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db.ts'

/** A product whose keys sell, as its rows are named here. */
export interface MadeUpGoods {
  readonly item: string
  readonly batch: string
}

const CURRENCY = 'USD'
const PROVIDER = 'bench'
/** Price of a unit and fee of a payment, in minor units. */
const PRICE = 1_000
const FEE = 30
const CONNECTIONS = 4

/** A currency, a key-encryption key's row, and accounts of the books: what a shop has long had when the first measure begins. */
export async function addBooks(db: Db): Promise<void> {
  await sql`insert into currency (code, minor_units, position, numeric_code, name, symbol, is_checkout) values (${CURRENCY}, 2, 0, '840', 'US dollar', '$', true) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into region (code, name, position) values ('global', 'Global', 0) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into key_encryption_key (id, check_value, created_at) values (1, sha256('made up'), now())`.execute(
    db,
  )
  await sql`insert into ledger_account (code, currency) select code, ${CURRENCY} from unnest(${[`provider:${PROVIDER}`, 'held', 'orders', 'sales', 'fees']}::text[]) as code`.execute(
    db,
  )
}

export async function addGoods(db: Db, name: string): Promise<MadeUpGoods> {
  await sql`insert into brand (code, kind, type, name, delivery, source) values (${name}, 'gift_card', 1, ${name}, 'card_key', 'bench')`.execute(
    db,
  )
  await sql`insert into product (code, brand, region, position, source) values (${`${name}-global`}, ${name}, 'global', 0, 'bench')`.execute(
    db,
  )
  const { rows } = await sql<MadeUpGoods>`
    with made as (
      insert into item (id, code, product, kind, name, price_minor, price_currency, position, source, updated_at)
      values (uuidv7(), ${`card:${name}:10`}, ${`${name}-global`}, 'value', '10 USD', ${PRICE}, ${CURRENCY}, 0, 'bench', now()) returning id
    )
    insert into key_batch (id, item, file_name, imported, duplicates, refused, created_at, created_by)
    select uuidv7(), id, 'made-up.txt', 1, 0, 0, now(), 'bench' from made returning item, id as batch`.execute(
    db,
  )
  const [goods] = rows
  if (!goods) throw new Error('no goods were made')
  return goods
}

/** A shopper by number. @returns the account's id */
export async function addShopper(db: Db, number: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, language, registered_at)
    values (uuidv7(), ${`benchbuyer${String(number).padStart(12, '0')}`}, ${910_000_000 + number}, ${`benchbuyer${number}`}, ${`benchbuyer${number}`},
      ${`buyer${number}@shopper.example`}, now(), 'en', now()) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

const MADE_UP_TEXT = sql`sha256('text') || sha256('more text')`
const MADE_UP_WRAPPING = sql`sha256('wrapped') || substr(sha256('key'), 1, 28)`

interface FreeKeys {
  /** Numbers them. */
  readonly from: number
  readonly count: number
}

/** Keys in stock; what they say is made up, as long as real ones. */
export async function addFreeKeys(db: Db, goods: MadeUpGoods, keys: FreeKeys): Promise<void> {
  await freeKeys(goods, keys).execute(db)
}

/** The same without what the shop counts and checks, on several connections. */
export async function addManyFreeKeys(
  db: Db,
  goods: MadeUpGoods,
  { from, count }: FreeKeys,
): Promise<void> {
  const share = Math.ceil(count / CONNECTIONS)
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      unchecked(db, [
        freeKeys(goods, {
          from: from + index * share,
          count: Math.min(share, count - index * share),
        }),
      ]),
    ),
  )
}

function freeKeys({ item, batch }: MadeUpGoods, { from, count }: FreeKeys): RawBuilder<unknown> {
  return sql`
    insert into card_key (id, item, batch_id, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four)
    select uuidv7(), ${item}, ${batch}, substr(sha256(n::text::bytea), 1, 12), ${MADE_UP_TEXT}, ${MADE_UP_WRAPPING}, 1,
      sha256(('key ' || n)::bytea), lpad((n % 10000)::text, 4, '0')
    from generate_series(${sql.lit(from)}::bigint, ${sql.lit(from + count - 1)}::bigint) as n`
}

interface MadeUpOrders<Account = string> {
  readonly account: Account
  readonly goods: MadeUpGoods
  /** First of the orders' numbers. */
  readonly from: number
  readonly count: number
}

/** The parts of an order that are the same for all of these; `n` is its number, `o` its row. */
const ORDER_COLUMNS = sql`id, public_id, number, account_id, request_key, request_hash, currency, pricing, language, terms_version, goods_minor, fee_minor, total_minor, expires_at, created_at, updated_at, waived_at, has_cards`
const LINE_VALUES = sql`'card', 'bench', 1, 'card_key', 'Bench', '10 USD'`

/**
 * Orders of one unit whose payment is open at the provider, with nothing reserved. Their payments' references there are
 * `bench_` and the attempt's id. @returns the attempts' ids
 */
export async function addOpenOrders(
  db: Db,
  { account, goods, from, count }: MadeUpOrders,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with placed as (
      insert into shop_order (${ORDER_COLUMNS}, status)
      select uuidv7(), substr(md5('order ' || n), 1, 22), lpad(n::text, 13, '0'), ${account}, n::text, sha256(n::text::bytea), ${CURRENCY}, '{}', 'en', '2026-11', ${PRICE}, ${FEE}, ${PRICE + FEE},
        now() + interval '1 day', now(), now(), now(), true, 'waiting_for_payment'
      from generate_series(${from}::bigint, ${from + count - 1}::bigint) as n returning id, number
    ), lined as (
      insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency)
      select uuidv7(), id, 0, ${goods.item}, ${LINE_VALUES}, 1, ${PRICE}, ${PRICE}, ${CURRENCY} from placed returning id, order_id
    ), units as (
      insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor)
      select uuidv7(), substr(md5('unit ' || id), 1, 22), order_id, id, 1, ${goods.item}, 'card_key', ${PRICE} from lined
    ), events as (
      insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
      select uuidv7(), id, now(), 'bench', 'bench', 'pending_payment', 'waiting_for_payment', 'payment_started' from placed
    ), named as (
      select uuidv7() as attempt, id, number from placed
    )
    insert into payment_attempt (id, public_id, order_id, provider, method, status, currency, amount_minor, fee_minor, provider_reference, check_at, created_at, updated_at)
    select attempt, substr(md5('attempt ' || number), 1, 22), id, ${PROVIDER}, 'card', 'requires_action', ${CURRENCY}, ${PRICE + FEE}, ${FEE}, ${`${PROVIDER}_`} || attempt,
      now() + interval '1 day', now(), now() from named returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The account may be told by the order's number `n`. */
export interface SoldOrders extends MadeUpOrders<string | RawBuilder<string>> {
  readonly unitsAnOrder: number
  /** Between two orders; else they are of one day after another at a second each. */
  readonly apartSeconds?: number
}

/**
 * Orders long completed, with their keys delivered and their money booked. The tables' checks hold; what refers to what is right.
 * Each table is filled on a connection of its own.
 */
export async function addSoldOrders(
  db: Db,
  { account, goods, from, count: orders, unitsAnOrder, apartSeconds = 1 }: SoldOrders,
): Promise<void> {
  const total = PRICE * unitsAnOrder + FEE
  const on = sql`'2026-01-01'::timestamptz + n * ${sql.lit(apartSeconds)} * interval '1 second'`
  const [sold, units] = [sql.table(`made_up_sold_${from}`), sql.table(`made_up_unit_${from}`)]
  await sql`create unlogged table ${sold} as
    select n, uuidv7() as order_id, uuidv7() as line_id, uuidv7() as attempt_id from generate_series(${sql.lit(from)}::bigint, ${sql.lit(from + orders - 1)}::bigint) as n`.execute(
    db,
  )
  await sql`create unlogged table ${units} as select n, order_id, line_id, unit_no, uuidv7() as id from ${sold}, generate_series(1, ${sql.lit(unitsAnOrder)}) as unit_no`.execute(
    db,
  )
  await Promise.all(
    [
      sql`
      insert into shop_order (${ORDER_COLUMNS}, status, captured_minor, settled_at, cards_delivered)
      select order_id, substr(md5('sold ' || n), 1, 22), '9' || lpad(n::text, 12, '0'), ${account}, 'sold ' || n, sha256('made up'), ${CURRENCY}, '{}', 'en', '2026-11', ${total - FEE}::numeric, ${FEE}, ${total}::numeric,
        ${on}, ${on}, ${on}, ${on}, true, 'completed', ${total}::numeric, ${on}, ${sql.lit(unitsAnOrder)} from ${sold}`,
      sql`
      insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency)
      select line_id, order_id, 0, ${goods.item}, ${LINE_VALUES}, ${unitsAnOrder}, ${PRICE}, ${PRICE}, ${CURRENCY} from ${sold}`,
      sql`
      insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor, status, delivered_at)
      select id, substr(md5('unit ' || id), 1, 22), order_id, line_id, unit_no, ${goods.item}, 'card_key', ${PRICE}, 'delivered', ${on} from ${units}`,
      sql`
      insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
      select uuidv7(), order_id, ${on}, 'bench', 'bench', 'waiting_for_payment', 'completed', 'paid' from ${sold}`,
      sql`
      insert into payment_attempt (id, public_id, order_id, provider, method, status, currency, amount_minor, fee_minor, provider_reference, captured_minor, captured_currency, captures, is_applied, created_at, updated_at)
      select attempt_id, substr(md5('sold attempt ' || n), 1, 22), order_id, ${PROVIDER}, 'card', 'captured', ${CURRENCY}, ${total}::numeric, ${FEE}, ${`${PROVIDER}_`} || attempt_id, ${total}::numeric, ${CURRENCY}, 1, true, ${on}, ${on} from ${sold}`,
      sql`
      insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at, account_id)
      select uuidv7(), moved.source, moved.source_id, moved.leg, debit.id, credit.id, ${CURRENCY}, moved.amount, moved.at, moved.account
      from (
        select 'capture' as source, attempt_id as source_id, ${account}::uuid as account, 0 as leg, ${`provider:${PROVIDER}`} as debit, 'held' as credit, ${total}::numeric as amount, ${on} as at from ${sold}
        union all select 'settle', order_id, null, 0, 'held', 'orders', ${total - FEE}::numeric, ${on} from ${sold}
        union all select 'settle', order_id, null, 1, 'held', 'fees', ${FEE}::numeric, ${on} from ${sold}
        union all select 'deliver', id, null, 0, 'orders', 'sales', ${PRICE}::numeric, ${on} from ${units}
      ) as moved
      join ledger_account debit on debit.code = moved.debit and debit.currency = ${CURRENCY} join ledger_account credit on credit.code = moved.credit and credit.currency = ${CURRENCY}`,
      sql`
      insert into card_key (id, item, batch_id, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, status, unit_id, claimed_at, delivered_at)
      select uuidv7(), ${goods.item}, ${goods.batch}, '\\x000102030405060708090a0b', ${MADE_UP_TEXT}, ${MADE_UP_WRAPPING}, 1, sha256(('sold ' || id)::bytea), '1234', 'delivered', id, ${on}, ${on} from ${units}`,
    ].map((insert) => unchecked(db, [insert])),
  )
  await sql`drop table ${sold}, ${units}`.execute(db)
}

/** Statements on one connection, whose rows refer to rows made here: those need not be looked up one by one. */
export async function unchecked(db: Db, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    for (const statement of statements) await statement.execute(connection)
    await sql`set session_replication_role = origin`.execute(connection)
  })
}

const FILLED = [
  'shop_order',
  'order_line',
  'order_unit',
  'order_event',
  'payment_attempt',
  'ledger_transfer',
  'card_key',
  'refund',
]

/** After many rows were added, as the server's own upkeep leaves tables. */
export async function tidy(db: Db): Promise<void> {
  for (const table of FILLED) await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}

/**
 * Of an account's completed orders every other one gets a top-up as well, half of them still under way, and every fourth was
 * given back in full: what filters tell apart.
 */
export async function mixOrders(db: Db, account: string): Promise<void> {
  await unchecked(db, [
    sql`create temporary table mixed as select o.id, l.id as line, o.number::bigint % 4 as rest from shop_order o join order_line l on l.order_id = o.id where o.account_id = ${account}`,
    sql`create temporary table charged as select id, uuidv7() as line, uuidv7() as unit, rest from mixed where rest in (1, 3)`,
    sql`
      insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency)
      select charged.line, charged.id, 1, l.item, 'top-up', l.product, 2, 'direct_charge', 'Bench', 'top-up', 1, ${PRICE}, ${PRICE}, ${CURRENCY} from charged join order_line l on l.order_id = charged.id`,
    sql`
      insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor, status, delivered_at)
      select charged.unit, substr(md5('unit ' || charged.unit), 1, 22), charged.id, charged.line, 1, l.item, 'direct_charge', ${PRICE}, case rest when 1 then 'queued' else 'delivered' end, case rest when 3 then now() end
      from charged join order_line l on l.id = charged.line`,
    sql`
      update shop_order o set has_charging = true, status = case rest when 1 then 'shipping' else o.status end, goods_minor = o.goods_minor + ${PRICE}, total_minor = o.total_minor + ${PRICE}, captured_minor = o.captured_minor + ${PRICE}
      from charged where charged.id = o.id`,
    sql`
      insert into refund (id, public_id, order_id, attempt_id, purpose, destination, status, currency, amount_minor, reason, requested_by, approved_by, provider, created_at, updated_at)
      select uuidv7(), substr(md5('refund ' || p.id), 1, 22), p.order_id, p.id, 'goods', 'original', 'succeeded', p.currency, p.captured_minor, 'mistake', 'system', 'system', p.provider, p.updated_at, p.updated_at
      from payment_attempt p join mixed on mixed.id = p.order_id and mixed.rest = 2`,
    sql`
      insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at, account_id)
      select uuidv7(), 'refund', r.id, 0, debit.id, credit.id, r.currency, r.amount_minor, r.updated_at, ${account}::uuid from refund r join mixed on mixed.id = r.order_id
      join ledger_account debit on debit.code = 'sales' join ledger_account credit on credit.code = 'provider:' || r.provider`,
    sql`update shop_order o set status = 'refunded', refunded_minor = captured_minor, has_claims = true from mixed where mixed.id = o.id and mixed.rest = 2`,
    sql`drop table mixed, charged`,
  ])
}

/** Fills tables without most of their indexes, and with nothing counted a row; the indexes are made again afterwards. */
export async function inBulk(db: Db, fill: () => Promise<void>): Promise<void> {
  const tables = sql`${FILLED}::text[]::regclass[]`
  const { rows: constraints } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(c.oid) as definition from pg_constraint c
    where contype = 'u' and conrelid = any (${tables}) and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)`.execute(
    db,
  )
  const { rows: indexes } = await sql<{ table: string; name: string; definition: string }>`
    select indrelid::regclass::text as "table", indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
    where indrelid = any (${tables}) and not indisprimary and not exists (select from pg_constraint where conindid = i.indexrelid)`.execute(
    db,
  )
  for (const { table, name } of constraints)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.table(name)}`.execute(db)
  await fill()
  // Made again a table on each connection.
  const again = [
    ...indexes.map(({ table, definition }) => ({ table, statement: definition })),
    ...constraints.map(({ table, name, definition }) => ({
      table,
      statement: `alter table ${table} add constraint ${name} ${definition}`,
    })),
  ]
  await Promise.all(
    [...Map.groupBy(again, ({ table }) => table).values()].map((ofTable) =>
      unchecked(db, [
        sql`set maintenance_work_mem = '256MB'`,
        ...ofTable.map(({ statement }) => sql.raw(statement)),
        sql`reset maintenance_work_mem`,
      ]),
    ),
  )
}
