import { sql } from 'kysely'
import { batchWrites } from '#platform/batched-writes.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isRollback, isUniqueViolation, type Db } from '#platform/db.ts'
import type { SupplyDone } from '#providers/supply/provider.ts'
import type { Purchase } from '../queries.ts'

const DELIVERED_A_TRIP = 16
const ID_MAX = 200

/** A purchase that is done as the function in the database takes it. */
interface DoneRow {
  readonly purchase: string
  readonly order_id: string
  readonly theirs: string
  readonly minor: string | null
  readonly currency: string | null
  readonly proof: string
  readonly moment: Date
  readonly actor: string
  readonly request_id: string
}

/**
 * The plain case in one trip to the database: a supplier has bought exactly what was asked for a unit that nothing else is known about.
 * Purchases that are done while others are on their way share the next trip, and its commit. False, with nothing changed, for every other
 * case: the rules decide it. Both leave the same rows.
 */
export async function deliverFastPath(
  ctx: Ctx,
  purchase: Pick<Purchase, 'id' | 'orderId'>,
  { supplierId, cost, cards, missing }: SupplyDone,
): Promise<boolean> {
  const theirs = supplierId.slice(0, ID_MAX)
  if (ctx.fence || cards !== undefined || missing !== undefined || theirs === '') return false
  return deliver(ctx.db, {
    purchase: purchase.id,
    order_id: purchase.orderId,
    theirs,
    minor: cost === null ? null : cost.minor.toString(),
    currency: cost?.currency ?? null,
    proof: theirs,
    moment: ctx.now(),
    actor: ctx.actor,
    request_id: ctx.requestId,
  })
}

/** Whether each was delivered. */
const deliver = batchWrites(
  DELIVERED_A_TRIP,
  async (db: Db, told: readonly DoneRow[]): Promise<boolean[]> => {
    try {
      const { rows } = await sql<{
        place: number
      }>`select deliver_plainly(${JSON.stringify(told.map((done, place) => ({ place, ...done })))}::jsonb) as place`.execute(
        db,
      )
      const delivered = new Set(rows.map(({ place }) => place))
      return told.map((_, place) => delivered.has(place))
    } catch (error) {
      // Rolled back: something changed under its hands, or one names what another purchase is.
      if (isRollback(error) || isUniqueViolation(error, 'purchase_theirs'))
        return told.map(() => false)
      throw error
    }
  },
)
