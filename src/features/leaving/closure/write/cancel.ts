import { hasDisputes, hasUnfinishedOrders } from '#features/buying/order/queries.ts'
import { listCredit } from '#features/buying/transaction/queries.ts'
import { auditAccount, markCancelling, notifyOwner } from '#features/people/account/commands.ts'
import type { Account } from '#features/people/account/rules.ts'
import { erasePhone } from '#features/people/phone/commands.ts'
import { endSessions } from '#features/people/session/commands.ts'
import { eraseVerification } from '#features/people/verification/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { GRACE_DAYS } from '../rules.ts'

const DAY_MS = 86_400_000

/** An active account that is locked begins to go. Throws as `cancelAccount` does. */
export async function cancel(
  tx: Tx,
  ctx: Ctx,
  account: Pick<Account, 'id' | 'email' | 'language'>,
  givesUpCredit: boolean,
): Promise<{ eraseAt: Date }> {
  const now = ctx.now()
  if ((await hasUnfinishedOrders(tx, account.id)) || (await hasDisputes(tx, account.id)))
    throw new AppError('unfinished_orders')
  if (!givesUpCredit && (await listCredit(tx, account.id)).some(({ minor }) => minor > 0n))
    throw fieldError('give_up_credit', 'required')
  const eraseAt = new Date(now.getTime() + GRACE_DAYS * DAY_MS)
  await markCancelling(tx, account.id, { requestedAt: now, eraseAt })
  await endSessions(tx, account.id)
  await eraseVerification(tx, account.id)
  await erasePhone(tx, account.id)
  await notifyOwner(tx, ctx, account, 'account_cancelling')
  await auditAccount(tx, ctx, account.id, 'cancel', ['status'])
  return { eraseAt }
}
