import { sql } from 'kysely'
import { storeCreditOf } from '#features/base/ledger/rules.ts'
import { STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { CreditAccount, Funding } from './rules.ts'

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

/** A shopper's credit in a currency, locked: nobody else gives, takes or spends of it until the commit. Null where none was ever given. */
export async function lockCredit(
  tx: Tx,
  accountId: string,
  currency: string,
): Promise<CreditAccount | null> {
  const locked = await tx
    .selectFrom('ledger_account')
    .select('id')
    .where('code', '=', storeCreditOf(accountId))
    .where('currency', '=', currency)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!locked) return null
  const { rows } = await sql<{ balance: string; owed: string }>`
    select balance_minor::text as balance, owed_minor::text as owed from credit_of(${accountId}) where currency = ${currency}`.execute(
    tx,
  )
  return {
    accountId,
    currency,
    balanceMinor: BigInt(rows[0]?.balance ?? 0),
    owedMinor: BigInt(rows[0]?.owed ?? 0),
  }
}

/** What a shopper may spend now: not what a dispute holds back, and nothing while something is owed. */
export async function getSpendable(
  db: Db | Tx,
  accountId: string,
  currency: string,
): Promise<bigint> {
  const { rows } = await sql<{
    minor: string
  }>`select spendable_credit(${accountId}, ${currency})::text as minor`.execute(db)
  return BigInt(rows[0]?.minor ?? 0)
}

/** The credit that a payment gave; null where it gave none in that currency. */
export async function findFunding(
  tx: Tx,
  attemptId: string,
  currency: string,
): Promise<Funding | null> {
  const { rows } = await sql<{
    funded: string
    reversed: string
    reclaimed: string
    reclaims: number
    returns: number
  }>`
    select f.funded_minor::text as funded, f.reversed_minor::text as reversed, f.reclaimed_minor::text as reclaimed,
      (select coalesce(max(t.leg) + 1, 0) from ledger_transfer t where t.source = 'reclaim' and t.source_id = f.attempt_id) as reclaims,
      (select coalesce(max(t.leg) + 1, 0) from ledger_transfer t where t.source = 'reclaim_undone' and t.source_id = f.attempt_id) as returns
    from funded_credit f where f.attempt_id = ${attemptId} and f.currency = ${currency} and f.funded_minor > 0`.execute(
    tx,
  )
  const [row] = rows
  return row
    ? {
        attemptId,
        fundedMinor: BigInt(row.funded),
        reversedMinor: BigInt(row.reversed),
        reclaimedMinor: BigInt(row.reclaimed),
        reclaims: row.reclaims,
        returns: row.returns,
      }
    : null
}

export interface UnfollowedReversal {
  readonly attemptId: string
  readonly accountId: string
  readonly currency: string
}

/** Payments whose credit is not what their reversals say: those of before the shop knew. */
export async function listUnfollowed(db: Db): Promise<UnfollowedReversal[]> {
  const { rows } = await sql<UnfollowedReversal>`
    select f.attempt_id as "attemptId", o.account_id as "accountId", f.currency from payment_attempt p join funded_credit f on f.attempt_id = p.id join shop_order o on o.id = p.order_id
    where p.reversed_minor > 0 and f.reclaimed_minor <> least(f.reversed_minor, f.funded_minor)`.execute(
    db,
  )
  return rows
}

export interface CreditDebt {
  readonly email: string | null
  readonly currency: string
  readonly owedMinor: bigint
}

/** Shoppers who owe credit, for operators. */
export async function listDebts(db: Db): Promise<CreditDebt[]> {
  const { rows } = await sql<{ email: string | null; currency: string; owed: string }>`
    select a.email, d.currency, d.owed_minor::text as owed from credit_debt d left join account a on a.id = d.account_id where d.owed_minor > 0 order by a.email, d.currency`.execute(
    db,
  )
  return rows.map(({ email, currency, owed }) => ({ email, currency, owedMinor: BigInt(owed) }))
}

export async function countDebts(db: Db): Promise<number> {
  return (await listDebts(db)).length
}

/** Currencies in which a shopper was ever given credit, in the order in which their rows are locked. */
export async function listCurrenciesOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('ledger_account')
    .select('currency')
    .where('code', '=', storeCreditOf(accountId))
    .orderBy('currency')
    .execute()
  return rows.map(({ currency }) => currency)
}

/** Whether whoever had an account has left for good. */
export async function isErased(tx: Tx, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('account')
    .select('status')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.status === 'erased'
}
