import { sql } from 'kysely'
import { brandNameIn } from '#features/goods/region/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import {
  addUp,
  COUNTS,
  SPANS,
  type Count,
  type Dimension,
  type Figures,
  type Period,
  type Times,
} from './rules.ts'

/** One point of time in a chart. */
export interface Point {
  readonly begins: Date
  readonly figures: Figures
}

export interface Series {
  /** Oldest first. The last one is not over yet; what is still to come of today has no point. */
  readonly now: readonly Point[]
  /** As many points as a whole period has, of the one before. */
  readonly before: readonly Point[]
  /** Up to when the books were looked through; null before the first time. */
  readonly reachedAt: Date | null
  /** Whether hours of before are still being added up. */
  readonly isBehind: boolean
}

type SumRow = Readonly<Record<Count, string>> & { readonly times: Times | null }

const figuresOf = (row: SumRow): Figures => ({
  ...(Object.fromEntries(COUNTS.map((count) => [count, BigInt(row[count])])) as Record<
    Count,
    bigint
  >),
  times: row.times ?? [],
})

/** The hours or days of a period and of the one before it, in the shop's time. */
const slots = (period: Period, now: Date, timeZone: string) => {
  const { span, days } = SPANS[period]
  const today = sql`(${now}::timestamptz at time zone ${timeZone})::date`
  if (span === 'day')
    return sql`
      select d.day::timestamp at time zone ${timeZone} as begins, d.day > ${today} - ${days}::integer as is_now
      from (select ${today} - ${2 * days - 1}::integer + n as day from generate_series(0, ${2 * days - 1}::integer) as n) as d`
  return sql`
    select distinct date_trunc('hour', g.at, ${timeZone}::text) as begins, g.at >= ${today}::timestamp at time zone ${timeZone} as is_now
    from generate_series((${today} - 1)::timestamp at time zone ${timeZone}, ${now}::timestamptz, '30 minutes') as g (at)`
}

/** What the shop did in a period, point by point, and in the one before it. */
export async function readFigures(
  db: Db,
  {
    period,
    now,
    timeZone,
  }: { readonly period: Period; readonly now: Date; readonly timeZone: string },
): Promise<Series> {
  const { span, together } = SPANS[period]
  const { rows } = await sql<SumRow & { begins: Date; isNow: boolean }>`
    with slot as materialized (${slots(period, now, timeZone)})
    select s.begins, s.is_now as "isNow", f.times, ${sql.join(
      COUNTS.map((count) => sql`coalesce(${sql.ref(`f.${count}`)}, 0)::text as ${sql.ref(count)}`),
    )}
    from slot s left join figure f on f.span = ${span} and f.dimension = 'all' and f.value = '' and f.begins = s.begins
    order by s.begins`.execute(db)
  const pointsOf = (isNow: boolean) =>
    inGroups(
      rows.filter((row) => row.isNow === isNow),
      together,
    ).map((group) => ({
      begins: group[0]?.begins ?? now,
      figures: addUp(group.map(figuresOf)),
    }))
  return {
    now: pointsOf(true),
    before: pointsOf(false),
    ...(await readProgress(db)),
  }
}

function inGroups<T>(rows: readonly T[], size: number): T[][] {
  const groups: T[][] = []
  for (let at = 0; at < rows.length; at += size) groups.push(rows.slice(at, at + size))
  return groups
}

async function readProgress(db: Db): Promise<Pick<Series, 'reachedAt' | 'isBehind'>> {
  const { rows } = await sql<{ reachedAt: Date | null; isBehind: boolean }>`
    select (select reached from figure_progress) as "reachedAt",
      exists (select from figure_due where begins < (select date_trunc('hour', reached) - interval '1 day' from figure_progress)) as "isBehind"`.execute(
    db,
  )
  return rows[0] ?? { reachedAt: null, isBehind: false }
}

/** One value of a dimension in a period. */
export interface Part {
  readonly value: string
  readonly figures: Figures
  /** Its sales in the period before, in US cents. */
  readonly beforeUsd: bigint
  /** Sales and refunds in its own currency, where it is one. */
  readonly ownMinor: { readonly sales: bigint; readonly refunded: bigint }
}

interface PartRow extends SumRow {
  readonly value: string
  readonly beforeUsd: string
  readonly sales: string
  readonly refunded: string
}

/** Of yesterday as much is compared with as there is of today. */
const hoursOf = (slot: ReturnType<typeof sql>) => sql`
  select 'hour' as span, s.begins, s.is_now from (
    select begins, is_now, row_number() over (partition by is_now order by begins) as place, count(*) filter (where is_now) over () as hours from (${slot}) as slot
  ) as s where s.place <= s.hours`

const daysOf = (slot: ReturnType<typeof sql>) =>
  sql`select 'day' as span, s.begins, s.is_now from (${slot}) as s`

