import { sql, type RawBuilder } from 'kysely'
import { pointsOf, type Days, type Spans } from '../engine/span.ts'
import type { Facts } from '../engine/measures.ts'
import type { Times } from '#features/office/figure/rules.ts'

/** Days that are added up together: a point of the period, or of the one that it is compared with. */
export interface Slot extends Days {
  readonly place: number
  readonly isNow: boolean
}

/** What was added up of a slot; `value` is empty where nothing is told apart. */
export interface SlotFacts {
  readonly place: number
  readonly isNow: boolean
  readonly value: string
  readonly facts: Facts
}

/** What is read of a report. */
export interface Wanted {
  readonly spans: Spans
  readonly timeZone: string
  readonly currency: string | null
}

/** The points of both periods, in their order. */
export function slotsOfPoints({ now, before, unit }: Spans): Slot[] {
  const of = (days: Days, isNow: boolean) =>
    pointsOf(days, unit).map((point, place) => ({ ...point, place, isNow }))
  return [...of(now, true), ...(before ? of(before, false) : [])]
}

/** Both periods, each as one. */
export function slotsOfWhole({ now, before }: Spans): Slot[] {
  return [
    { ...now, place: 0, isNow: true },
    ...(before ? [{ ...before, place: 0, isNow: false }] : []),
  ]
}

/** Slots as rows of a statement: `slot (place, is_now, first, last)`. */
export const slotRows = (slots: readonly Slot[]): RawBuilder<unknown> =>
  sql`select * from json_to_recordset(${JSON.stringify(
    slots.map(({ place, isNow, from, until }) => ({
      place,
      is_now: isNow,
      first: from,
      last: until,
    })),
  )}::json) as s (place integer, is_now boolean, first date, last date)`

/** Slots as moments of the shop: `span (place, is_now, begins, ends)`. */
export const slotMoments = (slots: readonly Slot[], timeZone: string): RawBuilder<unknown> =>
  sql`select place, is_now, first::timestamp at time zone ${timeZone} as begins, (last + 1)::timestamp at time zone ${timeZone} as ends from (${slotRows(slots)}) as slot`

/**
 * What slots are read of: whole months where those are added up, and the days beside them: statements that begin with `with ${…}` and
 * read `piece (span, place, is_now, begins)`.
 */
export const piecesOf = (
  slots: readonly Slot[],
  timeZone: string,
  isAddedUp: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  slot as materialized (${slotRows(slots)}),
  day as materialized (
    select s.place, s.is_now, g.at::date as day, date_trunc('month', g.at)::date as month
    from slot s cross join lateral generate_series(s.first::timestamp, s.last::timestamp, '1 day') as g (at)
  ),
  whole as materialized (
    select w.* from (
      select d.place, d.is_now, d.month, d.month::timestamp at time zone ${timeZone} as begins from day d group by d.place, d.is_now, d.month
      having count(*) = extract(day from d.month + interval '1 month' - interval '1 day')
    ) as w where ${isAddedUp}
  ),
  piece as materialized (
    select 'month' as span, place, is_now, begins from whole
    union all
    select 'day', d.place, d.is_now, d.day::timestamp at time zone ${timeZone} from day d
    where not exists (select from whole w where w.place = d.place and w.is_now = d.is_now and w.month = d.month)
  )`

export interface SumRow {
  readonly place: number
  readonly isNow: boolean
  readonly value: string
  readonly times?: Times | null
  readonly sums: Readonly<Record<string, string>>
}

export const slotFacts = ({ place, isNow, value, times, sums }: SumRow): SlotFacts => ({
  place,
  isNow,
  value,
  facts: {
    sums: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, BigInt(sum)])),
    times: times ?? [],
  },
})
