import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { TALLY_TOTAL } from '../rules.ts'
import {
  piecesOf,
  slotFacts,
  type Slot,
  type SlotFacts,
  type SumRow,
  type Wanted,
} from './pieces.ts'

export type Subject = 'purchase' | 'key_bought' | 'key_sold' | 'tax'
const SUMS = ['done', 'failed', 'minor', 'part_minor', 'usd', 'part_usd'] as const

/** What tallies of some subjects say of slots; each sum is named `<subject>_<sum>`. */
export async function readTallyFacts(
  db: Db,
  slots: readonly Slot[],
  { timeZone, currency }: Wanted,
  subjects: readonly Subject[],
  by: 'value' | 'currency' | null,
): Promise<SlotFacts[]> {
  const pieces = piecesOf(
    slots,
    timeZone,
    sql`exists (select from tally_month m where m.begins = w.begins)`,
  )
  const value = by === null ? sql`''` : sql.ref(`t.${by}`)
  const { rows } = await sql<SumRow>`
    with ${pieces},
    found as materialized (
      select p.place, p.is_now, ${value} as value, t.subject, t.times, ${sql.join(SUMS.map((name) => sql.ref(`t.${name}`)))}
      from piece p join tally t on t.span = p.span and t.subject = any(${[...subjects]}::text[]) and t.begins = p.begins
      where t.value ${by === 'value' ? sql`<>` : sql`=`} ${TALLY_TOTAL} ${currency === null ? sql`` : sql`and t.currency = ${currency}`}
    ),
    timed as (
      select place, is_now, value, array_agg(units order by bucket) as times from (
        select f.place, f.is_now, f.value, u.bucket, sum(u.units)::integer as units
        from found f cross join lateral unnest(f.times) with ordinality as u (units, bucket) group by 1, 2, 3, 4
      ) as counted group by 1, 2, 3
    )
    select f.place, f.is_now as "isNow", f.value, t.times, f.sums from (
      select place, is_now, value, json_build_object(${sql.join(
        subjects.flatMap((subject) =>
          SUMS.map(
            (name) =>
              sql`${nameOf(subject, name)}::text, coalesce(sum(${sql.ref(name)}) filter (where subject = ${subject}), 0)::text`,
          ),
        ),
      )}) as sums from found group by 1, 2, 3
    ) as f left join timed t on t.place = f.place and t.is_now = f.is_now and t.value = f.value`.execute(
    db,
  )
  return rows.map(slotFacts)
}

/** `tax_usd`, and of what of that is tax `tax_part_usd`. */
const nameOf = (subject: Subject, name: (typeof SUMS)[number]) => `${subject}_${name}`
