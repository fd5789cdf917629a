import { countLowShelves } from '#features/buying/shelf/queries.ts'
import { sql } from 'kysely'
import { countBroken } from '#features/buying/promise/queries.ts'
import { countDifferences } from '#features/buying/reconciliation/queries.ts'
import { countHeldByGate } from '#features/buying/gate/queries.ts'
import { countRefused } from '#features/buying/refund/queries.ts'
import { countDebts } from '#features/buying/store-credit/queries.ts'
import { countUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { listKeyUses, listLackingReaders } from '#features/buying/vault/queries.ts'
import { countBalanceWork } from '#features/supply/balance/queries.ts'
import { countSupplyDifferences } from '#features/supply/comparison/queries.ts'
import { countOpenInvoices } from '#features/supply/invoice/queries.ts'
import { countFailedSyncs, countHeldCosts } from '#features/supply/sync/queries.ts'
import { countSupplyWork } from '#features/supply/purchase/queries.ts'
import { listWithheld } from '#features/goods/price/queries.ts'
import { countWaiting } from '#features/team/approval/queries.ts'
import { countHeldRates, listStaleRates } from '#features/goods/currency/queries.ts'
import type { Db } from '#platform/db.ts'
import {
  keyProblems,
  type Health,
  type HealthProblem,
  type OpenWork,
  type RunningProcess,
  type SweepState,
  type WorkKind,
} from './rules.ts'

/** How the work in the background stands, for whoever watches: doctor, readiness, alerts. @param providers codes of those the shop has */
export async function readHealth(db: Db, now: Date, providers: readonly string[]): Promise<Health> {
  const [
    processes,
    sweeps,
    waitingMails,
    waitingNotices,
    oldestDueJobAt,
    deadJobs,
    soldOutItems,
    refusedRefunds,
    withoutProvider,
    brokenPromises,
    lackingReaders,
    staleRates,
    work,
  ] = await Promise.all([
    listProcesses(db),
    listSweeps(db),
    oldestOf(db, MAILS),
    oldestOf(db, NOTICES),
    findOldestDueJob(db, now),
    countDeadJobs(db),
    countSoldOut(db),
    countRefused(db),
    countWithoutProvider(db, now, providers),
    countBroken(db),
    listLackingReaders(db, now),
    listStaleRates(db, now),
    readWork(db, now),
  ])
  return {
    processes,
    sweeps,
    waitingMails,
    waitingNotices,
    oldestDueJobAt,
    deadJobs,
    soldOutItems,
    refusedRefunds,
    withoutProvider,
    brokenPromises,
    lackingReaders,
    staleRates,
    work,
  }
}

async function readWork(db: Db, now: Date): Promise<OpenWork> {
  const [
    counted,
    differences,
    unmatchedPayments,
    creditDebts,
    approvals,
    supply,
    supplyBooks,
    gate,
    heldRates,
    heldCosts,
    failedSyncs,
    withheld,
    lowShelves,
  ] = await Promise.all([
    countOrderWork(db),
    countDifferences(db),
    countUnmatched(db),
    countDebts(db),
    countWaiting(db, now),
    countSupplyWork(db, now),
    countSupplyBooks(db, now),
    countHeldByGate(db),
    countHeldRates(db),
    countHeldCosts(db),
    countFailedSyncs(db),
    listWithheld(db),
    countLowShelves(db),
  ])
  return {
    ...counted,
    differences,
    unmatchedPayments,
    creditDebts,
    approvals,
    supply,
    supplyBooks,
    gate,
    heldRates,
    heldCosts,
    failedSyncs,
    withheldPrices: withheld.length,
    lowShelves,
  }
}

async function countSupplyBooks(db: Db, now: Date): Promise<number> {
  const counted = await Promise.all([
    countBalanceWork(db, now),
    countSupplyDifferences(db),
    countOpenInvoices(db),
  ])
  return counted.reduce((sum, count) => sum + count, 0)
}

/** What waits for a person, each with since when. */
const ORDERS = sql`select updated_at as at from shop_order o where status = 'processing' and hold is distinct from 'disputed'
  and not (hold is not distinct from 'risk' and exists (select from delivery_check k where k.order_id = o.id))`
const CASES = sql`select created_at as at from service_case where status = 'open' and kind <> 'dispute'`
const DISPUTES = sql`select created_at as at from service_case where status = 'open' and kind = 'dispute'`
const BY_HAND = sql`select settled_at as at from shop_order o where o.status in ('waiting_for_shipment', 'shipping') and exists (
  select from order_unit u where u.order_id = o.id and u.delivery = 'direct_charge' and u.status in ('queued', 'delivering')
    and not exists (select from supply_queue q where q.unit_id = u.id) and not exists (select from purchase_unit n where n.unit_id = u.id and n.is_live))`

async function countOrderWork(
  db: Db,
): Promise<Pick<OpenWork, 'orders' | 'cases' | 'disputes' | 'byHand'>> {
  const count = (waiting: typeof ORDERS) =>
    sql`(select count(*)::integer from (${waiting}) as waiting)`
  const { rows } = await sql<Pick<OpenWork, 'orders' | 'cases' | 'disputes' | 'byHand'>>`
    select ${count(ORDERS)} as orders, ${count(CASES)} as cases, ${count(DISPUTES)} as disputes, ${count(BY_HAND)} as "byHand"`.execute(
    db,
  )
  return rows[0] ?? { orders: 0, cases: 0, disputes: 0, byHand: 0 }
}

/** Since when the oldest of some kinds of work waits; kinds of which nothing waits are left out. */
export async function readOldestWork(
  db: Db,
  now: Date,
): Promise<Readonly<Partial<Record<WorkKind, Date>>>> {
  const approvals = sql`select asked_at as at from operator_act where status = 'waiting' and (ends_at is null or ends_at > ${now})`
  const kinds: readonly (readonly [WorkKind, typeof ORDERS])[] = [
    ['orders_undecided', ORDERS],
    ['cases', CASES],
    ['disputes', DISPUTES],
    ['by_hand', BY_HAND],
    ['approvals', approvals],
  ]
  // Counted, too: for the least moment alone PostgreSQL may go through all there are by an index of moments.
  const oldest = kinds.map(
    ([kind, waiting]) =>
      sql`select ${kind}::text as kind, min(at) as at, count(*) from (${waiting}) as waiting`,
  )
  const { rows } = await sql<{
    kind: WorkKind
    at: Date | null
  }>`${sql.join(oldest, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.flatMap(({ kind, at }) => (at === null ? [] : [[kind, at]])))
}

async function listProcesses(db: Db): Promise<RunningProcess[]> {
  const { rows } =
    await sql<RunningProcess>`select kind, seen_at as "seenAt", clock_skew_ms::double precision as "clockSkewMs", disk_low as "diskLow" from running_process order by kind, seen_at desc`.execute(
      db,
    )
  return rows
}

export async function listSweeps(db: Db): Promise<SweepState[]> {
  const { rows } = await sql<SweepState>`
    select name, begun_at as "begunAt", finished_at as "finishedAt", leased_by is not null as "isRunning", failures, error from sweep order by name`.execute(
    db,
  )
  return rows
}

const MAILS = sql`select created_at as at from outgoing_mail where sent_at is null and recipient is not null`
const NOTICES = sql`select received_at as at from provider_event where processed_at is null`

async function oldestOf(
  db: Db,
  waiting: typeof MAILS,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const { rows } = await sql<{
    count: number
    oldestAt: Date | null
  }>`select count(*)::integer as count, min(at) as "oldestAt" from (${waiting}) as waiting`.execute(
    db,
  )
  return rows[0] ?? { count: 0, oldestAt: null }
}

/** Jobs that the queue has given up stand in it for ever, and wait for nobody. */
async function findOldestDueJob(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null
  }>`select min(run_at) as at from graphile_worker.jobs where attempts < max_attempts and locked_at is null and run_at <= ${now}`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

async function countDeadJobs(db: Db): Promise<Health['deadJobs']> {
  const { rows } = await sql<{ task: string; count: number }>`
    select task_identifier as task, count(*)::integer as count from graphile_worker.jobs where attempts >= max_attempts and locked_at is null group by 1 order by 1`.execute(
    db,
  )
  return rows
}

export interface DeadJob {
  readonly id: string
  readonly task: string
  readonly attempts: number
  readonly since: Date
  readonly error: string
}

/** Jobs that failed as often as they may, oldest first. What they were to do may tell of people and is left out. */
export async function listDeadJobs(db: Db, limit: number): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select j.id::text as id, task_identifier as task, attempts::integer as attempts, created_at as since, left(coalesce(last_error, ''), 200) as error
    from graphile_worker.jobs j where attempts >= max_attempts and locked_at is null order by j.id limit ${limit}`.execute(
    db,
  )
  return rows
}

async function countSoldOut(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from item i join product p on p.code = i.product join brand b on b.code = p.brand left join stock_level l on l.item = i.id
    where b.delivery = 'card_key' and i.status = 'active' and p.status = 'active' and coalesce(l.free, 0) <= 0 and l.is_to_order is not true`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

async function countWithoutProvider(
  db: Db,
  now: Date,
  providers: readonly string[],
): Promise<Health['withoutProvider']> {
  const { rows } = await sql<{ provider: string; count: number }>`
    select provider, count(*)::integer as count from (
      select provider::text from payment_attempt where check_at <= ${now} and status in ('created', 'requires_action', 'seen', 'authorised')
      union all select provider::text from refund where check_at <= ${now} and destination = 'original'
      union all select provider from provider_event where processed_at is null
      union all select p.provider from service_case c join payment_attempt p on p.order_id = c.order_id and p.captured_minor > 0 where c.kind = 'dispute' and c.status = 'open'
    ) as due where provider <> all(${[...providers]}::text[]) group by provider order by provider`.execute(
    db,
  )
  return rows
}

/** Whether these keys are those that the card keys are under. @param known of the vault's process, or of a configuration */
export async function readKeyProblems(
  db: Db,
  known: Parameters<typeof keyProblems>[1],
): Promise<readonly HealthProblem[]> {
  return keyProblems(await listKeyUses(db), known)
}
