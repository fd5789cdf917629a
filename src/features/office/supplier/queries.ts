import { sql } from 'kysely'
import { listStanding, type StandingBalance } from '#features/supply/balance/queries.ts'
import type { Db } from '#platform/db.ts'
import { MEASURED_MOST, type HealthFacts, type Pace } from './rules.ts'

/** Counts go up to so many. */
export const COUNTED_MOST = 1_000
const DAY_MS = 86_400_000

/** What of a supplier waits for a person. */
export interface SupplierWork {
  /** Purchases that nobody could find out about. */
  readonly doubts: number
  /** Units that wait for somebody to say whether they may cost that much. */
  readonly held: number
  readonly cases: number
  readonly differences: number
  readonly invoices: number
  /** Costs that jumped. */
  readonly jumps: number
}

export interface SupplierState extends HealthFacts {
  readonly code: string
  readonly restsCode: string | null
  readonly offers: number
  /** Units that wait for their turn or for a person. */
  readonly queued: number
  /** Purchases under way. */
  readonly open: number
  readonly work: SupplierWork
  readonly noticedAt: Date | null
  readonly syncedAt: Date | null
  readonly syncOutcome: string | null
  readonly comparedAt: Date | null
  readonly balances: readonly StandingBalance[]
}

interface Row extends Omit<SupplierState, 'day' | 'before' | 'work' | 'balances'>, SupplierWork {
  readonly day: Pace
  readonly before: Pace
}

const count = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*)::integer from (${rows} limit ${COUNTED_MOST}) as counted)`

/** The latest purchases that ended within a while, measured. */
const pace = (from: Date, until: Date) => sql`(
  select json_build_object('done', count(*) filter (where status = 'done'), 'failed', count(*) filter (where status <> 'done'),
    'p50Ms', (percentile_cont(0.5) within group (order by ms) filter (where status = 'done'))::integer,
    'p95Ms', (percentile_cont(0.95) within group (order by ms) filter (where status = 'done'))::integer)
  from (
    select p.status, least(greatest(extract(epoch from p.ended_at - p.created_at) * 1000, 0), 100000000) as ms from purchase p
    where p.supplier = s.code and p.ended_at > ${from} and p.ended_at <= ${until} order by p.ended_at desc limit ${MEASURED_MOST}
  ) as ended)`

/** How each supplier stands, those first of which most waits for a person. @param code that one alone; null for all of them */
export async function listSupplierStates(
  db: Db,
  now: Date,
  code: string | null = null,
): Promise<SupplierState[]> {
  const [day, before] = [new Date(now.getTime() - DAY_MS), new Date(now.getTime() - 2 * DAY_MS)]
  const { rows } = await sql<Row>`
    select s.code, s.status, s.failures, s.rests_until as "restsUntil", s.rests_for as "restsFor", s.rests_code as "restsCode", s.noticed_at as "noticedAt",
      exists (select from sale_stop x where x.kind = 'supplier' and x.code = s.code and x.ended_at is null) as "isStopped",
      ${count(sql`select from supplier_offer o where o.supplier = s.code and o.is_on`)} as offers,
      ${count(sql`select from supply_queue q where q.supplier = s.code`)} as queued,
      ${count(sql`select from supply_queue q where q.supplier = s.code and q.held is not null`)} as held,
      ${count(sql`select from purchase p where p.supplier = s.code and p.next_ask_at is not null`)} as open,
      ${count(sql`select from purchase p where p.supplier = s.code and p.status = 'doubt'`)} as doubts,
      ${count(sql`select from supply_case c join purchase p on p.id = c.purchase_id where c.closed_at is null and p.supplier = s.code`)} as cases,
      ${count(sql`select from supply_difference d where d.supplier = s.code and d.closed_at is null`)} as differences,
      ${count(sql`select from supplier_invoice i where i.supplier = s.code and i.closed_at is null`)} as invoices,
      ${count(sql`select from supplier_product l where l.supplier = s.code and l.held_at is not null`)} as jumps,
      r.ended_at as "syncedAt", r.outcome as "syncOutcome", c.finished_at as "comparedAt",
      ${pace(day, now)} as day, ${pace(before, day)} as before
    from supplier s left join supply_comparison c on c.supplier = s.code
    left join lateral (select ended_at, outcome from supply_sync_run where supplier = s.code and not is_dry and ended_at is not null order by began_at desc limit 1) as r on true
    where ${code}::text is null or s.code = ${code} order by s.code`.execute(db)
  const standing = await listStanding(db, now)
  return rows
    .map(({ doubts, held, cases, differences, invoices, jumps, ...row }) => ({
      ...row,
      work: { doubts, held, cases, differences, invoices, jumps },
      balances: standing.filter(({ supplier }) => supplier === row.code),
    }))
    .toSorted((one, other) => needsOf(other) - needsOf(one) || (one.code < other.code ? -1 : 1))
}

/** How many things of a supplier wait for a person; one that refuses the shop's account is one, and so is a balance that runs out. */
export const needsOf = ({
  work,
  restsFor,
  balances,
}: Pick<SupplierState, 'work' | 'restsFor' | 'balances'>): number =>
  Object.values(work).reduce((sum, one) => sum + one, 0) +
  Number(restsFor === 'ours') +
  balances.filter(({ isLow, offMinor }) => isLow || (offMinor !== null && offMinor !== 0n)).length

export interface BrandPace extends Pace {
  readonly brand: string
  readonly name: string
}

/** How a supplier goes, by brand: of its latest purchases of a day. */
export async function listBrandPaces(db: Db, now: Date, supplier: string): Promise<BrandPace[]> {
  const { rows } = await sql<BrandPace>`
    select b.code as brand, b.name, (count(*) filter (where ended.status = 'done'))::integer as done, (count(*) filter (where ended.status <> 'done'))::integer as failed,
      (percentile_cont(0.5) within group (order by ended.ms) filter (where ended.status = 'done'))::integer as "p50Ms",
      (percentile_cont(0.95) within group (order by ended.ms) filter (where ended.status = 'done'))::integer as "p95Ms"
    from (
      select p.item, p.status, least(greatest(extract(epoch from p.ended_at - p.created_at) * 1000, 0), 100000000) as ms from purchase p
      where p.supplier = ${supplier} and p.ended_at > ${new Date(now.getTime() - DAY_MS)} order by p.ended_at desc limit ${MEASURED_MOST}
    ) as ended join item i on i.id = ended.item join product p on p.code = i.product join brand b on b.code = p.brand
    group by b.code, b.name order by failed desc, done desc, b.code limit 100`.execute(db)
  return rows
}
