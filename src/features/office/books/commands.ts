import { sql } from 'kysely'
import { compareAgain } from '#features/buying/reconciliation/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { findLastClosing, GROUPED, type Closing } from './queries.ts'

export { countStanding } from './write/standing.ts'

/** A movement is written in the transaction of what it records; none takes so long. */
const SETTLED_AFTER_MS = 2 * 3_600_000

/** Closes every day of the shop that has ended and is not closed yet, oldest first. @returns how many those were */
export async function closeDays(ctx: Ctx, timeZone: string, signal?: AbortSignal): Promise<number> {
  let closed = 0
  while (!signal?.aborted && (await closeNext(ctx, timeZone))) closed += 1
  return closed
}

async function closeNext(ctx: Ctx, timeZone: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('ledger_closing', 0))`.execute(tx)
    const last = await findLastClosing(tx)
    const next = await nextDay(tx, last, timeZone)
    if (!next || next.ends.getTime() + SETTLED_AFTER_MS > now.getTime()) return false
    if (last) await requireUnchanged(tx, last)
    await tx
      .insertInto('ledger_closing')
      .values({ ...next, transfers: await countTransfers(tx, next), closed_at: now })
      .execute()
    await writeBalances(tx, next, last?.day ?? null)
    await requireBalanced(tx, next.day)
    return true
  })
}

interface Span {
  readonly day: string
  readonly begins: Date
  readonly ends: Date
}

/** The day after the last, or the first that something moved on; null where nothing has. A change of the time zone leaves no gap. */
async function nextDay(tx: Tx, last: Closing | null, timeZone: string): Promise<Span | null> {
  const { rows } = await sql<Span>`
    with first as (select (coalesce(${last?.ends ?? null}::timestamptz, (select min(at) from ledger_transfer)) at time zone ${timeZone})::date as moved),
      next as (select case when ${last?.day ?? null}::date is null then moved else greatest(${last?.day ?? null}::date + 1, moved) end as day from first)
    select day::text as day, coalesce(${last?.ends ?? null}::timestamptz, day::timestamp at time zone ${timeZone}) as begins,
      (day + 1)::timestamp at time zone ${timeZone} as ends from next where day is not null`.execute(
    tx,
  )
  return rows[0] ?? null
}

async function countTransfers(tx: Tx, { begins, ends }: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ledger_transfer where at >= ${begins} and at < ${ends}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

async function writeBalances(tx: Tx, { day, begins, ends }: Span, before: string | null) {
  await sql`
    insert into ledger_day (day, account, currency, debit_minor, credit_minor, balance_minor)
    select ${day}::date, coalesce(b.account, m.account), coalesce(b.currency, m.currency), coalesce(m.debit, 0), coalesce(m.credit, 0),
      coalesce(b.balance_minor, 0) + coalesce(m.credit, 0) - coalesce(m.debit, 0)
    from (select account, currency, balance_minor from ledger_day where day = ${before}::date) as b full join (
      select account, currency, sum(debit) as debit, sum(credit) as credit from (
        select ${GROUPED} as account, a.currency, t.amount_minor as debit, 0 as credit from ledger_transfer t join ledger_account a on a.id = t.debit where t.at >= ${begins} and t.at < ${ends}
        union all
        select ${GROUPED}, a.currency, 0, t.amount_minor from ledger_transfer t join ledger_account a on a.id = t.credit where t.at >= ${begins} and t.at < ${ends}
      ) as legs group by account, currency
    ) as m on m.account = b.account and m.currency = b.currency`.execute(tx)
}

/** What was closed stands: a movement that came into it later would be in no day. */
async function requireUnchanged(tx: Tx, last: Closing): Promise<void> {
  const count = await countTransfers(tx, last)
  if (count !== last.transfers)
    throw new Error(
      `${count - last.transfers} movements were written into ${last.day} after it was closed`,
    )
}

async function requireBalanced(tx: Tx, day: string): Promise<void> {
  const { rows } = await sql<{ currency: string }>`
    select currency from ledger_day where day = ${day}::date group by currency having sum(balance_minor) <> 0`.execute(
    tx,
  )
  if (rows.length > 0)
    throw new Error(
      `the books of ${day} do not balance in ${rows.map(({ currency }) => currency).join(', ')}`,
    )
}

/** Has the worker compare the books with a provider now, whenever it did so last. Throws 'not_found' for one that it does not compare with. */
export async function compareProvider(ctx: OperatorCtx, provider: string): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await compareAgain(ctx, provider)
  if (!(await wantSweep(ctx, `reconcile:${provider}`))) throw new AppError('not_found')
}
