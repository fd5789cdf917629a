import type { LanguageCode } from '#kernel/language.ts'
import { sql } from 'kysely'
import type { LockedOrder } from '#features/buying/order/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isRollback } from '#platform/db.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { Attempt } from '../queries.ts'
import { expiryLimits, firstCheck, isSlow } from '../rules.ts'

export interface StartedPayment {
  readonly order: string
  readonly accountId: string
  readonly provider: string
  readonly method: string
  readonly feeMinor: bigint
  /** How long its payers may take, where that is more than an order's own time. */
  readonly livesMinutes?: number | undefined
}

/** An attempt, and of its order what the provider is told. */
export interface BegunAttempt extends Attempt {
  readonly order: Pick<LockedOrder, 'publicId' | 'number' | 'language'>
}

interface BegunRow {
  readonly order_id: string
  readonly number: string
  readonly language: LanguageCode
  readonly currency: string
  readonly amount_minor: string
}

/**
 * The plain case in one trip to the database: an order that waits to be paid, has no payment open and whose cards can all be had at
 * once. Null, with nothing changed, for every other case: the rules decide it. Both leave the same rows.
 */
export async function startFastPath(
  ctx: Ctx,
  { order: publicId, accountId, provider, method, feeMinor, livesMinutes }: StartedPayment,
): Promise<BegunAttempt | null> {
  // Of a slow method nothing is reserved, which is not plain.
  if (isSlow(livesMinutes)) return null
  const now = ctx.now()
  const attempt = { id: ctx.newId(), publicId: newPublicId(ctx) }
  const { noSooner, noLater } = expiryLimits(livesMinutes, now)
  try {
    const {
      rows: [row],
    } = await sql<BegunRow>`
      select * from start_plainly(${accountId}, ${publicId}, ${attempt.id}, ${attempt.publicId}, ${provider}, ${method}, ${feeMinor.toString()}, ${noSooner}, ${noLater}, ${firstCheck(now)}, ${ctx.newId()},
        ${now}, ${ctx.actor}, ${ctx.requestId})`.execute(ctx.db)
    if (!row) return null
    return {
      ...attempt,
      orderId: row.order_id,
      provider,
      method,
      status: 'created',
      currency: row.currency,
      amountMinor: BigInt(row.amount_minor),
      feeMinor,
      reference: null,
      redirectUrl: null,
      capturedMinor: 0n,
      capturedCurrency: null,
      captures: 0,
      refundedMinor: 0n,
      reversedMinor: 0n,
      isApplied: false,
      isDisputed: false,
      checks: 0,
      createdAt: now,
      order: { publicId, number: row.number, language: row.language },
    }
  } catch (error) {
    // Rolled back: two were in each other's way.
    if (isRollback(error)) return null
    throw error
  }
}
