import { z } from 'zod'
import {
  importStatement,
  matchLine,
  recordReturn,
  setLineAside,
  takeLineUp,
} from '#features/buying/bank-transfer/commands.ts'
import {
  getCandidate,
  getLine,
  listLines,
  listReturnsToSend,
  listStatements,
  suggestOrders,
  type BankLine,
} from '#features/buying/bank-transfer/queries.ts'
import {
  matchEffect,
  notedAlike,
  STATEMENT_MAX_BYTES,
  SUGGESTION_REASONS,
  type Suggestion,
} from '#features/buying/bank-transfer/rules.ts'
import { checkPayment } from '#features/buying/payment/flows.ts'
import { submitRefund } from '#features/buying/refund/flows.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall, type IncomingBytes } from '../call.ts'
import { waits } from './money.ts'
import { moment, nothing, publicId } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const LISTED = 100
const FAULTS_SHOWN = 100
const orderNumber = z.string().regex(/^\d{13}$/)
const minor = z.string().regex(/^\d{1,30}$/)
const note = z.string().trim().min(1).max(500)

const suggestion = z.object({
  order: z.string(),
  score: z.number(),
  reasons: z.array(z.enum(SUGGESTION_REASONS)),
  asked_minor: z.string(),
  currency: z.string(),
  received_minor: z.string(),
  is_open: z.boolean(),
})

const line = z.object({
  id: publicId,
  booked_on: z.string(),
  amount_minor: z.string(),
  currency: z.string(),
  payer: z.string().nullable(),
  text: z.string(),
  reference: z.string().nullable(),
  account: z.string().nullable(),
  outcome: z.enum(['matched', 'set_aside']).nullable(),
  order: z.string().nullable(),
  note: z.string(),
  by: z.string().nullable(),
  waits_for_approval: publicId.nullable(),
  suggestions: z.array(suggestion),
})

const shownSuggestion = (one: Suggestion) => ({
  order: one.orderNumber,
  score: one.score,
  reasons: [...one.reasons],
  asked_minor: one.asked.minor.toString(),
  currency: one.asked.currency,
  received_minor: one.receivedMinor.toString(),
  is_open: one.isOpen,
})

const shownLine = (one: BankLine, suggestions: readonly Suggestion[] = []) => ({
  id: one.publicId,
  booked_on: one.bookedOn,
  amount_minor: one.money.minor.toString(),
  currency: one.money.currency,
  payer: one.payer,
  text: one.text,
  reference: one.reference,
  account: one.account,
  outcome: one.outcome,
  order: one.orderNumber,
  note: one.note,
  by: one.closedBy,
  waits_for_approval: one.waits,
  suggestions: suggestions.map(shownSuggestion),
})

const moneyBankLines = operatorCall({
  path: 'console/money/bank/lines',
  summary: 'Money on imported statements, newest first; open lines with the orders it may be for',
  body: z.object({
    state: z.enum(['open', 'closed']),
    cursor: z.uuid().optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).optional(),
  }),
  data: z.object({ lines: z.array(line), next: z.string().nullable() }),
  example: { state: 'open' },
  async answer({ ctx }, { state, cursor, limit = PAGE }) {
    const found = await listLines(ctx.db, state === 'open', cursor ?? null, limit + 1)
    const { shown: lines, last } = pageOf(found, limit)
    const suggested = state === 'open' ? await suggestOrders(ctx.db, lines) : new Map()
    return {
      lines: lines.map((one) => shownLine(one, suggested.get(one.publicId))),
      next: last?.id ?? null,
    }
  },
})

const moneyBankEffect = operatorCall({
  path: 'console/money/bank/effect',
  summary: 'What matching a line to an order would do, as things are now',
  description:
    '`received_minor` goes along with the match: where more has come by then, nothing is done.',
  body: z.object({ line: publicId, order: orderNumber }),
  data: z.object({
    asked_minor: z.string(),
    asked_currency: z.string(),
    received_minor: z.string(),
    amount_minor: z.string(),
    currency: z.string(),
    effect: z.enum(['pays', 'pays_in_part', 'too_much', 'other_currency', 'too_late']),
    over_minor: z.string(),
    /** What as much was noted as by hand, where no line stands for that yet: it may be the same money. */
    noted: z.string().nullable(),
  }),
  example: { line: 'Zt3qN0f5Qy2mB7sJ1kVx9A', order: '5518703429163' },
  async answer({ ctx }, given) {
    const [one, candidate] = await Promise.all([
      getLine(ctx.db, given.line),
      getCandidate(ctx.db, given.order),
    ])
    const { effect, overMinor } = matchEffect(one.money, candidate)
    return {
      asked_minor: candidate.asked.minor.toString(),
      asked_currency: candidate.asked.currency,
      received_minor: candidate.receivedMinor.toString(),
      amount_minor: one.money.minor.toString(),
      currency: one.money.currency,
      effect,
      over_minor: overMinor.toString(),
      noted: notedAlike(one.money, candidate)?.reference ?? null,
    }
  },
})

