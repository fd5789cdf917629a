import { z } from 'zod'
import type { Ctx } from '#platform/ctx.ts'
import type { Providers } from '#providers/payment/provider.ts'
import { submitRefund } from './flows.ts'

const asked = z.object({ refund: z.uuid() })

/** Hands over a refund that was just asked for; the sweep takes up what this one leaves open. */
export async function submitAskedRefund(
  ctx: Ctx,
  payload: unknown,
  providers: Providers,
): Promise<void> {
  await submitRefund(ctx, providers, asked.parse(payload).refund)
}
