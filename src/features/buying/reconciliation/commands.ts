import { findBooked, lockAttempt, type Attempt } from '#features/buying/payment/queries.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import { getSentBack, type DifferenceKind } from './queries.ts'

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

export {
  bookDifference,
  bookWaitingDifference,
  closeDifference,
  closeWaitingDifference,
} from './write/by-operator.ts'
