import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { WORDS_MAX } from '../rules.ts'
import {
  slotFacts,
  slotMoments,
  slotRows,
  type Slot,
  type SlotFacts,
  type SumRow,
  type Wanted,
} from './pieces.ts'

/** US cents of a minor unit of an order `o`: by its own rate, else by that of today. */
export const ORDER_CENTS = sql`coalesce(case when o.currency = 'USD' then 1 else (
    select power(10::numeric, 2 - c.minor_units) * (q.rate ->> 'denominator')::numeric / nullif((q.rate ->> 'numerator')::numeric, 0)
    from currency c cross join lateral (
      select jsonb_path_query_first(o.pricing, '$.rates[*] ? (@.currency == $code).per_usd', jsonb_build_object('code', o.currency)) as rate
    ) as q where c.code = o.currency
  ) end, 100 / minor_per_dollar(o.currency), 0)`

const DISPUTE_VALUES = {
  currency: sql`o.currency::text`,
  country: sql`coalesce(o.country, '')`,
  method: sql`coalesce((select a.method::text from payment_attempt a where a.order_id = o.id and a.is_applied limit 1), '')`,
} as const

/** Disputes by when they were begun; what banks have taken for them, up to now. There are so few that they are counted as they stand. */
export async function readDisputeFacts(
  db: Db,
  slots: readonly Slot[],
  { timeZone, currency }: Wanted,
  by: keyof typeof DISPUTE_VALUES | null,
): Promise<SlotFacts[]> {
  const { rows } = await sql<SumRow>`
    with span as materialized (${slotMoments(slots, timeZone)}),
    found as materialized (
      select s.place, s.is_now, ${by === null ? sql`''` : DISPUTE_VALUES[by]} as value, c.status, o.captured_minor as minor, k.cents,
        coalesce((select sum(r.amount_minor) from refund r where r.order_id = o.id and r.purpose = 'reversal' and r.status = 'succeeded'), 0) as taken
      from span s join service_case c on c.kind = 'dispute' and c.created_at >= s.begins and c.created_at < s.ends
        join shop_order o on o.id = c.order_id cross join lateral (select ${ORDER_CENTS} as cents) as k
      where ${currency === null ? sql`true` : sql`o.currency = ${currency}`}
    )
    select place, is_now as "isNow", value, json_build_object('disputes', count(*)::text, 'open', (count(*) filter (where status = 'open'))::text,
      'disputed_minor', sum(minor)::text, 'disputed_usd', sum(round(minor * cents))::text, 'taken_minor', sum(taken)::text, 'taken_usd', sum(round(taken * cents))::text) as sums
    from found group by 1, 2, 3`.execute(db)
  return rows.map(slotFacts)
}

/**
 * Store credit at the end of slots, and what came and went meanwhile, by the days of the books that are closed. Of all currencies it is told
 * by the rates of today: what is owed is owed now.
 */
export async function readCreditFacts(
  db: Db,
  slots: readonly Slot[],
  { currency }: Wanted,
  by: 'currency' | null,
): Promise<SlotFacts[]> {
  const one = currency === null ? sql`` : sql`and d.currency = ${currency}`
  const { rows } = await sql<SumRow>`
    with slot as materialized (${slotRows(slots)}),
    cents as materialized (select code as currency, coalesce(100 / minor_per_dollar(code), 0) as cents from currency),
    reached as materialized (select s.*, (select max(c.day) from ledger_closing c where c.day <= s.last) as closed from slot s),
    level as (
      select s.place, s.is_now, d.currency::text as currency, d.balance_minor as owed from reached s join ledger_day d on d.day = s.closed and d.account = 'store_credit' ${one}
    ),
    flow as (
      select s.place, s.is_now, d.currency::text as currency, sum(d.credit_minor) as issued, sum(d.debit_minor) as spent
      from slot s join ledger_day d on d.day between s.first and s.last and d.account = 'store_credit' ${one} group by 1, 2, 3
    ),
    both_of as (
      select coalesce(l.place, f.place) as place, coalesce(l.is_now, f.is_now) as is_now, coalesce(l.currency, f.currency) as currency,
        coalesce(l.owed, 0) as owed, coalesce(f.issued, 0) as issued, coalesce(f.spent, 0) as spent
      from level l full join flow f on f.place = l.place and f.is_now = l.is_now and f.currency = l.currency
    )
    select b.place, b.is_now as "isNow", ${by === null ? sql`''` : sql`b.currency`} as value, json_build_object(
      'owed_minor', sum(b.owed)::text, 'issued_minor', sum(b.issued)::text, 'spent_minor', sum(b.spent)::text,
      'owed_usd', sum(round(b.owed * c.cents))::text, 'issued_usd', sum(round(b.issued * c.cents))::text, 'spent_usd', sum(round(b.spent * c.cents))::text) as sums
    from both_of b join cents c on c.currency = b.currency group by 1, 2, 3`.execute(db)
  return rows.map(slotFacts)
}

/** Searches that found nothing, by their words or together. Told are the words that were looked for most, with how often they were before. */
export async function readSearchFacts(
  db: Db,
  slots: readonly Slot[],
  by: 'words' | null,
): Promise<SlotFacts[]> {
  const slot = sql`slot as materialized (${slotRows(slots)})`
  const { rows } = await (by === null
    ? sql<SumRow>`
    with ${slot}
    select s.place, s.is_now as "isNow", '' as value, json_build_object('searches', sum(m.searches)::text) as sums
    from slot s join search_miss m on m.day between s.first and s.last group by 1, 2`
    : sql<SumRow>`
    with ${slot},
    most as materialized (
      select m.words, sum(m.searches) as searches from slot s join search_miss m on m.day between s.first and s.last where s.is_now
      group by 1 order by 2 desc, 1 limit ${WORDS_MAX}
    )
    select 0 as place, true as "isNow", words as value, json_build_object('searches', searches::text) as sums from most
    union all
    (select 0, false, m.words, json_build_object('searches', sum(m.searches)::text) from slot s join search_miss m on m.day between s.first and s.last
     where not s.is_now and m.words in (select words from most) group by m.words)`
  ).execute(db)
  return rows.map(slotFacts)
}
