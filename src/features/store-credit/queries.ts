import { storeCreditOf } from '#features/ledger/rules.ts'
import { STORE_CREDIT } from '#features/pay-method/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** An attempt to pay with credit, locked, and whose it is. */
export async function findAttempt(
  tx: Tx,
  id: string,
): Promise<{ readonly accountId: string; readonly status: string; readonly amount: Money } | null> {
  const row = await tx
    .selectFrom('payment_attempt as p')
    .innerJoin('shop_order as o', 'o.id', 'p.order_id')
    .select(['p.status', 'p.amount_minor', 'p.currency', 'o.account_id'])
    .where('p.id', '=', id)
    .where('p.provider', '=', STORE_CREDIT)
    .forNoKeyUpdate('p')
    .executeTakeFirst()
  return row
    ? {
        accountId: row.account_id,
        status: row.status,
        amount: { minor: BigInt(row.amount_minor), currency: row.currency },
      }
    : null
}

/** What an attempt has taken; null while it has taken nothing. */
export async function findSpent(db: Db | Tx, attemptId: string): Promise<Money | null> {
  const row = await db
    .selectFrom('ledger_transfer')
    .select(['amount_minor', 'currency'])
    .where('source', '=', 'spend')
    .where('source_id', '=', attemptId)
    .executeTakeFirst()
  return row ? { minor: BigInt(row.amount_minor), currency: row.currency } : null
}

/** Whether a refund's credit is back. */
export async function findReturn(db: Db | Tx, refundId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_transfer')
    .select('id')
    .where('source', '=', 'unspend')
    .where('source_id', '=', refundId)
    .executeTakeFirst()
  return row !== undefined
}

/** What attempts took in a span of time, by the day they were made. */
export async function listSpent(
  db: Db,
  since: Date,
  until: Date,
): Promise<{ readonly attemptId: string; readonly money: Money }[]> {
  const rows = await db
    .selectFrom('payment_attempt as p')
    .innerJoin('ledger_transfer as t', 't.source_id', 'p.id')
    .select(['p.id', 't.amount_minor', 't.currency'])
    .where('p.provider', '=', STORE_CREDIT)
    .where('t.source', '=', 'spend')
    .where('p.created_at', '>=', since)
    .where('p.created_at', '<', until)
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    attemptId: row.id,
    money: { minor: BigInt(row.amount_minor), currency: row.currency },
  }))
}

/** Whether a shopper was ever given credit, spent or not. */
export async function hasHadCredit(db: Db | Tx, accountId: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('ledger_account')
      .select('id')
      .where('code', '=', storeCreditOf(accountId))
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}
