import { getDisputes, lockOrderById } from '#features/buying/order/queries.ts'
import { askForRefund } from '#features/buying/refund/commands.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { listFailedUnits, type FailedUnits } from '../queries.ts'

const A_PAGE = 200
/** A rule of the shop asks for the refund, and has approved it. */
const SYSTEM = { requestedBy: 'system', approvedBy: 'system' } as const

/** Asks for the price of failed units back. What a crash has cut off here the next run finds. @returns how many orders that were */
export async function refundFailed(ctx: Ctx): Promise<number> {
  return sweep<FailedUnits>(ctx, {
    what: 'units that failed',
    name: ({ orderId }) => orderId,
    next: (last) => listFailedUnits(ctx.db, last, A_PAGE),
    work: ({ orderId, unitIds }) => refundUnits(ctx, orderId, unitIds, 'not_delivered'),
  })
}

/** False where somebody else has done it meanwhile, or where another decision about the order is open by now: no rule gives held money back. */
export async function refundUnits(
  ctx: Ctx,
  orderId: string,
  unitIds: readonly string[],
  reason: string,
): Promise<boolean> {
  try {
    return await transaction(ctx, async (tx) => {
      const { hold } = await lockOrderById(tx, orderId)
      if (hold !== null && hold !== 'out_of_stock') return false
      if ((await getDisputes(tx, orderId)).isDisputed) return false
      await askForRefund(tx, ctx, { orderId, unitIds, destination: 'original', reason, ...SYSTEM })
      return true
    })
  } catch (error) {
    if (isAppError(error) && error.code === 'order_closed') return false
    throw error
  }
}
