import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** How one way to be paid stands. */
export interface ProviderState {
  readonly provider: string
  /** Payments that may still bring money by themselves; counted up to 1,000. */
  readonly open: number
  readonly lastNoticeAt: Date | null
  readonly noticesWaiting: number
  /** When everything it has told was compared with the books; null before the first time. */
  readonly comparedTo: Date | null
  /** How often in a row asking it has failed by now. */
  readonly failures: number
  readonly failure: string | null
  readonly askedAt: Date | null
  readonly unmatched: number
  readonly differences: number
  /** What came in since a moment, by currency. */
  readonly received: readonly { readonly currency: string; readonly minor: bigint }[]
  /** Payments begun within a day and a week, and those of them that were paid; null where none was begun. */
  readonly standing: {
    readonly begunDay: number
    readonly paidDay: number
    readonly begunWeek: number
    readonly paidWeek: number
  } | null
  /** What lies there and can be paid out; null where it was not told since its settings hold. */
  readonly balance: {
    readonly toldAt: Date
    readonly available: readonly { readonly currency: string; readonly minor: bigint }[]
  } | null
}

interface SumRow {
  readonly currency: string
  readonly minor: string
}

type ProviderRow = Omit<ProviderState, 'received' | 'balance'> & {
  readonly received: readonly SumRow[] | null
  readonly available: readonly SumRow[] | null
  readonly toldAt: Date | null
}

/** Each of these providers, and each that money or notices wait at. */
export async function listProviders(
  db: Db,
  codes: readonly string[],
  since: Date,
): Promise<ProviderState[]> {
  const { rows } = await sql<ProviderRow>`
    with named as (
      select unnest(${[...codes]}::text[]) as code union select provider from stray_payment where outcome is null
      union select provider from provider_event where processed_at is null
    )
    select n.code as provider,
      (select count(*)::integer from (select from payment_attempt p where p.provider = n.code and p.check_at is not null
        and p.status in ('created', 'requires_action', 'seen', 'authorised') limit 1000) as open) as open,
      (select max(received_at) from provider_event e where e.provider = n.code) as "lastNoticeAt",
      (select count(*)::integer from provider_event e where e.provider = n.code and e.processed_at is null) as "noticesWaiting",
      (select reached_at from reconciliation c where c.provider = n.code) as "comparedTo",
      coalesce(s.failures, 0) as failures, s.error as failure, s.finished_at as "askedAt",
      (select count(*)::integer from stray_payment t where t.provider = n.code and t.outcome is null) as unmatched,
      (select count(*)::integer from payment_difference d join payment_attempt p on p.id = d.attempt_id where d.outcome is null and p.provider = n.code) as differences,
      (select json_agg(json_build_object('currency', r.currency, 'minor', r.minor::text) order by r.currency) from (
        select a.currency, sum(t.amount_minor) as minor from ledger_account a join ledger_transfer t on t.debit = a.id and t.at >= ${since}
        where a.code = 'provider:' || n.code group by a.currency) as r) as received,
      (select json_build_object('begunDay', t.begun_day, 'paidDay', t.paid_day, 'begunWeek', t.begun_week, 'paidWeek', t.paid_week)
        from provider_standing t where t.provider = n.code) as standing, b.available, b.told_at as "toldAt"
    from named n left join sweep s on s.name = 'payments:' || n.code
    left join lateral (select json_agg(json_build_object('currency', v.currency, 'minor', v.available_minor::text) order by v.currency) as available, min(v.told_at) as told_at
      from provider_balance v where v.provider = n.code
        and not exists (select from payment_service w where w.code = n.code and w.set_at > v.told_at)) as b on true order by n.code`.execute(
    db,
  )
  return rows.map(({ received, available, toldAt, ...row }) => ({
    ...row,
    received: sumsOf(received),
    balance: toldAt && { toldAt, available: sumsOf(available) },
  }))
}

const sumsOf = (rows: readonly SumRow[] | null) =>
  (rows ?? []).map(({ currency, minor }) => ({ currency, minor: BigInt(minor) }))

/** One account of the books on one day, or by now. */
export interface DayBalance {
  readonly account: string
  readonly currency: string
  readonly debitMinor: bigint
  readonly creditMinor: bigint
  /** Credits less debits: above zero is what the shop owes or has earned. */
  readonly balanceMinor: bigint
}

interface BalanceRow {
  readonly account: string
  readonly currency: string
  readonly debit: string
  readonly credit: string
  readonly balance: string
}

