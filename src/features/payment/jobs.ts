import { z } from 'zod'
import type { Ctx } from '#platform/ctx.ts'
import { settleNotice, type PaymentServices } from './flows.ts'

const notice = z.object({ provider: z.string(), eventId: z.string() })

/** Works off one notice; it is enqueued with it. */
export async function settlePayment(ctx: Ctx, payload: unknown, services: PaymentServices): Promise<void> {
  await settleNotice(ctx, services, notice.parse(payload))
}
