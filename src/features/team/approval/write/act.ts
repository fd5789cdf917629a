import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { newPublicId } from '#platform/secrets.ts'
import { findWaiting, readCounts } from '../queries.ts'
import { APPROVED_WITHIN_HOURS, hasNoAmount, MEASURES, type Act } from '../rules.ts'

const HOUR_MS = 3_600_000

declare const TURN: unique symbol
/** A transaction in which nothing else of the same operator gives, notes or approves anything. */
export type Turn = Tx & { readonly [TURN]: true }

/**
 * Runs `work` in a transaction that is the operator's alone, so that what counts against their limits is counted once: other commands
 * of the same operator, by whatever token, wait here. It is the first thing that is locked, before orders and payments.
 */
export function inTurn<T>(ctx: OperatorCtx, work: (tx: Turn, now: Date) => Promise<T>): Promise<T> {
  return transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`operator_act ${ctx.actor}`}, 0))`.execute(
      tx,
    )
    return work(tx as Turn, now)
  })
}

export type AskedAct = Pick<
  Act,
  'kind' | 'subject' | 'accountId' | 'orderId' | 'money' | 'usdMinor' | 'details'
>

/** Public id of the act that waits for another person; null where it is done at once. */
export type Waits = string | null

/** Writes down what an operator gives alone, which its caller has weighed. */
export async function noteGiven(tx: Turn, ctx: OperatorCtx, asked: AskedAct): Promise<void> {
  const now = ctx.now()
  const given = { status: 'given', decided_by: ctx.actor, decided_at: now } as const
  await tx
    .insertInto('operator_act')
    .values({ ...(await rowOf(tx, ctx, asked, now)), ...given })
    .execute()
}

/** Writes down what waits for another person, in the name of who asked. @returns its public id */
export async function noteWaiting(
  tx: Turn,
  ctx: Pick<OperatorCtx, 'actor' | 'now' | 'newId' | 'random' | 'requestId'>,
  asked: AskedAct,
): Promise<string> {
  const now = ctx.now()
  await endOverdue(tx, asked, now)
  const row = await rowOf(tx, ctx, asked, now)
  const endsAt = asked.kind === 'refund' ? null : hoursAfter(now, APPROVED_WITHIN_HOURS)
  const made = await tx
    .insertInto('operator_act')
    .values({ ...row, status: 'waiting', ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).where(sql<boolean>`status = 'waiting'`).doNothing(),
    )
    .executeTakeFirstOrThrow()
  if (made.numInsertedOrUpdatedRows !== 1n) return sameThatWaits(tx, asked, now)
  await recordAudit(tx, ctx, now, [
    {
      action: 'act_waits',
      subject: 'operator_act',
      subjectCode: row.public_id,
      before: null,
      after: {
        kind: asked.kind,
        amount_minor: asked.money.minor.toString(),
        currency: asked.money.currency,
      },
    },
  ])
  return row.public_id
}

async function rowOf(
  tx: Tx,
  ctx: Pick<OperatorCtx, 'actor' | 'newId' | 'random' | 'requestId'>,
  asked: AskedAct,
  now: Date,
) {
  const { currency, minor } = await readCounts(tx, asked)
  return {
    id: ctx.newId(),
    public_id: newPublicId(ctx),
    kind: asked.kind,
    permission: MEASURES[asked.kind].permission,
    subject: asked.subject,
    account_id: asked.accountId,
    order_id: asked.orderId,
    currency: hasNoAmount(asked.kind) ? null : asked.money.currency,
    amount_minor: asked.money.minor,
    usd_minor: asked.usdMinor,
    counted_minor: minor,
    counted_currency: minor === null ? null : currency,
    details: JSON.stringify(asked.details),
    asked_by: ctx.actor,
    asked_at: now,
    request_id: ctx.requestId,
  }
}

const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR_MS)

/** What nobody approved in time makes room for being asked anew. */
async function endOverdue(
  tx: Tx,
  { kind, subject }: Pick<Act, 'kind' | 'subject'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('operator_act')
    .set({ status: 'ended', decided_by: 'system', decided_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'waiting')
    .where('ends_at', '<=', now)
    .execute()
}

async function sameThatWaits(tx: Tx, asked: AskedAct, now: Date): Promise<string> {
  const waiting = await findWaiting(tx, asked.kind, asked.subject, now)
  const isSame =
    waiting?.money.minor === asked.money.minor &&
    waiting.money.currency === asked.money.currency &&
    sameDetails(waiting.details, asked.details)
  if (waiting && isSame) return waiting.publicId
  throw refusal(
    `Something else about the same waits for another person already${waiting ? ` (${waiting.publicId})` : ''}: it is approved or refused first.`,
  )
}

/** Whether two say the same; the database keeps keys in an order of its own, at every depth. */
function sameDetails(one: Act['details'], other: Act['details']): boolean {
  const text = (details: Act['details']) =>
    JSON.stringify(details, (_, value: unknown) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    )
  return text(one) === text(other)
}
