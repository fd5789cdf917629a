import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

/** Money of a shopper's that moved: paid, given back, put to their store credit, taken back from it, or used for what they owed. */
export interface Transaction {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'credit' | 'reclaim' | 'repay'
  readonly at: Date
  /** In minor units; below zero where credit was taken, or a refund did not reach its payer. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Null where it belongs to no order. */
  readonly order: { readonly publicId: string; readonly number: string } | null
  /** How it was paid, or where it went. */
  readonly method: string | null
}

type Row = Omit<Transaction, 'amountMinor' | 'order'> & {
  readonly amount: string
  readonly publicId: string | null
  readonly number: string | null
}

/**
 * One page of them, newest first, with how many there are. The books name the shopper on one leg of each: its place is told by
 * their index alone. Credit that pays, or is given back, is told by its payment or refund.
 */
export async function listTransactions(
  db: Db,
  accountId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly list: readonly Transaction[]; readonly total: number }> {
  const [list, counted] = await Promise.all([
    readTransactions(db, accountId, sql`limit ${limit} offset ${(page - 1) * limit}`),
    sql<{
      total: number
    }>`select count(*)::integer as total from ledger_transfer where account_id = ${accountId}`.execute(
      db,
    ),
  ])
  return { list, total: counted.rows[0]?.total ?? 0 }
}

/** The newest of them, whatever there are. */
export const listNewestTransactions = (db: Db, accountId: string, limit: number) =>
  readTransactions(db, accountId, sql`limit ${limit}`)

async function readTransactions(
  db: Db,
  accountId: string,
  which: RawBuilder<unknown>,
): Promise<Transaction[]> {
  const { rows } = await sql<Row>`
      with shown as materialized (
        select id, at from ledger_transfer where account_id = ${accountId} order by at desc, id desc ${which}
      )
      select case t.source when 'refund' then r.id else t.id end as id, case t.source when 'capture' then 'payment' when 'refund' then 'refund' when 'refund_undone' then 'refund' when 'reclaim' then 'reclaim' when 'repay' then 'repay' else 'credit' end as kind, t.at,
        (case when t.source = 'refund_undone' then -r.amount_minor when r.id is not null then r.amount_minor when t.source in ('capture', 'reclaim_undone') or credited.code = ${`store_credit:${accountId}`} then t.amount_minor else -t.amount_minor end)::text as amount,
        t.currency, o.public_id as "publicId", o.number, case when r.destination = 'store_credit' then r.destination else p.method end as method
      from shown join ledger_transfer t on t.id = shown.id join ledger_account credited on credited.id = t.credit
      left join refund r on t.source in ('refund', 'refund_undone') and r.id = t.source_id
      left join payment_attempt p on p.id = case when t.source in ('capture', 'reclaim', 'reclaim_undone') then t.source_id else r.attempt_id end
      left join order_unit u on t.source = 'deliver' and u.id = t.source_id
      left join shop_order o on o.id = coalesce(p.order_id, u.order_id)
      order by shown.at desc, shown.id desc`.execute(db)
  return rows.map(({ amount, publicId, number, ...row }) => ({
    ...row,
    amountMinor: BigInt(amount),
    order: publicId !== null && number !== null ? { publicId, number } : null,
  }))
}

export interface CreditBalance {
  readonly currency: string
  /** All of it, in minor units; what of it a disputed payment holds back, and what is owed. */
  readonly minor: bigint
  readonly frozenMinor: bigint
  readonly owedMinor: bigint
}

/** A shopper's store credit by currency, where there is any, or something is owed. */
export async function listCredit(db: Db | Tx, accountId: string): Promise<CreditBalance[]> {
  const { rows } = await sql<{ currency: string; balance: string; frozen: string; owed: string }>`
    select currency, balance_minor::text as balance, frozen_minor::text as frozen, owed_minor::text as owed from credit_of(${accountId})
    where balance_minor > 0 or owed_minor > 0 order by currency`.execute(db)
  return rows.map(({ currency, balance, frozen, owed }) => ({
    currency,
    minor: BigInt(balance),
    frozenMinor: BigInt(frozen),
    owedMinor: BigInt(owed),
  }))
}

/** What somebody has to spend, for the export of everything about them. */
export async function exportCredit(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  return (await listCredit(db, accountId)).map((balance) => ({
    currency: balance.currency,
    balance_minor: String(balance.minor),
    held_back_minor: String(balance.frozenMinor),
    owed_minor: String(balance.owedMinor),
  }))
}