/** Whole months where they are added up, and the days beside them. */
const monthsOf = (slot: ReturnType<typeof sql>, timeZone: string) => sql`
  (with day as materialized (select begins, is_now, date_trunc('month', begins, ${timeZone}::text) as month from (${slot}) as slot),
  whole as materialized (
    select d.month as begins, bool_and(d.is_now) as is_now from day d group by d.month
    having bool_and(d.is_now) = bool_or(d.is_now) and count(*) = extract(day from date_trunc('month', d.month at time zone ${timeZone}) + interval '1 month' - interval '1 day')
      and exists (select from figure f where f.span = 'month' and f.dimension = 'all' and f.value = '' and f.begins = d.month)
  )
  select 'month' as span, begins, is_now from whole
  union all select 'day', d.begins, d.is_now from day d where d.month not in (select begins from whole))`

/** What a period and the one before it are read of. */
function piecesOf(period: Period, now: Date, timeZone: string) {
  const slot = slots(period, now, timeZone)
  if (SPANS[period].span === 'hour') return hoursOf(slot)
  return period === 'year' ? monthsOf(slot, timeZone) : daysOf(slot)
}

export interface Breakdown {
  /** Those that sold most, most first. */
  readonly top: readonly Part[]
  /** All others together; null where there are none. */
  readonly rest: {
    readonly parts: number
    readonly figures: Figures
    readonly beforeUsd: bigint
  } | null
}

/**
 * What a period brought, told apart by one dimension. Of a brand each order counts that has it, so that those may add up to more than
 * there were; a supplier's sales are what was delivered from there.
 */
export async function readBreakdown(
  db: Db,
  {
    period,
    now,
    timeZone,
    dimension,
    limit,
  }: {
    readonly period: Period
    readonly now: Date
    readonly timeZone: string
    readonly dimension: Dimension
    readonly limit: number
  },
): Promise<Breakdown> {
  const { rows } = await sql<PartRow>`
    with piece as materialized (${piecesOf(period, now, timeZone)})
    select f.value, ${sql.join(
      COUNTS.map(
        (count) =>
          sql`coalesce(sum(${sql.ref(`f.${count}`)}) filter (where p.is_now), 0)::text as ${sql.ref(count)}`,
      ),
    )},
      coalesce(sum(f.sales_usd) filter (where not p.is_now), 0)::text as "beforeUsd",
      coalesce(sum(f.sales_minor) filter (where p.is_now), 0)::text as sales, coalesce(sum(f.refunded_minor) filter (where p.is_now), 0)::text as refunded,
      null::integer[] as times
    from piece p join figure f on f.span = p.span and f.dimension = ${dimension} and f.begins = p.begins
    group by f.value`.execute(db)
  const parts = rows.map(
    (row): Part => ({
      value: row.value,
      figures: figuresOf(row),
      beforeUsd: BigInt(row.beforeUsd),
      ownMinor: { sales: BigInt(row.sales), refunded: BigInt(row.refunded) },
    }),
  )
  const ordered = parts
    .filter(({ figures }) => COUNTS.some((count) => figures[count] !== 0n))
    .toSorted(bySales)
  const top = ordered.slice(0, limit)
  const times = await readTimes(
    db,
    { period, now, timeZone, dimension },
    top.map(({ value }) => value),
  )
  const rest = ordered.slice(limit)
  return {
    top: top.map((part) => ({
      ...part,
      figures: { ...part.figures, times: times.get(part.value) ?? [] },
    })),
    rest:
      rest.length === 0
        ? null
        : {
            parts: rest.length,
            figures: addUp(rest.map(({ figures }) => figures)),
            beforeUsd: rest.reduce((sum, { beforeUsd }) => sum + beforeUsd, 0n),
          },
  }
}

function bySales(one: Part, other: Part): number {
  const [a, b] = [one.figures.sales_usd, other.figures.sales_usd]
  if (a !== b) return a > b ? -1 : 1
  return one.value < other.value ? -1 : 1
}

/** How long deliveries of some values took. */
async function readTimes(
  db: Db,
  {
    period,
    now,
    timeZone,
    dimension,
  }: {
    readonly period: Period
    readonly now: Date
    readonly timeZone: string
    readonly dimension: Dimension
  },
  values: readonly string[],
): Promise<ReadonlyMap<string, Times>> {
  const { rows } = await sql<{ value: string; times: Times }>`
    with piece as materialized (${piecesOf(period, now, timeZone)})
    select value, array_agg(units order by bucket) as times from (
      select f.value, t.bucket, sum(t.units)::integer as units
      from piece p join figure f on f.span = p.span and f.dimension = ${dimension} and f.begins = p.begins and f.value = any(${[...values]}::text[])
        cross join lateral unnest(f.times) with ordinality as t (units, bucket)
      where p.is_now group by f.value, t.bucket
    ) as counted group by value`.execute(db)
  return new Map(rows.map(({ value, times }) => [value, times]))
}

/** What brands are called in a language, by their code. */
export async function listBrandNames(
  db: Db,
  codes: readonly string[],
  language: LanguageCode,
): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`
    select b.code, ${brandNameIn(language)} as name from brand b where b.code = any(${[...codes]})`.execute(
    db,
  )
  return new Map(rows.map(({ code, name }) => [code, name]))
}
