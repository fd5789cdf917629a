import {
  findBooked,
  isAttemptAt,
  lockAttempt,
  type Attempt,
} from '#features/buying/payment/queries.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ProviderPayment, UnreadPayment } from '#providers/payment/provider.ts'
import { findByReference, getSentBack, type DifferenceKind } from './queries.ts'

/** It is compared once a night; what failed is tried again the next hour. */
export const COMPARED_EVERY_MS = 20 * 3_600_000

const REFERENCE_MAX = 255
const FAILURE_MAX = 500
const TRIES_COUNTED = 10_000

/**
 * Notes what a provider and the books say differently of a payment, once it was made what the provider says as far as the shop does so by
 * itself. A difference that is noted already is brought up to date, one that is gone is closed. @returns whether one is new
 */
export async function noteDifferences(
  ctx: Ctx,
  attemptId: string,
  told: ProviderPayment,
): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const { attempt } = await lockAttempt(tx, attemptId)
    const found = await compare(tx, attempt, told)
    let isNew = false
    for (const { kind, toldMinor, knownMinor } of found) {
      const isSame = toldMinor === knownMinor
      const open = await tx
        .selectFrom('payment_difference')
        .select('id')
        .where('attempt_id', '=', attemptId)
        .where('kind', '=', kind)
        .where('outcome', 'is', null)
        .executeTakeFirst()
      if (open) {
        const gone = { outcome: 'gone', closed_at: ctx.now(), closed_by: ctx.actor } as const
        await tx
          .updateTable('payment_difference')
          .set(isSame ? gone : { told_minor: toldMinor, known_minor: knownMinor })
          .where('id', '=', open.id)
          .execute()
      } else if (!isSame && !(await isSeenTo(tx, attemptId, kind, toldMinor))) {
        await tx
          .insertInto('payment_difference')
          .values({
            id: ctx.newId(),
            public_id: newPublicId(ctx),
            attempt_id: attemptId,
            kind,
            currency: attempt.capturedCurrency ?? attempt.currency,
            told_minor: toldMinor,
            known_minor: knownMinor,
            found_at: ctx.now(),
          })
          .execute()
        isNew = true
      }
    }
    return isNew
  })
}

interface Compared {
  readonly kind: DifferenceKind
  readonly toldMinor: bigint
  readonly knownMinor: bigint
}

async function compare(
  tx: Tx,
  attempt: Attempt,
  { captured, reversed, refundedMinor }: ProviderPayment,
): Promise<Compared[]> {
  if (attempt.capturedMinor === 0n || captured?.currency !== attempt.capturedCurrency) return []
  const taken: Compared = {
    kind: 'captured_less',
    toldMinor: captured.minor < attempt.capturedMinor ? captured.minor : attempt.capturedMinor,
    knownMinor: attempt.capturedMinor,
  }
  if (refundedMinor === undefined) return [taken]
  const known = (await getSentBack(tx, attempt.id)) + (await findBooked(tx, attempt.id))
  const more = refundedMinor - known
  // Less than we know of is a refund on its way, or one that came back, which is asked about by itself. And a provider may tell what a
  // bank took among its refunds.
  const isNone = more <= 0n || more <= (reversed?.minor ?? 0n)
  return [
    taken,
    {
      kind: 'refunded_elsewhere',
      toldMinor: isNone ? known : refundedMinor,
      knownMinor: known,
    },
  ]
}

/** Whether somebody has looked at just this difference and decided to leave it. */
async function isSeenTo(
  tx: Tx,
  attemptId: string,
  kind: DifferenceKind,
  toldMinor: bigint,
): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_difference')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('kind', '=', kind)
    .where('outcome', '=', 'seen_to')
    .where('told_minor', '=', toldMinor.toString())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Everything a provider has told of until then is compared. It only goes on. */
export async function recordReached(ctx: Ctx, provider: string, reachedAt: Date): Promise<void> {
  await ctx.db
    .insertInto('reconciliation')
    .values({ provider, reached_at: reachedAt })
    .onConflict((conflict) =>
      conflict
        .column('provider')
        .doUpdateSet({ reached_at: reachedAt })
        .where('reconciliation.reached_at', '<', reachedAt),
    )
    .execute()
}

/** Has the last day compared again, though it was not long ago: whatever somebody waits for came since. */
export async function compareAgain({ db, now }: Pick<Ctx, 'db' | 'now'>, provider: string) {
  const due = new Date(now().getTime() - COMPARED_EVERY_MS)
  await db
    .updateTable('reconciliation')
    .set({ reached_at: due })
    .where('provider', '=', provider)
    .where('reached_at', '>', due)
    .execute()
}

/** A payment that could not be compared with its provider, how often in a row by now. */
export interface FailedPayment extends UnreadPayment {
  readonly tries: number
  readonly failure: string
}

/** Notes what could not be compared; as a difference of its payment once it has failed so often. */
export async function recordFailures(
  ctx: Ctx,
  provider: string,
  failed: readonly FailedPayment[],
  triesMost: number,
): Promise<void> {
  for (const { reference, ourReference, tries, failure } of failed)
    await transaction(ctx, async (tx, now) => {
      const row = {
        tries: Math.min(tries, TRIES_COUNTED),
        failure: failure.slice(0, FAILURE_MAX),
        failed_at: now,
      }
      await tx
        .insertInto('reconciliation_failure')
        .values({ provider, reference: reference.slice(0, REFERENCE_MAX), ...row })
        .onConflict((conflict) => conflict.columns(['provider', 'reference']).doUpdateSet(row))
        .execute()
      if (tries >= triesMost) await noteNotComparable(tx, ctx, provider, reference, ourReference)
    })
}

/** Nothing can be noted of what is no payment of the shop; its failure stays in the log. */
async function noteNotComparable(
  tx: Tx,
  ctx: Ctx,
  provider: string,
  reference: string,
  ourReference: string | null,
): Promise<void> {
  const id = ourReference ?? (await findByReference(tx, provider, reference))
  if (id === null || !isUuid(id) || !(await isAttemptAt(tx, { id, provider }))) return
  const { attempt } = await lockAttempt(tx, id)
  await tx
    .insertInto('payment_difference')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      attempt_id: id,
      kind: 'not_comparable',
      currency: attempt.capturedCurrency ?? attempt.currency,
      told_minor: attempt.capturedMinor,
      known_minor: attempt.capturedMinor,
      found_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A payment could be compared again: what was noted of that is gone. */
export async function recordComparable(
  ctx: Ctx,
  provider: string,
  reference: string,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await tx
      .deleteFrom('reconciliation_failure')
      .where('provider', '=', provider)
      .where('reference', '=', reference)
      .execute()
    await tx
      .updateTable('payment_difference')
      .set({ outcome: 'gone', closed_at: now, closed_by: ctx.actor })
      .where('kind', '=', 'not_comparable')
      .where('outcome', 'is', null)
      .where('attempt_id', '=', ({ selectFrom }) =>
        selectFrom('payment_attempt')
          .select('id')
          .where('provider', '=', provider)
          .where('provider_reference', '=', reference),
      )
      .execute()
  })
}

export {
  bookDifference,
  bookWaitingDifference,
  closeDifference,
  closeWaitingDifference,
} from './write/by-operator.ts'
