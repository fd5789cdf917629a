import { sql } from 'kysely'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import {
  DAYS_A_TURN,
  FIGURE_SWEEP,
  FIGURES_EDITION,
  HOURLY_OVERLAP_MINUTES,
  HOURS_KEPT_DAYS,
  OVERLAP_MINUTES,
} from './rules.ts'
import { addUpHour, addUpParts, type Hour } from './write/hour.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Adds up what has happened since the last turn. Hours that something happened in are noted first, and then added up anew, a day with its
 * hours at a time and the newest first, each in one transaction: a process that dies leaves its hours noted, and nothing is counted twice.
 * The first turn, one after the shop's time zone has changed and one that adds up more than those before note every hour since the first order.
 */
export async function addUpFigures(
  ctx: Ctx,
  timeZone: string,
  signal?: AbortSignal,
): Promise<void> {
  await noteHours(ctx, timeZone)
  for (let day = 0; day < DAYS_A_TURN; day += 1) {
    if (signal?.aborted) return
    if (!(await addUpNextDay(ctx, timeZone))) {
      await forgetHours(ctx, timeZone)
      return
    }
  }
  await wantSweep(ctx, FIGURE_SWEEP)
}

/** One process at a time: the same hour is not added up by two. */
const inTurn = <T>(ctx: Ctx, work: (tx: Tx, now: Date) => Promise<T>): Promise<T> =>
  transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('figure', 0))`.execute(tx)
    return work(tx, now)
  })

const hourOf = (at: Date | ReturnType<typeof sql>, timeZone: string) =>
  sql`date_trunc('hour', ${at}::timestamptz, ${timeZone}::text)`

async function noteHours(ctx: Ctx, timeZone: string): Promise<void> {
  await inTurn(ctx, async (tx, now) => {
    const progress = await tx
      .selectFrom('figure_progress')
      .selectAll()
      .forUpdate()
      .executeTakeFirst()
    if (progress?.time_zone !== timeZone || progress.edition !== FIGURES_EDITION) {
      await beginAnew(tx, timeZone, now)
      return
    }
    const { reached, hours_from } = progress
    const isNewHour =
      Math.floor(reached.getTime() / HOUR_MS) !== Math.floor(now.getTime() / HOUR_MS)
    const overlap = isNewHour ? HOURLY_OVERLAP_MINUTES : OVERLAP_MINUTES
    const since = new Date(Math.min(reached.getTime(), now.getTime()) - overlap * MINUTE_MS)
    await noteSince(tx, { since, now, keptSince: hours_from, timeZone })
    await tx.updateTable('figure_progress').set({ reached: now }).execute()
  })
}

/** What was added up by other hours goes, and every hour since the first order is noted. */
async function beginAnew(tx: Tx, timeZone: string, now: Date): Promise<void> {
  await tx.deleteFrom('figure').execute()
  await tx.deleteFrom('figure_due').execute()
  await sql`
    insert into figure_due (begins)
    select distinct ${hourOf(sql`g.at`, timeZone)}
    from generate_series((select created_at from shop_order order by id limit 1), ${now}::timestamptz + interval '1 hour', '1 hour') as g (at)
    where ${hourOf(sql`g.at`, timeZone)} <= ${now}`.execute(tx)
  await sql`
    insert into figure_progress (time_zone, reached, hours_from, edition)
    values (${timeZone}, ${now}, ${keptSince(now, timeZone)}, ${FIGURES_EDITION})
    on conflict (is_only) do update set time_zone = excluded.time_zone, reached = excluded.reached, hours_from = excluded.hours_from, edition = excluded.edition`.execute(
    tx,
  )
}

/** The beginning of the first day whose hours are kept. */
const keptSince = (now: Date, timeZone: string) =>
  sql`date_trunc('day', ${now}::timestamptz - ${HOURS_KEPT_DAYS}::integer * interval '1 day', ${timeZone}::text)`

/**
 * Hours that something may have happened in: those since the last turn, and those in which an order or an attempt was begun that has been
 * paid since. Hours that are not kept any more stay as they were added up.
 */
async function noteSince(
  tx: Tx,
  {
    since,
    now,
    keptSince: kept,
    timeZone,
  }: {
    readonly since: Date
    readonly now: Date
    readonly keptSince: Date
    readonly timeZone: string
  },
): Promise<void> {
  await sql`
    with paid as materialized (select distinct source_id as id from ledger_transfer where source = 'settle' and at >= ${since}),
    touched as (
      select g.at from generate_series(${since}::timestamptz, ${now}::timestamptz + interval '1 hour', '30 minutes') as g (at) where g.at <= ${now}
      union all select ${now}::timestamptz
      union all select o.created_at from paid join shop_order o on o.id = paid.id
      union all select p.created_at from paid join payment_attempt p on p.order_id = paid.id
    )
    insert into figure_due (begins)
    select distinct ${hourOf(sql`t.at`, timeZone)} from touched t where ${hourOf(sql`t.at`, timeZone)} >= ${kept}::timestamptz
    on conflict do nothing`.execute(tx)
}

/** Adds up the noted hours of the newest day that has some, and that day. False where nothing is noted. */
async function addUpNextDay(ctx: Ctx, timeZone: string): Promise<boolean> {
  return inTurn(ctx, async (tx, now) => {
    const day = await findNoted(tx, timeZone)
    if (!day) return false
    for (const hour of await takeHours(tx, day, timeZone)) await addUpHour(tx, hour)
    await addUpParts(tx, 'day', day)
    const month = await findWholeMonth(tx, day, timeZone)
    if (month && month.ends <= now) await addUpParts(tx, 'month', month)
    return true
  })
}

/** The month of a day; null while hours of it are still noted. */
async function findWholeMonth(tx: Tx, { begins }: Hour, timeZone: string): Promise<Hour | null> {
  const { rows } = await sql<Hour>`
    select m.begins, m.ends from (
      select date_trunc('month', ${begins}::timestamptz, ${timeZone}::text) as begins,
        (date_trunc('month', ${begins}::timestamptz at time zone ${timeZone}) + interval '1 month') at time zone ${timeZone} as ends
    ) as m where not exists (select from figure_due d where d.begins >= m.begins and d.begins < m.ends)`.execute(
    tx,
  )
  return rows[0] ?? null
}

async function findNoted(tx: Tx, timeZone: string): Promise<Hour | null> {
  const { rows } = await sql<Hour>`
    select day::timestamp at time zone ${timeZone} as begins, (day + 1)::timestamp at time zone ${timeZone} as ends
    from (select (max(begins) at time zone ${timeZone})::date as day from figure_due) as noted where day is not null`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** The end of an hour is looked for: where clocks are moved by less than an hour, one is shorter. */
async function takeHours(tx: Tx, day: Hour, timeZone: string): Promise<Hour[]> {
  const { rows } = await sql<Hour>`
    with taken as (delete from figure_due where begins >= ${day.begins} and begins < ${day.ends} returning begins)
    select t.begins, (
      select min(${hourOf(sql`g.at`, timeZone)}) from generate_series(t.begins, t.begins + interval '2 hours', '15 minutes') as g (at) where ${hourOf(sql`g.at`, timeZone)} > t.begins
    ) as ends from taken t order by t.begins`.execute(tx)
  return rows
}

/** Hours are for the last days; of what lies further back the days are kept. */
async function forgetHours(ctx: Ctx, timeZone: string): Promise<void> {
  await inTurn(ctx, async (tx, now) => {
    await sql`
      update figure_progress set hours_from = ${keptSince(now, timeZone)}
      where hours_from < ${keptSince(now, timeZone)} and not exists (select from figure_due)`.execute(
      tx,
    )
    await sql`delete from figure where span = 'hour' and begins < (select hours_from from figure_progress)`.execute(
      tx,
    )
  })
}
