import { sql } from 'kysely'
import { assert } from '#kernel/assert.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import {
  balanceChanges,
  isGuarded,
  undone,
  type BalanceChange,
  type LedgerAccount,
  type Posting,
  type UndoneSource,
} from './rules.ts'

type Writing = Pick<Ctx, 'now' | 'newId'>

/**
 * Writes movements, all or none, in the transaction of what they record. Throws AppError `insufficient_credit` when store
 * credit would fall below zero, and the database's unique violation for a movement that was written before.
 */
export async function post(tx: Tx, ctx: Writing, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return
  assert(
    postings.every(({ amountMinor }) => amountMinor > 0n),
    'a movement is above zero',
  )
  const changes = balanceChanges(postings)
  await moveGuarded(
    tx,
    changes.filter(({ account }) => isGuarded(account)),
  )
  const rows = postings.map((posting) => ({ ...posting, id: ctx.newId() }))
  const written = await insertTransfers(tx, ctx, rows)
  if (written === rows.length) return
  await openAccounts(tx, changes)
  assert(
    written + (await insertTransfers(tx, ctx, rows)) === rows.length,
    'every movement is written',
  )
}

/** Takes back the movements that were written for a row, as they stand in the books and so far as they are not taken back yet. */
export async function bookBack(
  tx: Tx,
  ctx: Writing,
  source: UndoneSource,
  sourceId: string,
): Promise<void> {
  const { rows } = await sql<{
    leg: number
    debit: LedgerAccount
    credit: LedgerAccount
    currency: string
    minor: string
    account: string | null
  }>`
    select t.leg, d.code as debit, c.code as credit, t.currency, t.amount_minor::text as minor, t.account_id as account
    from ledger_transfer t join ledger_account d on d.id = t.debit join ledger_account c on c.id = t.credit
    where t.source = ${source} and t.source_id = ${sourceId}
      and not exists (select from ledger_transfer b where b.source = ${`${source}_undone`} and b.source_id = t.source_id and b.leg = t.leg)
    order by t.leg`.execute(tx)
  await post(
    tx,
    ctx,
    undone(
      rows.map(({ leg, debit, credit, currency, minor, account }) => ({
        source,
        sourceId,
        leg,
        debit,
        credit,
        currency,
        amountMinor: BigInt(minor),
        ...(account === null ? {} : { shownTo: account }),
      })),
    ),
  )
}

/** Inserts what is not there yet and whose accounts exist; how many that were. */
async function insertTransfers(
  tx: Tx,
  ctx: Writing,
  rows: readonly (Posting & { readonly id: string })[],
): Promise<number> {
  const inserted = await sql`
    insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at, account_id)
    select row.id, row.source, row.source_id, row.leg, debit.id, credit.id, row.currency, row.amount_minor, ${ctx.now()}, row.account_id
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ source }) => source)}::text[], ${rows.map(({ sourceId }) => sourceId)}::uuid[],
      ${rows.map(({ leg }) => leg ?? 0)}::smallint[], ${rows.map(({ debit }) => debit)}::text[], ${rows.map(({ credit }) => credit)}::text[],
      ${rows.map(({ currency }) => currency)}::text[], ${rows.map(({ amountMinor }) => amountMinor.toString())}::numeric[],
      ${rows.map(({ shownTo }) => shownTo ?? null)}::uuid[])
      as row (id, source, source_id, leg, debit, credit, currency, amount_minor, account_id)
    join ledger_account debit on debit.code = row.debit and debit.currency = row.currency
    join ledger_account credit on credit.code = row.credit and credit.currency = row.currency
    where not exists (select from ledger_transfer written where written.id = row.id)`.execute(tx)
  return Number(inserted.numAffectedRows ?? 0n)
}

/** The first use of an account in a currency makes it. */
async function openAccounts(tx: Tx, changes: readonly BalanceChange[]): Promise<void> {
  await tx
    .insertInto('ledger_account')
    .values(
      changes.map(({ account, currency }) => ({
        code: account,
        currency,
        balance_minor: isGuarded(account) ? '0' : null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['code', 'currency']).doNothing())
    .execute()
}

async function moveGuarded(tx: Tx, changes: readonly BalanceChange[]): Promise<void> {
  if (changes.length > 0) await openAccounts(tx, changes)
  for (const { account, currency, changeMinor } of changes) {
    const moved = await tx
      .updateTable('ledger_account')
      .set((row) => ({
        balance_minor: sql<string>`${row.ref('balance_minor')} + ${changeMinor.toString()}::numeric`,
      }))
      .where('code', '=', account)
      .where('currency', '=', currency)
      .where(sql<boolean>`balance_minor + ${changeMinor.toString()}::numeric >= 0`)
      .executeTakeFirst()
    if (moved.numUpdatedRows === 0n) throw new AppError('insufficient_credit')
  }
}
