import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** Money of a shopper's that moved: paid, given back, or put to their store credit. */
export interface Transaction {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'credit'
  readonly at: Date
  /** In minor units; below zero where credit was taken. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Null where it belongs to no order. */
  readonly order: { readonly publicId: string; readonly number: string } | null
  /** How it was paid, or where it went. */
  readonly method: string | null
}

type Row = Omit<Transaction, 'amountMinor' | 'order'> & { readonly amount: string; readonly publicId: string | null; readonly number: string | null }

/** Credit that pays, or is given back, is told by its payment or refund. */
const movements = (accountId: string) => sql`
  select t.id, 'payment' as kind, t.at, t.amount_minor as amount, t.currency, o.public_id as "publicId", o.number, p.method
  from shop_order o join payment_attempt p on p.order_id = o.id join ledger_transfer t on t.source = 'capture' and t.source_id = p.id
  where o.account_id = ${accountId}
  union all
  select r.id, 'refund', r.updated_at, r.amount_minor, r.currency, o.public_id, o.number, case when r.destination = 'store_credit' then 'store_credit' else p.method end
  from shop_order o join refund r on r.order_id = o.id join payment_attempt p on p.id = r.attempt_id
  where o.account_id = ${accountId} and r.status = 'succeeded'
  union all
  select t.id, 'credit', t.at, case when t.credit = a.id then t.amount_minor else -t.amount_minor end, t.currency, o.public_id, o.number, null
  from ledger_account a join ledger_transfer t on a.id in (t.credit, t.debit)
  left join order_unit u on t.source = 'deliver' and u.id = t.source_id left join shop_order o on o.id = u.order_id
  where a.code = ${`store_credit:${accountId}`} and t.source not in ('spend', 'unspend', 'refund')`

/** One page of them, newest first, with how many there are. */
export async function listTransactions(db: Db, accountId: string, { page, limit }: { readonly page: number; readonly limit: number }): Promise<{ readonly list: readonly Transaction[]; readonly total: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`select id, kind, at, amount::text as amount, currency, "publicId", number, method from (${movements(accountId)}) as moved order by at desc, id desc limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ total: number }>`select count(*)::integer as total from (${movements(accountId)}) as moved`.execute(db),
  ])
  const list = rows.map(({ amount, publicId, number, ...row }) => ({ ...row, amountMinor: BigInt(amount), order: publicId !== null && number !== null ? { publicId, number } : null }))
  return { list, total: counted.rows[0]?.total ?? 0 }
}

/** A shopper's store credit by currency, where there is any. */
export async function listCredit(db: Db, accountId: string): Promise<{ readonly currency: string; readonly minor: bigint }[]> {
  const rows = await db.selectFrom('ledger_account').select(['currency', 'balance_minor']).where('code', '=', `store_credit:${accountId}`).where('balance_minor', '>', '0').orderBy('currency').execute()
  return rows.map((row) => ({ currency: row.currency, minor: BigInt(row.balance_minor ?? 0) }))
}
