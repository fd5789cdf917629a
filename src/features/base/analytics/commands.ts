import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { dayIn } from '#kernel/day.ts'
import type { Ctx } from '#platform/ctx.ts'
import { MISS_DAYS, MISSES_A_DAY } from './rules.ts'

/** Visits of a day whose hashes begin alike, and how many bytes of them do: so many are told apart, and no more rows are kept of a day. */
const ALIKE_MAX = 32
const ALIKE_BYTES = 2

/**
 * Counts a visit once a day. Of its id only the hash is kept, until the day is over. Whoever makes up ids fills a day's room and no more: a
 * hash is looked for among those that begin like it, so that counting costs the same on a busy day.
 */
export async function recordVisit(
  ctx: Pick<Ctx, 'db' | 'now'>,
  visitId: string,
  timeZone: string,
): Promise<void> {
  const hash = createHash('sha256').update(visitId).digest()
  const [first, last] = [0x00, 0xff].map((rest) =>
    Buffer.concat([hash.subarray(0, ALIKE_BYTES), Buffer.alloc(hash.length - ALIKE_BYTES, rest)]),
  )
  await sql`
    insert into visit (day, visit_id_hash) select day, hash from (values (${dayIn(timeZone, ctx.now())}::date, ${hash}::bytea)) as come (day, hash)
    where (select count(*) from visit where visit.day = come.day and visit_id_hash between ${first}::bytea and ${last}::bytea) < ${ALIKE_MAX}::integer
    on conflict do nothing`.execute(ctx.db)
}

/** Rows of one statement; what is left is the next one's. */
const COUNTED_AT_ONCE = 10_000
/** A day is over everywhere, whatever time zone the shop keeps its hours by. */
const DAY_OVER_MS = 2 * 86_400_000

/** Adds up the visits of days that are over: a number stays of each, and no row of a visitor. */
export async function countVisits(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = dayIn('UTC', new Date(ctx.now().getTime() - DAY_OVER_MS))
  for (let isMore = true; isMore; ) {
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        delete from visit where ctid in (select ctid from visit where day < ${before}::date order by day limit ${COUNTED_AT_ONCE}) returning day
      ), counted as (
        insert into visit_count (day, visits) select day, count(*) from gone group by day
        on conflict (day) do update set visits = visit_count.visits + excluded.visits
      )
      select count(*)::integer as gone from gone`.execute(ctx.db)
    isMore = (rows[0]?.gone ?? 0) > 0
  }
}

/** Adds pages shown today: a number alone. */
export async function addPages(
  ctx: Pick<Ctx, 'db' | 'now'>,
  pages: number,
  timeZone: string,
): Promise<void> {
  await ctx.db
    .insertInto('page_count')
    .values({ day: dayIn(timeZone, ctx.now()), pages: String(pages) })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet({ pages: sql`page_count.pages + excluded.pages` }),
    )
    .execute()
}

/**
 * Adds searches of today that found nothing, by their words. A day holds so many different ones and no more; those that stand there go on
 * being counted.
 */
export async function addMisses(
  ctx: Pick<Ctx, 'db' | 'now'>,
  misses: ReadonlyMap<string, number>,
  timeZone: string,
): Promise<void> {
  const day = dayIn(timeZone, ctx.now())
  await sql`
    with come as (select * from unnest(${[...misses.keys()]}::text[], ${[...misses.values()]}::integer[]) as m (words, searches)),
    known as (
      update search_miss s set searches = s.searches + c.searches from come c where s.day = ${day}::date and s.words = c.words returning s.words
    )
    insert into search_miss (day, words, searches)
    select ${day}::date, c.words, c.searches from come c where not exists (select from known k where k.words = c.words)
    order by c.words limit greatest(0, ${MISSES_A_DAY}::integer - (select count(*)::integer from search_miss where day = ${day}::date))
    on conflict (day, words) do update set searches = search_miss.searches + excluded.searches`.execute(
    ctx.db,
  )
}

/** Takes away words that were looked for long ago. */
export async function forgetMisses({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = dayIn('UTC', new Date(now().getTime() - MISS_DAYS * 86_400_000))
  await sql`delete from search_miss where day < ${before}::date`.execute(db)
}
