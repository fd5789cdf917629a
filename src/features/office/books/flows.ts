import type { Ctx } from '#platform/ctx.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { recordBalance } from './write/standing.ts'

/** How often providers are asked what lies with them. */
export const BALANCE_EVERY_SECONDS = 600

/**
 * Asks a provider what can be paid out. No answer, or keys that may not ask, says nothing: what it said last stays, with its time.
 * @returns whether it told
 */
export async function askBalance(
  ctx: Ctx,
  { code, balance }: Pick<PaymentProvider, 'code' | 'balance'>,
): Promise<boolean> {
  if (!balance) return false
  try {
    await recordBalance(ctx, code, await balance())
    return true
  } catch (error) {
    ctx.log.info('a payment provider did not tell its balance', { provider: code, error })
    return false
  }
}
