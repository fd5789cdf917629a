import { z } from 'zod'
import type { Ctx } from '#platform/ctx.ts'
import { findPayee } from './write/due.ts'

const asked = z.object({ refund: z.uuid() })

/** A refund was just asked for: the sweep of those who pay it out does not wait for its time. The job itself asks nobody and is over at once. */
export async function submitAskedRefund(
  ctx: Ctx,
  payload: unknown,
  want: (payee: string) => Promise<void>,
): Promise<void> {
  const payee = await findPayee(ctx.db, asked.parse(payload).refund)
  if (payee !== null) await want(payee)
}
