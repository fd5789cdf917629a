import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { RunOutcome, SyncReport } from '../rules.ts'

/** Runs of a supplier's schedule that came to nothing, from which on somebody is told. */
const FAILED_FROM = 2
const SHOWN_RUNS = 50

export interface SyncSchedule {
  readonly supplier: string
  readonly everySeconds: number | null
  readonly nextAt: Date | null
  readonly failures: number
  /** The last run, whoever began it. */
  readonly beganAt: Date | null
  readonly outcome: RunOutcome | null
  readonly error: string | null
  /** Costs that jumped and wait. */
  readonly held: number
}

/** How syncs stand, one row a supplier that is synchronised or was. */
export async function listSchedules(db: Db): Promise<SyncSchedule[]> {
  const { rows } = await sql<SyncSchedule>`
    select s.code as supplier, e.every_seconds as "everySeconds", e.next_at as "nextAt", coalesce(e.failures, 0) as failures, r.began_at as "beganAt", r.outcome, r.error,
      (select count(*)::integer from supplier_product l where l.supplier = s.code and l.held_at is not null) as held
    from supplier s left join supply_schedule e on e.supplier = s.code
    left join lateral (select began_at, outcome, error from supply_sync_run where supplier = s.code and not is_dry order by began_at desc limit 1) as r on true
    where e.supplier is not null or r.began_at is not null order by s.code`.execute(db)
  return rows
}

/** Whether the schedule has a supplier's sync run by now. */
export async function isSyncDue(db: Db, supplier: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('supply_schedule')
    .select('supplier')
    .where('supplier', '=', supplier)
    .where('next_at', '<=', now)
    .executeTakeFirst()
  return row !== undefined
}

export interface SyncRun {
  readonly id: string
  readonly startedBy: string
  readonly beganAt: Date
  readonly endedAt: Date | null
  readonly outcome: RunOutcome | null
  readonly error: string | null
  readonly report: SyncReport | null
  /** Only told, nothing changed. */
  readonly isDry: boolean
  /** Denominations that were read so far. */
  readonly read: number
}

/** The latest runs of a supplier, the last one first. */
export async function listRuns(db: Db, supplier: string): Promise<SyncRun[]> {
  const { rows } = await sql<SyncRun>`
    select id, started_by as "startedBy", began_at as "beganAt", ended_at as "endedAt", outcome, error, report, is_dry as "isDry", read_count as read
    from supply_sync_run where supplier = ${supplier} order by began_at desc limit ${SHOWN_RUNS}`.execute(
    db,
  )
  return rows
}

/** Suppliers whose scheduled sync fails again and again, or whose list is not believed. */
export async function countFailedSyncs(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from supply_schedule e where e.failures >= ${FAILED_FROM} or (e.failures > 0
      and (select r.outcome from supply_sync_run r where r.supplier = e.supplier and r.outcome <> 'lost' and not r.is_dry order by r.began_at desc limit 1) = 'refused')`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
