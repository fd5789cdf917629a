import type { Ctx } from '#platform/ctx.ts'
import { expireClaims, measureDeliveries, refundFailed, retryShortOrders } from './commands.ts'

/** Every minute: what was taken up and not finished, what failed and is not refunded yet, and cards that wait for stock. */
export async function tendDeliveries(ctx: Ctx): Promise<void> {
  await expireClaims(ctx)
  await refundFailed(ctx)
  await retryShortOrders(ctx)
}

/** Every hour. */
export async function measureDeliveryTimes(ctx: Ctx): Promise<void> {
  await measureDeliveries(ctx)
}
