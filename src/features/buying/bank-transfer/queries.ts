import { sql } from 'kysely'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'

export interface Transfer {
  readonly attemptId: string
  readonly isOpen: boolean
  /** Asked for. */
  readonly currency: string
  /** Everything that has arrived for it; null while nothing has. */
  readonly received: Money | null
}

/** A transfer that is waited for, or was, with what has arrived. Null for none of that name. */
export async function findTransfer(db: Db | Tx, attemptId: string): Promise<Transfer | null> {
  const { rows } = await sql<{
    status: string
    currency: string
    received_in: string | null
    received: string | null
  }>`
    select p.status, p.currency, max(r.currency) as received_in, sum(r.amount_minor)::text as received
    from payment_attempt p left join bank_receipt r on r.attempt_id = p.id
    where p.id = ${attemptId} and p.provider = ${BANK_TRANSFER} group by p.id`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    attemptId,
    isOpen: row.status === 'created' || row.status === 'requires_action',
    currency: row.currency,
    received:
      row.received === null || row.received_in === null
        ? null
        : { minor: BigInt(row.received), currency: row.received_in },
  }
}

/** The newest attempt to pay an order by transfer, whatever became of it: money may come late. Null for none. */
export async function findTransferOfOrder(tx: Tx, orderNumber: string): Promise<Transfer | null> {
  const row = await tx
    .selectFrom('payment_attempt as p')
    .innerJoin('shop_order as o', 'o.id', 'p.order_id')
    .select('p.id')
    .where('o.number', '=', orderNumber)
    .where('p.provider', '=', BANK_TRANSFER)
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(1)
    .forNoKeyUpdate('p')
    .executeTakeFirst()
  return row ? findTransfer(tx, row.id) : null
}

/** Transfers waited for since a span of time began. */
export async function listTransfers(db: Db, since: Date, until: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_attempt')
    .select('id')
    .where('provider', '=', BANK_TRANSFER)
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether an operator has sent a refund back. */
export async function isReturned(db: Db, refundId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bank_return')
    .select('refund_id')
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
  return row !== undefined
}

/** The attempt that a line of the statement was noted for; null where none of that name was noted. */
export async function findReceipt(db: Db, reference: string): Promise<string | null> {
  const row = await db
    .selectFrom('bank_receipt')
    .select('attempt_id')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.attempt_id ?? null
}

export {
  countOpenLines,
  exportBankLines,
  getCandidate,
  getLine,
  listLines,
  listReturnsToSend,
  listStatements,
  suggestOrders,
  type BankLine,
} from './read/lines.ts'
