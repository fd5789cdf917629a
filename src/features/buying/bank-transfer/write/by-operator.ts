import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import { askSoon } from '#features/buying/payment/commands.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import { findTransferOfOrder } from '../queries.ts'
import { lineOfReceipt, notedAlike, receiptOfLine } from '../rules.ts'
import { getCandidate, getLine } from '../read/lines.ts'
import { expectTransfer } from './expect.ts'
import { closeLineOf, tieLine } from './statement.ts'

export interface Receipt {
  readonly orderNumber: string
  readonly money: Money
  /** What names the line of the statement: entered twice it counts once. */
  readonly reference: string
  /** What had come for the order when this was decided: where it is more by now, nothing is noted. */
  readonly seenMinor?: bigint
  /** As much was noted for the order from a statement already, and this is other money. */
  readonly isAnother?: boolean
}

export interface RecordedReceipt {
  readonly attemptId: string
  /** False for a line that was entered before. */
  readonly isNew: boolean
  /** The act that waits for another person; null where the money is noted. */
  readonly waits: Waits
}

/**
 * Notes money on the shop's account that an order's transfer brought. What it pays is decided by asking about the payment.
 * Throws 'not_found' where the order has no transfer (and none that `expectTransfer` would give it), 'conflict' where the line was entered with other words, or money of another
 * currency came before, 'changed_meanwhile' for what may be noted from a statement already.
 */
export async function recordReceipt(ctx: OperatorCtx, receipt: Receipt): Promise<RecordedReceipt> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    if (lineOfReceipt(receipt.reference) !== null) await expectTransfer(tx, ctx, receipt)
    const { attemptId, isNew, receivedMinor } = await findNew(tx, receipt)
    if (!isNew) return { attemptId, isNew, waits: null }
    const { orderNumber, money, reference, seenMinor } = receipt
    if (seenMinor !== undefined && seenMinor !== receivedMinor)
      throw new AppError('changed_meanwhile')
    if (!receipt.isAnother && (await isOnStatement(tx, attemptId, receipt)))
      throw new AppError('changed_meanwhile')
    const order = await getOrderByNumber(tx, orderNumber)
    const waits = await askLeave(tx, ctx, {
      kind: 'bank_receipt',
      subject: reference,
      accountId: order.accountId,
      orderId: order.id,
      money,
      usdMinor: await readUsdMinor(tx, money),
      details: { order: orderNumber, received: receivedMinor.toString() },
    })
    if (waits === null) await insertReceipt(tx, ctx, attemptId, receipt)
    return { attemptId, isNew, waits }
  })
}

/** Whether money that is noted by hand may be a line's that was matched to the same transfer. */
async function isOnStatement(
  tx: Tx,
  attemptId: string,
  { reference, money }: Receipt,
): Promise<boolean> {
  if (lineOfReceipt(reference) !== null) return false
  const row = await tx
    .selectFrom('bank_receipt')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('currency', '=', money.currency)
    .where('amount_minor', '=', money.minor.toString())
    .where('reference', 'like', receiptOfLine('%'))
    .executeTakeFirst()
  return row !== undefined
}

export interface LineMatch {
  readonly line: string
  readonly orderNumber: string
  readonly seenMinor: bigint
  /** 'noted': it is what somebody has noted by hand. 'new': it is not, though as much was. Left out where nothing like it was noted. */
  readonly as?: 'noted' | 'new' | null
}

/**
 * Notes a line of an imported statement as an order's money, or as what was noted of that by hand before; said again it changes nothing.
 * Throws as `recordReceipt` does, and 'changed_meanwhile' where somebody has set the line aside or matched it to another order, or where as
 * much was noted by hand and nobody has said whether it is that.
 */
export async function matchLine(
  ctx: OperatorCtx,
  { line, orderNumber, seenMinor, as }: LineMatch,
): Promise<RecordedReceipt> {
  requirePermission(ctx, 'payment.note')
  const { money, outcome, orderNumber: matchedTo } = await getLine(ctx.db, line)
  if (outcome === 'set_aside' || (outcome === 'matched' && matchedTo !== orderNumber))
    throw new AppError('changed_meanwhile')
  if (as === 'noted') return knowLine(ctx, line, { orderNumber, money })
  if (!as && outcome === null) {
    const candidate = await getCandidate(ctx.db, orderNumber)
    if (notedAlike(money, candidate)) throw new AppError('changed_meanwhile')
  }
  return recordReceipt(ctx, { orderNumber, money, reference: receiptOfLine(line), seenMinor })
}

/** The line is what was noted for the order by hand: no money comes by it. Throws 'changed_meanwhile' as long as that waits for another person. */
async function knowLine(
  ctx: OperatorCtx,
  line: string,
  { orderNumber, money }: Pick<Receipt, 'orderNumber' | 'money'>,
): Promise<RecordedReceipt> {
  return inTurn(ctx, async (tx) => {
    const transfer = await findTransferOfOrder(tx, orderNumber)
    if (!transfer) throw new AppError('not_found')
    const { attemptId } = transfer
    const { rows } = await sql<{ id: string; reference: string }>`
      select r.id, r.reference from bank_receipt r left join bank_line l on l.receipt_id = r.id
      where r.attempt_id = ${attemptId} and r.currency = ${money.currency} and r.amount_minor = ${money.minor} and r.reference not like 'line %'
        and (l.id is null or l.public_id = ${line}) order by l.id nulls last, r.id limit 1`.execute(
      tx,
    )
    const [receipt] = rows
    if (!receipt) throw new AppError('changed_meanwhile')
    await tieLine(tx, ctx, line, receipt)
    return { attemptId, isNew: false, waits: null }
  })
}

