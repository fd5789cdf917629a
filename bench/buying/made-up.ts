import { sql } from 'kysely'
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

/** A currency, a key-encryption key's row, and accounts of the books: what a shop has long had when the first measure begins. */
export async function addBooks(db: Db): Promise<void> {
  await sql`insert into currency (code, minor_units, position, numeric_code, name, symbol, is_checkout) values (${CURRENCY}, 2, 0, '840', 'US dollar', '$', true) on conflict do nothing`.execute(db)
  await sql`insert into region (code, name, position) values ('global', 'Global', 0) on conflict do nothing`.execute(db)
  await sql`insert into key_encryption_key (id, check_value, created_at) values (1, sha256('made up'), now())`.execute(db)
  await sql`insert into ledger_account (code, currency) select code, ${CURRENCY} from unnest(${[`provider:${PROVIDER}`, 'held', 'orders', 'sales', 'fees']}::text[]) as code`.execute(db)
}

export async function addGoods(db: Db, name: string): Promise<MadeUpGoods> {
  await sql`insert into brand (code, kind, type, name, delivery, source) values (${name}, 'gift_card', 1, ${name}, 'card_key', 'bench')`.execute(db)
  await sql`insert into product (code, brand, region, position, source) values (${`${name}-global`}, ${name}, 'global', 0, 'bench')`.execute(db)
  const { rows } = await sql<MadeUpGoods>`
    with made as (
      insert into item (id, code, product, kind, name, price_minor, price_currency, position, source, updated_at)
      values (uuidv7(), ${`card:${name}:10`}, ${`${name}-global`}, 'value', '10 USD', ${PRICE}, ${CURRENCY}, 0, 'bench', now()) returning id
    )
    insert into key_batch (id, item, file_name, imported, duplicates, refused, created_at, created_by)
    select uuidv7(), id, 'made-up.txt', 1, 0, 0, now(), 'bench' from made returning item, id as batch`.execute(db)
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

/** Keys in stock; what they say is made up, as long as real ones. `from` numbers them. */
export async function addFreeKeys(db: Db, { item, batch }: MadeUpGoods, { from, count }: { readonly from: number; readonly count: number }): Promise<void> {
  await sql`
    insert into card_key (id, item, batch_id, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four)
    select uuidv7(), ${item}, ${batch}, substr(sha256(n::text::bytea), 1, 12), ${MADE_UP_TEXT}, ${MADE_UP_WRAPPING}, 1,
      sha256(('key ' || n)::bytea), lpad((n % 10000)::text, 4, '0')
    from generate_series(${from}::bigint, ${from + count - 1}::bigint) as n`.execute(db)
}

interface MadeUpOrders {
  readonly account: string
  readonly goods: MadeUpGoods
  /** First of the orders' numbers. */
  readonly from: number
  readonly count: number
}

/** The parts of an order that are the same for all of these; `n` is its number, `o` its row. */
const ORDER_COLUMNS = sql`id, public_id, number, account_id, request_key, request_hash, currency, pricing, language, terms_version, goods_minor, fee_minor, total_minor, expires_at, created_at, updated_at, waived_at`
const LINE_VALUES = sql`'card', 'bench', 1, 'card_key', 'Bench', '10 USD'`

/**
 * Orders of one unit whose payment is open at the provider, with nothing reserved. Their payments' references there are
 * `bench_` and the attempt's id. @returns the attempts' ids
 */
export async function addOpenOrders(db: Db, { account, goods, from, count }: MadeUpOrders): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with placed as (
      insert into shop_order (${ORDER_COLUMNS}, status)
      select uuidv7(), substr(md5('order ' || n), 1, 22), lpad(n::text, 13, '0'), ${account}, n::text, sha256(n::text::bytea), ${CURRENCY}, '{}', 'en', '2026-11', ${PRICE}, ${FEE}, ${PRICE + FEE},
        now() + interval '1 day', now(), now(), now(), 'waiting_for_payment'
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

export interface SoldOrders extends MadeUpOrders {
  readonly unitsAnOrder: number
}

/** Orders long completed, with their keys delivered and their money booked. The tables' checks hold; what refers to what is right. */
export async function addSoldOrders(db: Db, { account, goods, from, count: orders, unitsAnOrder }: SoldOrders): Promise<void> {
  const total = PRICE * unitsAnOrder + FEE
  const on = sql`'2026-01-01'::timestamptz + n * interval '1 second'`
  await db.connection().execute(async (connection) => {
    // Rows that refer to rows made here need not be looked up one by one.
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`create temporary table sold as
      select n, uuidv7() as order_id, uuidv7() as line_id, uuidv7() as attempt_id from generate_series(${from}::bigint, ${from + orders - 1}::bigint) as n`.execute(connection)
    await sql`create temporary table sold_unit as select n, order_id, line_id, unit_no, uuidv7() as id from sold, generate_series(1, ${sql.lit(unitsAnOrder)}) as unit_no`.execute(connection)
    await sql`
      insert into shop_order (${ORDER_COLUMNS}, status, captured_minor, settled_at)
      select order_id, substr(md5('sold ' || n), 1, 22), '9' || lpad(n::text, 12, '0'), ${account}, 'sold ' || n, sha256(n::text::bytea), ${CURRENCY}, '{}', 'en', '2026-11', ${total - FEE}::numeric, ${FEE}, ${total}::numeric,
        ${on}, ${on}, ${on}, ${on}, 'completed', ${total}::numeric, ${on} from sold`.execute(connection)
    await sql`
      insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency)
      select line_id, order_id, 0, ${goods.item}, ${LINE_VALUES}, ${unitsAnOrder}, ${PRICE}, ${PRICE}, ${CURRENCY} from sold`.execute(connection)
    await sql`
      insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor, status, delivered_at)
      select id, substr(md5('unit ' || id), 1, 22), order_id, line_id, unit_no, ${goods.item}, 'card_key', ${PRICE}, 'delivered', ${on} from sold_unit`.execute(connection)
    await sql`
      insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
      select uuidv7(), order_id, ${on}, 'bench', 'bench', 'waiting_for_payment', 'completed', 'paid' from sold`.execute(connection)
    await sql`
      insert into payment_attempt (id, public_id, order_id, provider, method, status, currency, amount_minor, fee_minor, provider_reference, captured_minor, captured_currency, captures, is_applied, created_at, updated_at)
      select attempt_id, substr(md5('sold attempt ' || n), 1, 22), order_id, ${PROVIDER}, 'card', 'captured', ${CURRENCY}, ${total}::numeric, ${FEE}, ${`${PROVIDER}_`} || attempt_id, ${total}::numeric, ${CURRENCY}, 1, true, ${on}, ${on} from sold`.execute(connection)
    await sql`
      insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at)
      select uuidv7(), moved.source, moved.source_id, moved.leg, debit.id, credit.id, ${CURRENCY}, moved.amount, moved.at
      from (
        select 'capture' as source, attempt_id as source_id, 0 as leg, ${`provider:${PROVIDER}`} as debit, 'held' as credit, ${total}::numeric as amount, ${on} as at from sold
        union all select 'settle', order_id, 0, 'held', 'orders', ${total - FEE}::numeric, ${on} from sold
        union all select 'settle', order_id, 1, 'held', 'fees', ${FEE}::numeric, ${on} from sold
        union all select 'deliver', id, 0, 'orders', 'sales', ${PRICE}::numeric, ${on} from sold_unit
      ) as moved
      join ledger_account debit on debit.code = moved.debit and debit.currency = ${CURRENCY} join ledger_account credit on credit.code = moved.credit and credit.currency = ${CURRENCY}`.execute(connection)
    await sql`
      insert into card_key (id, item, batch_id, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, status, unit_id, claimed_at, delivered_at)
      select uuidv7(), ${goods.item}, ${goods.batch}, '\\x000102030405060708090a0b', ${MADE_UP_TEXT}, ${MADE_UP_WRAPPING}, 1, sha256(('sold ' || id)::bytea), '1234', 'delivered', id, ${on}, ${on} from sold_unit`.execute(connection)
    await sql`drop table sold, sold_unit`.execute(connection)
    await sql`set session_replication_role = origin`.execute(connection)
    for (const table of ['shop_order', 'order_line', 'order_unit', 'order_event', 'payment_attempt', 'ledger_transfer', 'card_key']) await sql`vacuum analyze ${sql.table(table)}`.execute(connection)
  })
}
