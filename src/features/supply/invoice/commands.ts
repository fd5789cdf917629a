import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import {
  atSupplier,
  EXCHANGE_DIFFERENCE,
  exchangedAt,
  movement,
  SUPPLY_COMMISSIONS,
} from '#features/base/ledger/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { inCurrency } from '#features/supply/routing/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { isUniqueViolation } from '#platform/db.ts'
import { BOOKED, listPools, type Pool } from './queries.ts'

export interface NewInvoice {
  readonly supplier: string
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly money: Money
  /** `YYYY-MM-DD`, both counted. */
  readonly fromOn: string
  readonly untilOn: string
}

/**
 * Notes what a supplier has billed or credited for a while. One that comes to what was bought then is settled at once; the others wait for somebody.
 * Throws 'not_found' for a supplier the shop has not, 'conflict' for a number that was noted before.
 * @returns by how much it is more than the shop's own books
 */
export async function noteInvoice(
  ctx: OperatorCtx,
  { supplier, kind, number, money, fromOn, untilOn }: NewInvoice,
): Promise<bigint> {
  requirePermission(ctx, 'payment.note')
  return transaction(ctx, async (tx, now) => {
    await requireSupplier(tx, supplier)
    const id = ctx.newId()
    await once(
      'supplier_invoice_supplier_number_key',
      tx
        .insertInto('supplier_invoice')
        .values({
          id,
          supplier,
          kind,
          number,
          currency: money.currency,
          amount_minor: money.minor,
          from_on: fromOn,
          until_on: untilOn,
          recorded_by: ctx.operator.name,
          recorded_at: now,
        })
        .execute(),
    )
    const { rows } = await sql<{
      more: string
    }>`select (i.amount_minor - booked.minor)::text as more from supplier_invoice i ${BOOKED} where i.id = ${id}`.execute(
      tx,
    )
    const more = BigInt(rows[0]?.more ?? '0')
    if (more === 0n)
      await tx
        .updateTable('supplier_invoice')
        .set({ closed_at: now, closed_by: 'system', note: 'comes to what was bought' })
        .where('id', '=', id)
        .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'supplier_invoice',
        subject: 'supplier',
        subjectCode: supplier,
        before: null,
        after: { kind, number, amount_minor: money.minor.toString(), currency: money.currency },
      },
    ])
    return more
  })
}

/** Notes what was found about an invoice that differs, and closes it. Throws 'not_found' for one that is none, or closed. */
export async function settleInvoice(
  ctx: OperatorCtx,
  { supplier, number }: Pick<NewInvoice, 'supplier' | 'number'>,
  note: string,
): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, async (tx, now) => {
    const closed = await tx
      .updateTable('supplier_invoice')
      .set({ closed_at: now, closed_by: ctx.operator.name, note })
      .where('supplier', '=', supplier)
      .where('number', '=', number)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) throw new AppError('not_found')
    await recordAudit(tx, ctx, now, [
      {
        action: 'supplier_invoice_settled',
        subject: 'supplier',
        subjectCode: supplier,
        before: { number, settled: false },
        after: { number, settled: true, note },
      },
    ])
  })
}

/** Books what a supplier has given to the balance there. Throws 'not_found', 'conflict' for one that is booked already. */
export async function bookCommission(
  ctx: OperatorCtx,
  {
    supplier,
    money,
    reference,
  }: { readonly supplier: string; readonly money: Money; readonly reference: string },
): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, async (tx, now) => {
    await requireSupplier(tx, supplier)
    const id = ctx.newId()
    await once(
      'supplier_commission_supplier_reference_key',
      tx
        .insertInto('supplier_commission')
        .values({
          id,
          supplier,
          currency: money.currency,
          amount_minor: money.minor,
          reference,
          recorded_by: ctx.operator.name,
          recorded_at: now,
        })
        .execute(),
    )
    await post(
      tx,
      ctx,
      movement({
        source: 'commission',
        sourceId: id,
        debit: atSupplier(supplier),
        credit: SUPPLY_COMMISSIONS,
        currency: money.currency,
        amountMinor: money.minor,
      }),
    )
    await recordAudit(tx, ctx, now, [
      {
        action: 'supplier_commission',
        subject: 'supplier',
        subjectCode: supplier,
        before: null,
        after: { amount_minor: money.minor.toString(), currency: money.currency, reference },
      },
    ])
  })
}

async function requireSupplier(tx: Tx, supplier: string): Promise<void> {
  const known = await tx
    .selectFrom('supplier')
    .select('code')
    .where('code', '=', supplier)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
}

async function once(constraint: string, insert: Promise<unknown>): Promise<void> {
  try {
    await insert
  } catch (error) {
    if (isUniqueViolation(error, constraint)) throw new AppError('conflict', {}, { cause: error })
    throw error
  }
}

/** Longer than a movement takes from its moment until others see it. */
const SEEN_AFTER_MS = 60_000

/**
 * Books by how much balances of other currencies cost more, or less, than what was used up of them is worth at the rate of now: once a day.
 * @returns for how many balances something was booked
 */
export async function bookExchange(ctx: Ctx): Promise<number> {
  let booked = 0
  const until = new Date(ctx.now().getTime() - SEEN_AFTER_MS)
  for (const pool of await listPools(ctx.db, until))
    if (pool.usedMinor > 0n && (await bookUsage(ctx, pool, until))) booked += 1
  return booked
}

/** False where no rate of exchange holds: it is booked with the next one. */
async function bookUsage(
  ctx: Ctx,
  { supplier, currency, paidCurrency, boughtMinor, paidMinor, usedMinor }: Pool,
  until: Date,
): Promise<boolean> {
  const worth = inCurrency(
    { minor: usedMinor, currency },
    paidCurrency,
    await listCurrencies(ctx.db),
  )
  if (worth === null) return false
  const average = (usedMinor * paidMinor) / boughtMinor
  return transaction(ctx, async (tx, now) => {
    const id = ctx.newId()
    await tx
      .insertInto('supplier_usage')
      .values({
        id,
        supplier,
        currency,
        paid_currency: paidCurrency,
        used_until: until,
        used_minor: usedMinor,
        average_minor: average,
        rate_minor: worth,
        booked_at: now,
      })
      .execute()
    const isDearer = average > worth
    await post(
      tx,
      ctx,
      movement({
        source: 'exchange',
        sourceId: id,
        debit: isDearer ? EXCHANGE_DIFFERENCE : exchangedAt(supplier),
        credit: isDearer ? exchangedAt(supplier) : EXCHANGE_DIFFERENCE,
        currency: paidCurrency,
        amountMinor: isDearer ? average - worth : worth - average,
      }),
    )
    return true
  })
}