/**
 * What approving it does. Throws as `recordReceipt` does, and 'changed_meanwhile' where other money of the order was noted since it was asked
 * for: that may be the same transfer. @returns the attempt, which is to be asked about
 */
export async function recordWaitingReceipt(
  tx: Turn,
  ctx: OperatorCtx,
  { subject, money, details }: Act,
): Promise<string> {
  const receipt = { orderNumber: String(details['order']), money, reference: subject }
  const { attemptId, isNew, receivedMinor } = await findNew(tx, receipt)
  const seen = details['received']
  if (isNew && typeof seen === 'string' && seen !== receivedMinor.toString())
    throw new AppError('changed_meanwhile')
  if (isNew) await insertReceipt(tx, ctx, attemptId, receipt)
  return attemptId
}

async function findNew(
  tx: Tx,
  { orderNumber, money, reference }: Receipt,
): Promise<{
  readonly attemptId: string
  readonly isNew: boolean
  readonly receivedMinor: bigint
}> {
  const transfer = await findTransferOfOrder(tx, orderNumber)
  if (!transfer) throw new AppError('not_found')
  const { attemptId, received } = transfer
  const known = await tx
    .selectFrom('bank_receipt')
    .select(['attempt_id', 'amount_minor', 'currency'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  const isOther =
    known &&
    (known.attempt_id !== attemptId ||
      BigInt(known.amount_minor) !== money.minor ||
      known.currency !== money.currency)
  if (isOther || (!known && received && received.currency !== money.currency))
    throw new AppError('conflict')
  return { attemptId, isNew: !known, receivedMinor: received?.minor ?? 0n }
}

async function insertReceipt(
  tx: Tx,
  ctx: OperatorCtx,
  attemptId: string,
  { orderNumber, money, reference }: Receipt,
): Promise<void> {
  const now = ctx.now()
  await closeLineOf(tx, ctx, { reference, money })
  await tx
    .insertInto('bank_receipt')
    .values({
      id: ctx.newId(),
      attempt_id: attemptId,
      reference,
      currency: money.currency,
      amount_minor: money.minor,
      recorded_at: now,
      recorded_by: ctx.actor,
    })
    .execute()
  // Whoever notes it may die before they ask what it pays: a sweep does so then.
  await askSoon(tx, ctx, attemptId)
  await recordAudit(tx, ctx, now, [
    {
      action: 'create',
      subject: 'bank_receipt',
      subjectCode: reference,
      before: null,
      after: {
        order: orderNumber,
        amount_minor: money.minor.toString(),
        currency: money.currency,
      },
    },
  ])
}

export interface RecordedReturn {
  readonly refundId: string
  /** The act that waits for another person; null where it is noted. */
  readonly waits: Waits
}

/** Notes that an operator has sent a refund's money back. Throws 'not_found' where none of that name waits for it. */
export async function recordReturn(ctx: OperatorCtx, publicId: string): Promise<RecordedReturn> {
  requirePermission(ctx, 'payment.note')
  return inTurn(ctx, async (tx) => {
    const refund = await getSent(tx, publicId)
    if (refund.isNoted) return { refundId: refund.id, waits: null }
    const money = { minor: BigInt(refund.amount_minor), currency: refund.currency }
    const waits = await askLeave(tx, ctx, {
      kind: 'bank_return',
      subject: publicId,
      accountId: refund.account_id,
      orderId: refund.order_id,
      money,
      usdMinor: await readUsdMinor(tx, money),
      details: {},
    })
    if (waits === null) await insertReturn(tx, ctx, publicId, refund.id)
    return { refundId: refund.id, waits }
  })
}

/** What approving it does. Throws as `recordReturn` does. @returns the refund's id */
export async function recordWaitingReturn(
  tx: Turn,
  ctx: OperatorCtx,
  { subject }: Act,
): Promise<string> {
  const { id, isNoted } = await getSent(tx, subject)
  if (!isNoted) await insertReturn(tx, ctx, subject, id)
  return id
}

/** Locked: somebody may keep its money for the order at the same moment. */
async function getSent(tx: Tx, publicId: string) {
  const refund = await tx
    .selectFrom('refund as r')
    .innerJoin('shop_order as o', 'o.id', 'r.order_id')
    .leftJoin('bank_return as b', 'b.refund_id', 'r.id')
    .select(['r.id', 'r.order_id', 'r.amount_minor', 'r.currency', 'o.account_id', 'b.recorded_at'])
    .where('r.public_id', '=', publicId)
    .where('r.provider', '=', BANK_TRANSFER)
    .where('r.destination', '=', 'original')
    .where('r.status', 'in', ['submitted', 'unknown', 'succeeded'])
    .forNoKeyUpdate('r')
    .executeTakeFirst()
  if (!refund) throw new AppError('not_found')
  return { ...refund, isNoted: refund.recorded_at !== null }
}

async function insertReturn(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  refundId: string,
): Promise<void> {
  const now = ctx.now()
  const noted = await tx
    .insertInto('bank_return')
    .values({ refund_id: refundId, recorded_at: now, recorded_by: ctx.actor })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (noted.numInsertedOrUpdatedRows === 1n)
    await recordAudit(tx, ctx, now, [
      {
        action: 'create',
        subject: 'bank_return',
        subjectCode: publicId,
        before: null,
        after: {},
      },
    ])
}
