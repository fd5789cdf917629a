import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { readStatement } from '../engine/read.ts'
import {
  StatementFault,
  type DigitsOf,
  type LineFault,
  type ReadStatement,
  type StatementLine,
} from '../engine/statement.ts'
import { lineOfReceipt, receiptOfLine } from '../rules.ts'

interface StatementRun {
  /** Null for a trial, and for a file that was taken in before. */
  readonly statementId: string | null
  readonly format: 'camt053' | 'csv'
  /** Lines that were not known before. */
  readonly fresh: readonly StatementLine[]
  /** How many of its lines another statement held already. */
  readonly known: number
  /** Money that went out, or that is not booked yet. */
  readonly skipped: number
  readonly faults: readonly { readonly line: number; readonly fault: LineFault }[]
}

/**
 * Takes in the money of a bank's statement, each line once whatever files it comes in. Nothing is matched by it. With `isTrial` nothing
 * is written. Throws 'check_fields' at `file` for one that cannot be read.
 */
export async function importStatement(
  ctx: OperatorCtx,
  bytes: Uint8Array,
  { isTrial }: { readonly isTrial: boolean },
): Promise<StatementRun> {
  requirePermission(ctx, 'payment.note')
  const currencies = await listCurrencies(ctx.db)
  const digits = new Map(currencies.map(({ code, minorUnits }) => [code as string, minorUnits]))
  const read = readOrRefuse(bytes, (currency) => digits.get(currency))
  const printed = withFingerprints(read.lines)
  const run = { format: read.format, skipped: read.skipped, faults: read.faults }
  return transaction(ctx, async (tx, now) => {
    // Two at once with lines in common: the second sees what the first has written.
    await sql`select pg_advisory_xact_lock(hashtextextended('bank_statement', 0))`.execute(tx)
    const known = await listKnown(tx, printed)
    const fresh = printed.filter(({ fingerprint }) => !known.has(fingerprint.toString('hex')))
    const done = {
      ...run,
      fresh: fresh.map(({ line }) => line),
      known: printed.length - fresh.length,
    }
    const digest = createHash('sha256').update(bytes).digest()
    if (isTrial || (await isImported(tx, digest))) return { ...done, statementId: null }
    const statementId = ctx.newId()
    const publicId = newPublicId(ctx)
    await tx
      .insertInto('bank_statement')
      .values({
        id: statementId,
        public_id: publicId,
        format: read.format,
        digest,
        lines: fresh.length,
        known: done.known,
        skipped: read.skipped,
        faulty: read.faults.length,
        imported_at: now,
        imported_by: ctx.actor,
      })
      .execute()
    await insertLines(tx, ctx, statementId, fresh)
    await recordAudit(tx, ctx, now, [
      {
        action: 'import',
        subject: 'bank_statement',
        subjectCode: publicId,
        before: null,
        after: { lines: fresh.length, known: done.known, faulty: read.faults.length },
      },
    ])
    return { ...done, statementId: publicId }
  })
}

function readOrRefuse(bytes: Uint8Array, digitsOf: DigitsOf): ReadStatement {
  try {
    return readStatement(bytes, digitsOf)
  } catch (error) {
    throw error instanceof StatementFault ? refusedFile(error) : error
  }
}

function refusedFile({ fault, missing }: StatementFault): AppError {
  if (fault === 'empty') return fieldError('file', 'required')
  if (fault === 'broken') return fieldError('file', 'file_broken')
  if (fault === 'columns_missing')
    return fieldError('file', 'file_columns', { columns: missing.join(', ') })
  if (fault === 'too_many_lines') return new AppError('too_large')
  return fieldError('file', 'file_kind')
}

interface Printed {
  readonly line: StatementLine
  readonly fingerprint: Buffer
}

/** What a line is known by in another file: all that it says, as references of banks are not always one line's alone, and the how manieth of its like it is. */
function withFingerprints(lines: readonly StatementLine[]): readonly Printed[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const { bookedOn, money, payer, text, reference } = line
    const said = JSON.stringify([
      bookedOn,
      money.currency,
      money.minor.toString(),
      reference,
      payer,
      text,
    ])
    const nth = (seen.get(said) ?? 0) + 1
    seen.set(said, nth)
    return { line, fingerprint: createHash('sha256').update(`${nth} ${said}`).digest() }
  })
}

async function listKnown(tx: Tx, printed: readonly Printed[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ fingerprint: Buffer }>`
    select fingerprint from bank_line where fingerprint = any(${printed.map(({ fingerprint }) => fingerprint)}::bytea[])`.execute(
    tx,
  )
  return new Set(rows.map(({ fingerprint }) => fingerprint.toString('hex')))
}

async function isImported(tx: Tx, digest: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('bank_statement')
    .select('id')
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row !== undefined
}

const INSERTED_AT_ONCE = 1_000

