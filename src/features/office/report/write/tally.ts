import { sql } from 'kysely'
import { idAt } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { TALLIES_EDITION, TALLY_DAYS_A_TURN, TALLY_OVERLAP_MINUTES, TALLY_SWEEP } from '../rules.ts'
import { addUpDay, addUpMonth, type Stretch } from './day.ts'

const MINUTE_MS = 60_000

/**
 * Adds up the days in which something has happened since the last turn, each anew and whole, the newest first, in one transaction with the
 * note that goes: a process that dies leaves its days noted, and nothing is counted twice. The first turn notes every day since the shop
 * has anything to add up; so does one in another time zone, or one that adds up more than those before.
 */
export async function addUpTallies(
  ctx: Ctx,
  timeZone: string,
  signal?: AbortSignal,
): Promise<void> {
  await inTurn(ctx, (tx, now) => noteDays(tx, timeZone, now))
  for (let day = 0; day < TALLY_DAYS_A_TURN; day += 1) {
    if (signal?.aborted) return
    if (!(await inTurn(ctx, (tx, now) => addUpNext(tx, timeZone, now)))) return
  }
  await wantSweep(ctx, TALLY_SWEEP)
}

/** One process at a time: the same day is not added up by two. */
const inTurn = <T>(ctx: Ctx, work: (tx: Tx, now: Date) => Promise<T>): Promise<T> =>
  transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('tally', 0))`.execute(tx)
    return work(tx, now)
  })

const dayOf = (at: ReturnType<typeof sql>, timeZone: string) =>
  sql`date_trunc('day', ${at}, ${timeZone}::text)`

async function noteDays(tx: Tx, timeZone: string, now: Date): Promise<void> {
  const progress = await tx.selectFrom('tally_progress').selectAll().forUpdate().executeTakeFirst()
  if (progress?.time_zone !== timeZone || progress.edition !== TALLIES_EDITION)
    return beginAnew(tx, timeZone, now)
  const since = new Date(
    Math.min(progress.reached.getTime(), now.getTime()) - TALLY_OVERLAP_MINUTES * MINUTE_MS,
  )
  // Taxes are written down behind the sale, and may be of an earlier day.
  await sql`
    insert into tally_due (begins)
    select distinct ${dayOf(sql`t.at`, timeZone)} from (
      select g.at from generate_series(${since}::timestamptz, ${now}::timestamptz, '30 minutes') as g (at) union all select ${now}::timestamptz
      union all select b.at from tax_booking b where b.id >= ${idAt(since.getTime())}::uuid
    ) as t on conflict do nothing`.execute(tx)
  await sql`delete from tally_month where exists (select from tally_due d where d.begins >= tally_month.begins
    and d.begins < (date_trunc('month', tally_month.begins at time zone ${timeZone}) + interval '1 month') at time zone ${timeZone})`.execute(
    tx,
  )
  await tx.updateTable('tally_progress').set({ reached: now }).execute()
}

async function beginAnew(tx: Tx, timeZone: string, now: Date): Promise<void> {
  await tx.deleteFrom('tally').execute()
  await tx.deleteFrom('tally_month').execute()
  await tx.deleteFrom('tally_due').execute()
  await sql`
    insert into tally_due (begins)
    select distinct ${dayOf(sql`g.at`, timeZone)} from (
      select least((select created_at from shop_order order by id limit 1), (select created_at from key_batch order by id limit 1)) as at
    ) as first cross join lateral generate_series(first.at, ${now}::timestamptz + interval '1 day', '12 hours') as g (at)
    where ${dayOf(sql`g.at`, timeZone)} <= ${now}`.execute(tx)
  await sql`
    insert into tally_progress (time_zone, reached, edition) values (${timeZone}, ${now}, ${TALLIES_EDITION})
    on conflict (is_only) do update set time_zone = excluded.time_zone, reached = excluded.reached, edition = excluded.edition`.execute(
    tx,
  )
}

/** Adds the newest noted day up, and its month where that is over and whole. False where none is noted. */
async function addUpNext(tx: Tx, timeZone: string, now: Date): Promise<boolean> {
  const day = await takeDay(tx, timeZone)
  if (!day) return false
  await addUpDay(tx, day)
  const month = await findWholeMonth(tx, day, timeZone)
  if (month && month.ends <= now) await addUpMonth(tx, month)
  return true
}

async function takeDay(tx: Tx, timeZone: string): Promise<Stretch | null> {
  const { rows } = await sql<Stretch>`
    with taken as (delete from tally_due where begins = (select max(begins) from tally_due) returning begins)
    select begins, ((begins at time zone ${timeZone})::date + 1)::timestamp at time zone ${timeZone} as ends from taken`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** The month of a day; null while days of it are still noted. */
async function findWholeMonth(
  tx: Tx,
  { begins }: Stretch,
  timeZone: string,
): Promise<Stretch | null> {
  const { rows } = await sql<Stretch>`
    select m.begins, m.ends from (
      select date_trunc('month', ${begins}::timestamptz, ${timeZone}::text) as begins,
        (date_trunc('month', ${begins}::timestamptz at time zone ${timeZone}) + interval '1 month') at time zone ${timeZone} as ends
    ) as m where not exists (select from tally_due d where d.begins >= m.begins and d.begins < m.ends)`.execute(
    tx,
  )
  return rows[0] ?? null
}
