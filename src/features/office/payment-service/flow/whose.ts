import { findByPublicId } from '#features/team/approval/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { accountsIn } from '../commands.ts'
import { digestOf, findService, openValues, type PaymentEnvironment } from '../engine/settings.ts'
import { findDraft } from '../queries.ts'
import { tried } from './try.ts'

/**
 * Asks keys that wait for an approval, a moment before it is given, whose they are by now. Throws 'other_account' where they answer for
 * another account than the one that is approved, and 'payment_unreachable' where they do not answer at all though they did.
 * @returns what approving it needs; null for what is no such act, or not the caller's to approve
 */
export async function askWhose(
  ctx: OperatorCtx,
  environment: PaymentEnvironment,
  publicId: string,
): Promise<string | null> {
  const act = await findByPublicId(ctx.db, publicId)
  const isTheirs = act?.askedBy !== ctx.actor && mayDo(ctx.operator, 'payment.settings')
  if (act?.kind !== 'payment_service' || act.status !== 'waiting' || !isTheirs) return null
  const service = findService(act.subject)
  const sealed = await findDraft(ctx.db, act.subject)
  const values = sealed && openValues(ctx.keys, act.subject, sealed)
  if (!service || !values) return null
  const accounts = accountsIn(act.details)
  const { answer, account } = await tried(ctx, environment, service, values)
  if (account?.id !== accounts.after?.id)
    throw new AppError(
      account === null && answer === 'unknown' ? 'payment_unreachable' : 'other_account',
    )
  return digestOf(ctx.keys, act.subject, values, accounts)
}
