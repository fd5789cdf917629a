import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { eraseBankLines, forgetLines } from '#features/buying/bank-transfer/commands.ts'
import { removeOldNotices } from '#features/buying/payment/commands.ts'
import { AUDIT_DAYS, CHANGE_DAYS, EVIDENCE_DAYS, NOTICE_DAYS, UNPAID_DAYS } from './rules.ts'

const DAY_MS = 86_400_000
/** Of each table in one statement: locks are held shortly, and the rest is the next call's. */
const ROWS_A_CALL = 1_000

async function forget(
  db: Db | Tx,
  accountId: string | null,
  notices: Date,
  evidence: Date,
): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select forget_evidence(${accountId}::uuid, ${notices}, ${evidence}, ${ROWS_A_CALL}) as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Part of erasing a person: what evidence tells of them goes, but for what an open dispute needs; that goes when its term is over. */
export async function eraseEvidence(tx: Tx, accountId: string): Promise<void> {
  const never = new Date(0)
  await eraseBankLines(tx, accountId)
  while ((await forget(tx, accountId, never, never)) > 0);
}

/** Takes out of evidence what is past its term; of the erased everything that no dispute needs any more. */
export async function forgetOldEvidence(
  ctx: Pick<Ctx, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<number> {
  const before = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS)
  while (!signal?.aborted && (await forgetLines(ctx.db, before(EVIDENCE_DAYS))) > 0);
  for (let total = 0; ; ) {
    const count = signal?.aborted
      ? 0
      : await forget(ctx.db, null, before(NOTICE_DAYS), before(EVIDENCE_DAYS))
    total += count
    if (count === 0) return total
  }
}

/** Orders that go in one statement: each takes its lines, units, events and attempts along. */
const ORDERS_A_CALL = 200

/** Takes away orders that came to nothing, what people changed of their own accounts, and notices of payments, past their terms. */
export async function forgetWhatCameToNothing(
  ctx: Pick<Ctx, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS)
  await untilNone(
    sql<{
      count: number
    }>`select forget_unpaid_orders(${before(UNPAID_DAYS)}, ${ORDERS_A_CALL}) as count`,
  )
  await untilNone(
    sql<{ count: number }>`select forget_changes(${before(CHANGE_DAYS)}, ${ROWS_A_CALL}) as count`,
  )
  await untilNone(
    sql<{ count: number }>`select forget_audit(${before(AUDIT_DAYS)}, ${ROWS_A_CALL}) as count`,
  )

  await removeOldNotices(ctx, before(EVIDENCE_DAYS), signal)

  async function untilNone(statement: RawBuilder<{ count: number }>): Promise<void> {
    for (let count = 1; count > 0 && !signal?.aborted; ) {
      const { rows } = await statement.execute(ctx.db)
      count = rows[0]?.count ?? 0
    }
  }
}
