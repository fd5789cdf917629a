import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import type { Attempt } from '../queries.ts'

/**
 * The plain case in one trip to the database: an order that waits for an open payment, which has brought exactly what was asked.
 * The money is booked, the order settled and its keys delivered, and the notice that told of it, if one did, is closed. False,
 * with nothing changed, for every other case: the rules decide it. Both leave the same rows.
 */
export async function settlePlainly(ctx: Ctx, attempt: Pick<Attempt, 'id' | 'provider'>, told: ProviderPayment, eventId: string | null): Promise<boolean> {
  const { captured } = told
  if (told.status !== 'captured' || captured === null || told.isDisputed || told.reversed !== null || told.failure !== null || told.ourReference !== attempt.id) return false
  try {
    const { rows } = await sql<{ is_settled: boolean }>`
      select settle_plainly(${attempt.provider}, ${attempt.id}::uuid, ${told.reference}, ${captured.minor.toString()}::numeric, ${captured.currency}, ${ctx.now()}::timestamptz,
        ${ctx.actor}, ${ctx.requestId}, ${eventId}) as is_settled`.execute(ctx.db)
    return rows[0]?.is_settled === true
  } catch (error) {
    // Rolled back: something changed under its hands, two were in each other's way, or no key could be had at once.
    if (isRollback(error)) return false
    throw error
  }
}

const ROLLBACK = /^40/

function isRollback(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ROLLBACK.test(error.code)
}
