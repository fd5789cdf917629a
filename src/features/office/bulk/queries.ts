import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { BulkAct, BulkFailure, BulkState } from './rules.ts'

/** How far an act on several orders has come, and what could not be done. */
export interface BulkRun {
  /** Public id. */
  readonly id: string
  readonly act: BulkAct
  readonly state: BulkState
  readonly count: number
  readonly done: number
  readonly failures: readonly { readonly order: string; readonly why: BulkFailure }[]
}

const OWN_LISTED = 10

/** What an operator has asked for lately, newest first. */
export async function listBulkRuns(db: Db, operatorId: string): Promise<BulkRun[]> {
  const { rows } = await sql<BulkRun>`
    select r.public_id as id, r.act, r.state, o.count, o.done, o.failures
    from (select * from bulk_run where operator_id = ${operatorId} order by id desc limit ${OWN_LISTED}) as r cross join lateral (
      select count(*)::integer as count, count(*) filter (where w.state = 'done')::integer as done,
        coalesce(jsonb_agg(jsonb_build_object('order', s.number, 'why', w.why) order by w.no) filter (where w.state = 'failed'), '[]') as failures
      from bulk_run_order w join shop_order s on s.id = w.order_id where w.run_id = r.id) as o
    order by r.id desc`.execute(db)
  return rows
}

/** The next order of the run that was asked for first. */
export interface BulkWork {
  readonly runId: string
  readonly publicId: string
  readonly act: BulkAct
  readonly operatorId: string
  /** Null where nothing is left to do. */
  readonly no: number | null
  readonly order: string | null
  readonly version: string | null
}

export async function findBulkWork(db: Db): Promise<BulkWork | null> {
  const { rows } = await sql<BulkWork>`
    select r.id as "runId", r.public_id as "publicId", r.act, r.operator_id as "operatorId", w.no, s.number as "order", w.version
    from (select * from bulk_run where finished_at is null order by id limit 1) as r
    left join lateral (select * from bulk_run_order where run_id = r.id and state = 'waiting' order by no limit 1) as w on true
    left join shop_order s on s.id = w.order_id`.execute(db)
  return rows[0] ?? null
}

/** Orders by their numbers, each at what it is now. */
export async function readVersions(
  tx: Tx,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly version: string }>> {
  const { rows } = await sql<{ number: string; id: string; version: string }>`
    select o.number, o.id, coalesce((select e.seq from order_event e where e.order_id = o.id order by e.seq desc limit 1), 0)::text as version
    from shop_order o where o.number = any(${[...numbers]})`.execute(tx)
  return new Map(rows.map(({ number, ...row }) => [number, row]))
}
