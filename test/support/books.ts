import { sql } from 'kysely'
import type { LedgerAccount } from '#features/base/ledger/rules.ts'
import { refundOf } from '#features/buying/refund/queries.ts'
import type { Refund } from '#features/buying/refund/rules.ts'
import type { Db } from '#platform/db.ts'

export interface Balance {
  readonly account: LedgerAccount
  readonly currency: string
  /** Credits less debits, in minor units. */
  readonly minor: bigint
}

/** What an account holds, from its movements. Zero for one never used. */
export async function getBalance(
  db: Db,
  account: LedgerAccount,
  currency: string,
): Promise<bigint> {
  return (
    (await listBalances(db)).find(
      (balance) => balance.account === account && balance.currency === currency,
    )?.minor ?? 0n
  )
}

/** What a shopper may spend, from the row that is kept up to date with every movement. */
export async function getGuardedBalance(
  db: Db,
  account: LedgerAccount,
  currency: string,
): Promise<bigint> {
  const row = await db
    .selectFrom('ledger_account')
    .select('balance_minor')
    .where('code', '=', account)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return BigInt(row?.balance_minor ?? 0)
}

/** Every account with its balance; those of one currency add up to zero. */
export async function listBalances(db: Db): Promise<Balance[]> {
  const { rows } = await sql<{ account: LedgerAccount; currency: string; minor: string }>`
    select a.code as account, a.currency, coalesce(sum(side.minor), 0)::text as minor
    from ledger_account a left join (
      select credit as id, amount_minor as minor from ledger_transfer union all select debit, -amount_minor from ledger_transfer
    ) as side on side.id = a.id
    group by a.code, a.currency order by a.currency, a.code`.execute(db)
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

export async function listRefunds(db: Db, orderId: string): Promise<Refund[]> {
  return (
    await db
      .selectFrom('refund')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute()
  ).map(refundOf)
}

/** Why an order's rows of history were written, oldest first. */
export async function listReasons(db: Db, orderId: string): Promise<string[]> {
  return (
    await db
      .selectFrom('order_event')
      .select('reason')
      .where('order_id', '=', orderId)
      .orderBy('seq')
      .execute()
  ).map(({ reason }) => reason)
}