async function insertLines(
  tx: Tx,
  ctx: Ctx,
  statementId: string,
  fresh: readonly Printed[],
): Promise<void> {
  for (let from = 0; from < fresh.length; from += INSERTED_AT_ONCE)
    await tx
      .insertInto('bank_line')
      .values(
        fresh.slice(from, from + INSERTED_AT_ONCE).map(({ line, fingerprint }) => ({
          id: ctx.newId(),
          public_id: newPublicId(ctx),
          statement_id: statementId,
          fingerprint,
          booked_on: line.bookedOn,
          currency: line.money.currency,
          amount_minor: line.money.minor,
          payer: line.payer,
          text: line.text,
          reference: line.reference,
          account: line.account === null ? null : line.account.slice(-ACCOUNT_SHOWN),
        })),
      )
      .execute()
}
const ACCOUNT_SHOWN = 6

/** A line that is no order's money is not asked about any more. Throws 'changed_meanwhile' for one that was seen to, or that waits. */
export async function setLineAside(
  ctx: OperatorCtx,
  publicId: string,
  note: string,
): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, async (tx, now) => {
    const row = await lockLine(tx, publicId)
    if (row.outcome !== null || row.waits) throw new AppError('changed_meanwhile')
    await tx
      .updateTable('bank_line')
      .set({ outcome: 'set_aside', note, closed_at: now, closed_by: ctx.actor })
      .where('id', '=', row.id)
      .execute()
    await auditLine(tx, ctx, now, publicId, 'set_aside', { note })
  })
}

/** Takes a line up again that was set aside. Throws 'changed_meanwhile' for any other. */
export async function takeLineUp(ctx: OperatorCtx, publicId: string): Promise<void> {
  requirePermission(ctx, 'payment.note')
  await transaction(ctx, async (tx, now) => {
    const row = await lockLine(tx, publicId)
    if (row.outcome !== 'set_aside') throw new AppError('changed_meanwhile')
    await tx
      .updateTable('bank_line')
      .set({ outcome: null, note: '', closed_at: null, closed_by: null })
      .where('id', '=', row.id)
      .execute()
    await auditLine(tx, ctx, now, publicId, 'taken_up', {})
  })
}

/** The line that a receipt is of is matched with it; nothing where the receipt was entered by hand. Throws 'changed_meanwhile'. */
export async function closeLineOf(
  tx: Tx,
  ctx: OperatorCtx,
  { reference, money }: { readonly reference: string; readonly money: StatementLine['money'] },
): Promise<void> {
  const publicId = lineOfReceipt(reference)
  if (publicId === null) return
  const { rows } = await sql<{ id: string; outcome: string | null; isSame: boolean }>`
    select id, outcome, currency = ${money.currency} and amount_minor = ${money.minor} as "isSame" from bank_line
    where public_id = ${publicId} for update`.execute(tx)
  const [line] = rows
  if (!line) return
  if (line.outcome !== null || !line.isSame) throw new AppError('changed_meanwhile')
  await tx
    .updateTable('bank_line')
    .set({ outcome: 'matched', closed_at: ctx.now(), closed_by: ctx.actor })
    .where('id', '=', line.id)
    .execute()
}

/**
 * The line is money that was noted by hand before: it is seen to, and counts no more. Throws 'changed_meanwhile' for one that was seen to
 * otherwise, that waits, or where another line stands for that money.
 */
export async function tieLine(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  receipt: { readonly id: string; readonly reference: string },
): Promise<void> {
  const row = await lockLine(tx, publicId)
  if (row.receiptId === receipt.id) return
  if (row.outcome !== null || row.waits) throw new AppError('changed_meanwhile')
  const now = ctx.now()
  await tx
    .updateTable('bank_line')
    .set({ outcome: 'matched', receipt_id: receipt.id, closed_at: now, closed_by: ctx.actor })
    .where('id', '=', row.id)
    .execute()
  await auditLine(tx, ctx, now, publicId, 'known_as_noted', { receipt: receipt.reference })
}

async function lockLine(tx: Tx, publicId: string) {
  const { rows } = await sql<{
    id: string
    outcome: string | null
    receiptId: string | null
    waits: boolean
  }>`
    select id, outcome, receipt_id as "receiptId", exists (select from operator_act w where w.kind = 'bank_receipt' and w.subject = ${receiptOfLine(publicId)} and w.status = 'waiting' and w.ends_at > now()) as waits
    from bank_line where public_id = ${publicId} for update`.execute(tx)
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return row
}

const auditLine = (
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  publicId: string,
  action: string,
  after: Readonly<Record<string, string>>,
) =>
  recordAudit(tx, ctx, now, [
    { action, subject: 'bank_line', subjectCode: publicId, before: null, after },
  ])

const TAKEN_AT_ONCE = 1_000

/** Takes out who paid and what they wrote, of lines that were booked before a day. @returns how many rows of this call */
export async function forgetLines(db: Ctx['db'], before: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update bank_line set payer = null, text = '' where id in (
      select id from bank_line where booked_on < ${before}::date and (payer is not null or text <> '') limit ${TAKEN_AT_ONCE})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Part of erasing a person: what statements say of who paid their orders goes. */
export async function eraseBankLines(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update bank_line l set payer = null, text = '' from bank_receipt r join payment_attempt p on p.id = r.attempt_id join shop_order o on o.id = p.order_id
    where o.account_id = ${accountId} and (l.receipt_id = r.id or (r.reference like 'line %' and l.public_id = substring(r.reference from 6))) and (l.payer is not null or l.text <> '')`.execute(
    tx,
  )
}
