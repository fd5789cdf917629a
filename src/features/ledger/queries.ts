import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { LedgerAccount } from './rules.ts'

export interface Balance {
  readonly account: LedgerAccount
  readonly currency: string
  /** Credits less debits, in minor units. */
  readonly minor: bigint
}

/** What an account holds, from its movements. Zero for one never used. */
export async function getBalance(db: Db, account: LedgerAccount, currency: string): Promise<bigint> {
  const { rows } = await sql<{ minor: string }>`
    select coalesce(sum(case when t.credit = a.id then t.amount_minor else -t.amount_minor end), 0)::text as minor
    from ledger_account a join ledger_transfer t on a.id in (t.debit, t.credit)
    where a.code = ${account} and a.currency = ${currency}`.execute(db)
  return BigInt(rows[0]?.minor ?? 0)
}

/** What a shopper may spend, from the row that is kept up to date with every movement. */
export async function getGuardedBalance(db: Db, account: LedgerAccount, currency: string): Promise<bigint> {
  const row = await db.selectFrom('ledger_account').select('balance_minor').where('code', '=', account).where('currency', '=', currency).executeTakeFirst()
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
