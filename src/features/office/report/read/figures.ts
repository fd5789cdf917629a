import { sql } from 'kysely'
import { COUNTS, type Dimension } from '#features/office/figure/rules.ts'
import type { Db } from '#platform/db.ts'
import {
  piecesOf,
  slotFacts,
  type Slot,
  type SlotFacts,
  type SumRow,
  type Wanted,
} from './pieces.ts'

const NAMES = [...COUNTS, 'sales_minor', 'fees_minor', 'refunded_minor'] as const

/** What figures a report reads: all of them, those of one currency, and told apart. */
function placeOf(currency: string | null, by: Dimension | null) {
  if (currency === null) return { dimension: by ?? 'all', prefix: '' }
  return by === null || by === 'currency'
    ? { dimension: 'currency', prefix: currency }
    : { dimension: `currency_${by}`, prefix: `${currency} ` }
}

/** Figures of slots, told apart or not. */
export async function readFigureFacts(
  db: Db,
  slots: readonly Slot[],
  { timeZone, currency }: Wanted,
  by: Dimension | null,
): Promise<SlotFacts[]> {
  const { dimension, prefix } = placeOf(currency, by)
  const pieces = piecesOf(
    slots,
    timeZone,
    sql`exists (select from figure f where f.span = 'month' and f.dimension = 'all' and f.value = '' and f.begins = w.begins)`,
  )
  const value = by === null ? sql`''` : sql`substr(f.value, ${prefix.length + 1}::integer)`
  const { rows } = await sql<SumRow>`
    with ${pieces},
    found as materialized (
      select p.place, p.is_now, ${value} as value, f.times, ${sql.join(NAMES.map((name) => sql.ref(`f.${name}`)))}
      from piece p join figure f on f.span = p.span and f.dimension = ${dimension} and f.begins = p.begins
      where starts_with(f.value, ${prefix}) ${by === null && currency === null ? sql`and f.value = ''` : sql``}
    ),
    timed as (
      select place, is_now, value, array_agg(units order by bucket) as times from (
        select f.place, f.is_now, f.value, t.bucket, sum(t.units)::integer as units
        from found f cross join lateral unnest(f.times) with ordinality as t (units, bucket) group by 1, 2, 3, 4
      ) as counted group by 1, 2, 3
    )
    select f.place, f.is_now as "isNow", f.value, t.times, f.sums from (
      select place, is_now, value, json_build_object(${sql.join(NAMES.map((name) => sql`${name}::text, sum(${sql.ref(name)})::text`))}) as sums
      from found group by 1, 2, 3
    ) as f left join timed t on t.place = f.place and t.is_now = f.is_now and t.value = f.value`.execute(
    db,
  )
  return rows.map(slotFacts)
}
