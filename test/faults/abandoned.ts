import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { TestItem } from '../support/buying.ts'

export interface Abandoned {
  readonly item: TestItem
  readonly provider: string
  readonly count: number
  /** Of those the provider never told of, by when the first and the last is past its time, in seconds from now. */
  readonly endsWithin: readonly [number, number]
}

const ORDERS_OF_AN_ACCOUNT = 5

/**
 * Writes orders whose payment was begun and left, each with a key reserved: of one half the provider has never told, and their time is
 * still to come; of the other half somebody was sent to it, and their time is over.
 */
export async function writeAbandoned(ctx: Ctx, wanted: Abandoned): Promise<void> {
  const { item, provider, count } = wanted
  const [first, last] = wanted.endsWithin
  const numbers = sql`generate_series(1, ${count}::integer) as n`
  const id = (kind: string) => sql`md5(${`abandoned ${kind}`}::text || n)::uuid`
  const publicId = (kind: string) =>
    sql`left(translate(md5(${`public ${kind}`}::text || n), ' ', ''), 22)`
  const isUnheard = sql`n % 2 = 0`
  const expires = sql`now() + case when ${isUnheard} then interval '1 hour' else interval '-1 minute' - n * interval '1 millisecond' end`
  await ctx.db.transaction().execute(async (tx) => {
    await sql`insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, language, registered_at)
      select md5('abandoned account' || n)::uuid, left(md5('user' || n), 22), 500000000 + n, 'left' || lpad(n::text, 8, '0'), 'left', 'left' || n || '@shop.example', now(), 'en', now()
      from generate_series(0, ${Math.ceil(count / ORDERS_OF_AN_ACCOUNT)}::integer) as n`.execute(tx)
    await sql`insert into shop_order (id, public_id, number, account_id, request_key, request_hash, status, currency, goods_minor, total_minor, pricing, language, terms_version, waived_at, expires_at, created_at, updated_at, has_cards)
      select ${id('order')}, ${publicId('order')}, '9' || lpad(n::text, 12, '0'), md5('abandoned account' || n / ${ORDERS_OF_AN_ACCOUNT})::uuid, 'left' || n, sha256(n::text::bytea), 'waiting_for_payment', 'USD', 1000, 1000, '{}', 'en', '2026-11',
        now(), ${expires}, now() - interval '16 minutes', now(), true from ${numbers}`.execute(tx)
    await sql`insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency)
      select ${id('line')}, ${id('order')}, 0, ${item.id}, ${item.code}, ${item.product}, 1, 'card_key', ${item.brand}, '10 USD', 1, 1000, 1000, 'USD' from ${numbers}`.execute(
      tx,
    )
    await sql`insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor)
      select ${id('unit')}, ${publicId('unit')}, ${id('order')}, ${id('line')}, 1, ${item.id}, 'card_key', 1000 from ${numbers}`.execute(
      tx,
    )
    await sql`insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
      select ${id('event')}, ${id('order')}, now(), 'test', 'test', 'pending_payment', 'waiting_for_payment', 'payment_started' from ${numbers}`.execute(
      tx,
    )
    await sql`insert into payment_attempt (id, public_id, order_id, provider, method, status, currency, amount_minor, provider_reference, check_at, checks, created_at, updated_at)
      select ${id('attempt')}, ${publicId('attempt')}, ${id('order')}, ${provider}, 'card', case when ${isUnheard} then 'created' else 'requires_action' end, 'USD', 1000,
        case when not (${isUnheard}) then 'mute_' || ${id('attempt')} end, now(), 3, now() - interval '16 minutes', now() from ${numbers}`.execute(
      tx,
    )
    await sql`insert into card_key (id, item, batch_id, status, nonce, ciphertext, wrapped_key, kek_id, fingerprint, last_four, unit_id, claimed_at)
      select ${id('key')}, ${item.id}, (select id from key_batch where item = ${item.id} limit 1), 'claimed', substr(sha256(n::text::bytea), 1, 12), sha256(n::text::bytea), sha256(n::text::bytea) || substr(sha256(n::text::bytea), 1, 28), 1,
        sha256(('print' || n)::bytea), 'LEFT', ${id('unit')}, now() from ${numbers}`.execute(tx)
  })
  await sql`analyze`.execute(ctx.db)
  // Only now, as writing all of it may take longer than the first has time.
  await sql`update shop_order set expires_at = clock_timestamp() + make_interval(secs => ${first}::double precision + right(number, 12)::double precision / ${count}::integer * ${last - first}::double precision)
    where expires_at > now() and status = 'waiting_for_payment'`.execute(ctx.db)
}