const balanceOf = ({ account, currency, debit, credit, balance }: BalanceRow): DayBalance => ({
  account,
  currency,
  debitMinor: BigInt(debit),
  creditMinor: BigInt(credit),
  balanceMinor: BigInt(balance),
})

/** The books at the end of a closed day. */
async function listDayBalances(db: Db, day: string): Promise<DayBalance[]> {
  const { rows } = await sql<BalanceRow>`
    select account, currency, debit_minor::text as debit, credit_minor::text as credit, balance_minor::text as balance
    from ledger_day where day = ${day}::date order by account, currency`.execute(db)
  return rows.map(balanceOf)
}

/** Accounts of shoppers count together: whose they are is nobody's matter here. */
export const GROUPED = sql`case when a.code like 'store_credit:%' then 'store_credit' when a.code like 'credit_debt:%' then 'credit_debt' else a.code end`

/** More than days take to be closed: what has moved since is too much to be added up while somebody waits. */
const CATCHING_UP_MS = 4 * 86_400_000

export interface Books {
  /** The closed day that they are of; null for how they are now. */
  readonly closing: Closing | null
  /** Earlier days are still being closed: these are the last that were, or none. */
  readonly isCatchingUp: boolean
  readonly balances: readonly DayBalance[]
}

/** The books of a closed day; of any other, and of none, as they are now. */
export async function readBooks(db: Db, day: string | null, now: Date): Promise<Books> {
  const wanted = day === null ? null : await findClosing(db, day)
  if (wanted) return ofDay(db, wanted, false)
  const last = await findLastClosing(db)
  const since = last?.ends ?? (await findFirstMovement(db))
  if (since === null || now.getTime() - since.getTime() <= CATCHING_UP_MS)
    return { closing: null, isCatchingUp: false, balances: await listBalancesSince(db, last, now) }
  return last ? ofDay(db, last, true) : { closing: null, isCatchingUp: true, balances: [] }
}

async function ofDay(db: Db, closing: Closing, isCatchingUp: boolean): Promise<Books> {
  return { closing, isCatchingUp, balances: await listDayBalances(db, closing.day) }
}

async function findFirstMovement(db: Db): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null
  }>`select at from ledger_transfer order by id limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/** The last closed day and what has moved since, up to a moment. */
async function listBalancesSince(db: Db, last: Closing | null, until: Date): Promise<DayBalance[]> {
  const { rows } = await sql<BalanceRow>`
    with moved as (
      select account, currency, sum(debit) as debit, sum(credit) as credit from (
        select ${GROUPED} as account, a.currency, t.amount_minor as debit, 0 as credit from ledger_transfer t join ledger_account a on a.id = t.debit
        where t.at >= ${last?.ends ?? new Date(0)} and t.at < ${until}
        union all
        select ${GROUPED}, a.currency, 0, t.amount_minor from ledger_transfer t join ledger_account a on a.id = t.credit
        where t.at >= ${last?.ends ?? new Date(0)} and t.at < ${until}
      ) as legs group by account, currency
    ), before as (select account, currency, balance_minor from ledger_day where day = ${last?.day ?? null}::date)
    select coalesce(b.account, m.account) as account, coalesce(b.currency, m.currency) as currency, coalesce(m.debit, 0)::text as debit, coalesce(m.credit, 0)::text as credit,
      (coalesce(b.balance_minor, 0) + coalesce(m.credit, 0) - coalesce(m.debit, 0))::text as balance
    from before b full join moved m on m.account = b.account and m.currency = b.currency order by 1, 2`.execute(
    db,
  )
  return rows.map(balanceOf)
}

export interface Closing {
  readonly day: string
  readonly begins: Date
  readonly ends: Date
  readonly transfers: number
  readonly closedAt: Date
}

const CLOSING = sql`select day::text as day, begins, ends, transfers, closed_at as "closedAt" from ledger_closing`

/** Closed days, newest first. @param before a day of the page before */
export async function listClosings(
  db: Db,
  before: string | null,
  limit: number,
): Promise<Closing[]> {
  const { rows } = await sql<Closing>`${CLOSING}
    where ${before}::date is null or day < ${before}::date order by day desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function findLastClosing(db: Db | Tx): Promise<Closing | null> {
  const { rows } = await sql<Closing>`${CLOSING} order by day desc limit 1`.execute(db)
  return rows[0] ?? null
}

async function findClosing(db: Db, day: string): Promise<Closing | null> {
  const { rows } = await sql<Closing>`${CLOSING} where day = ${day}::date`.execute(db)
  return rows[0] ?? null
}