const moneyBankMatch = operatorCall({
  path: 'console/money/bank/match',
  summary: 'Match a line of a statement to an order: its money is noted and the order settled',
  description:
    'Said again it counts once. Above the limits it waits for a second person. Where as much was noted by hand (`noted` of the effect), `as` says whether it is that, which then counts no more, or other money; without it 2418 is answered.',
  body: z.strictObject({
    line: publicId,
    order: orderNumber,
    received_minor: minor,
    as: z.enum(['noted', 'new']).nullable().default(null),
  }),
  data: waits.extend({ is_new: z.boolean() }),
  example: { line: 'Zt3qN0f5Qy2mB7sJ1kVx9A', order: '5518703429163', received_minor: '0' },
  async answer({ ctx, services }, given) {
    const done = await matchLine(ctx, {
      line: given.line,
      orderNumber: given.order,
      seenMinor: BigInt(given.received_minor),
      as: given.as,
    }).catch((error: unknown) => {
      // Noted for another order, or money of another currency came for this one: the page shows which.
      if (isAppError(error) && error.code === 'conflict') throw new AppError('changed_meanwhile')
      throw error
    })
    if (done.waits === null) await checkPayment(ctx, services.payments, done.attemptId)
    return { waits_for_approval: done.waits, is_new: done.isNew }
  },
})

const moneyBankSetAside = operatorCall({
  path: 'console/money/bank/set_aside',
  summary: 'Say that a line is no order’s money, and what it is',
  body: z.strictObject({ line: publicId, note }),
  data: nothing,
  example: { line: 'Zt3qN0f5Qy2mB7sJ1kVx9A', note: 'Interest.' },
  async answer({ ctx }, given) {
    await setLineAside(ctx, given.line, given.note)
    return {}
  },
})

const moneyBankTakeUp = operatorCall({
  path: 'console/money/bank/take_up',
  summary: 'Take a line up again that was set aside',
  body: z.strictObject({ line: publicId }),
  data: nothing,
  example: { line: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, given) {
    await takeLineUp(ctx, given.line)
    return {}
  },
})

const moneyBankImport = operatorCall({
  path: 'console/money/bank/import',
  summary: 'Take in a bank statement in CAMT.053 or CSV, or try what is new in it',
  description: `The body is the file, up to ${STATEMENT_MAX_BYTES / 1_048_576} MB. Lines that another file held are known and count once. Nothing is matched by it.`,
  takesFile: true,
  body: z.object({ trial: z.enum(['yes', 'no']) }),
  data: z.object({
    statement: publicId.nullable(),
    format: z.enum(['camt053', 'csv']),
    new: z.number(),
    known: z.number(),
    skipped: z.number(),
    faulty: z.number(),
    faults: z.array(z.object({ line: z.number(), fault: z.enum(['date', 'amount', 'currency']) })),
  }),
  example: { trial: 'yes' },
  async answer({ ctx, file }, { trial }) {
    const run = await importStatement(ctx, await wholeFile(file), { isTrial: trial === 'yes' })
    return {
      statement: run.statementId,
      format: run.format,
      new: run.fresh.length,
      known: run.known,
      skipped: run.skipped,
      faulty: run.faults.length,
      faults: run.faults.slice(0, FAULTS_SHOWN).map((each) => ({ ...each })),
    }
  },
})

/** Refused by what its sender says of its length before anything is read, and while it is read. */
async function wholeFile(file: IncomingBytes | null): Promise<Uint8Array> {
  if (!file) throw new AppError('invalid_input')
  if ((file.declaredBytes ?? 0) > STATEMENT_MAX_BYTES) throw new AppError('too_large')
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of file.bytes) {
    length += piece.length
    if (length > STATEMENT_MAX_BYTES) throw new AppError('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const moneyBankStatements = operatorCall({
  path: 'console/money/bank/statements',
  summary: 'Statements that were imported, newest first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      format: z.enum(['camt053', 'csv']),
      lines: z.number(),
      known: z.number(),
      skipped: z.number(),
      faulty: z.number(),
      imported: moment,
      by: z.string(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const statements = await listStatements(ctx.db, LISTED)
    return statements.map(({ publicId: id, importedAt, importedBy, ...one }) => ({
      id,
      format: one.format,
      lines: one.lines,
      known: one.known,
      skipped: one.skipped,
      faulty: one.faulty,
      imported: importedAt.toISOString(),
      by: importedBy,
    }))
  },
})

const moneyBankReturns = operatorCall({
  path: 'console/money/bank/returns',
  summary: 'Refunds that somebody is to send by bank transfer, longest waited for first',
  body: z.object({}),
  data: z.array(
    z.object({
      refund: publicId,
      order: z.string(),
      amount_minor: z.string(),
      currency: z.string(),
      asked: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const returns = await listReturnsToSend(ctx.db, LISTED)
    return returns.map(({ refundId, orderNumber: order, money, askedAt }) => ({
      refund: refundId,
      order,
      amount_minor: money.minor.toString(),
      currency: money.currency,
      asked: askedAt.toISOString(),
    }))
  },
})

const moneyBankReturned = operatorCall({
  path: 'console/money/bank/returned',
  summary: 'Say that a refund was sent by bank transfer',
  body: z.strictObject({ refund: publicId }),
  data: waits,
  example: { refund: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx, services }, { refund }) {
    const { refundId, waits: act } = await recordReturn(ctx, refund)
    if (act === null) await submitRefund(ctx, services.payments.providers, refundId)
    return { waits_for_approval: act }
  },
})

export const MONEY_BANK_CALLS = [
  moneyBankLines,
  moneyBankEffect,
  moneyBankMatch,
  moneyBankSetAside,
  moneyBankTakeUp,
  moneyBankImport,
  moneyBankStatements,
  moneyBankReturns,
  moneyBankReturned,
] as const
