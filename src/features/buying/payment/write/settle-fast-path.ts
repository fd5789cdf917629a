import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import { isRollback, type Db } from '#platform/db.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import type { ProviderPayment } from '#providers/payment/provider.ts'
import type { Attempt } from '../queries.ts'

const PAYMENTS_A_TRIP = 32

/** A payment as the function in the database takes it. */
interface SettledRow {
  readonly provider: string
  readonly attempt: string
  readonly reference: string
  readonly minor: string
  readonly currency: string
  readonly event_id: string | null
  readonly moment: Date
  readonly actor: string
  readonly request_id: string
}

/**
 * The plain case in one trip to the database: an order that waits for an open payment, which has brought exactly what was asked.
 * The money is booked, the order settled and its keys delivered, and the notice that told of it, if one did, is closed. Payments
 * that come while others are on their way share the next trip, and its commit. False, with nothing changed, for every other
 * case: the rules decide it. Both leave the same rows.
 */
export async function settleFastPath(
  ctx: Ctx,
  attempt: Pick<Attempt, 'id' | 'provider'>,
  told: ProviderPayment,
  eventId: string | null,
): Promise<boolean> {
  const { captured } = told
  if (
    told.status !== 'captured' ||
    captured === null ||
    told.isDisputed ||
    told.reversed !== null ||
    told.failure !== null ||
    told.ourReference !== attempt.id
  )
    return false
  return settle(ctx.db, {
    provider: attempt.provider,
    attempt: attempt.id,
    reference: told.reference,
    minor: captured.minor.toString(),
    currency: captured.currency,
    event_id: eventId,
    moment: ctx.now(),
    actor: ctx.actor,
    request_id: ctx.requestId,
  })
}

/** Whether each was settled. */
const settle = batchWrites(
  PAYMENTS_A_TRIP,
  async (db: Db, told: readonly SettledRow[]): Promise<boolean[]> => {
    try {
      const { rows } = await sql<{
        place: number
      }>`select settle_plainly(${JSON.stringify(told.map((payment, place) => ({ place, ...payment })))}::jsonb) as place`.execute(
        db,
      )
      const settled = new Set(rows.map(({ place }) => place))
      return told.map((_, place) => settled.has(place))
    } catch (error) {
      // Rolled back: something changed under its hands, two were in each other's way, or a key could not be had at once.
      if (isRollback(error)) return told.map(() => false)
      throw error
    }
  },
)
