import {
  auditAccount,
  lockAccount,
  markErased,
  takeBackAccount,
  notifyOwner,
} from '#features/people/account/commands.ts'
import { findAccountById } from '#features/people/account/queries.ts'
import { eraseCase } from '#features/buying/after-sales/commands.ts'
import { eraseAddress } from '#features/people/address/commands.ts'
import { eraseGate } from '#features/buying/gate/commands.ts'
import { eraseCart } from '#features/buying/cart/commands.ts'
import { eraseSavedAccount } from '#features/buying/saved-account/commands.ts'
import { eraseFactors } from '#features/people/factor/commands.ts'
import { eraseFavourite } from '#features/people/favourite/commands.ts'
import { eraseIdempotencyKeys } from '#features/base/idempotency/commands.ts'
import { eraseIdentity } from '#features/people/identity/commands.ts'
import { eraseMail, postMail } from '#features/people/mail/commands.ts'
import { eraseNotice, postNotice } from '#features/people/notice/commands.ts'
import { eraseOrder } from '#features/buying/order/commands.ts'
import { hasDisputes } from '#features/buying/order/queries.ts'
import { eraseReseller } from '#features/buying/reseller/commands.ts'
import { eraseResellerSandbox } from '#features/buying/reseller-sandbox/commands.ts'
import { eraseWebhook } from '#features/buying/webhook/commands.ts'
import { eraseAgent } from '#features/buying/agent/commands.ts'
import { closeCredit } from '#features/buying/store-credit/commands.ts'
import { erasePhone } from '#features/people/phone/commands.ts'
import { eraseReview } from '#features/goods/review/commands.ts'
import { eraseSession } from '#features/people/session/commands.ts'
import type { Person } from '#features/people/session/rules.ts'
import { eraseUpload } from '#features/goods/upload/commands.ts'
import {
  consumeSecret,
  eraseVerification,
  withdrawVerifications,
} from '#features/people/verification/commands.ts'
import { eraseEvidence } from '#features/leaving/retention/commands.ts'
import { eraseShopperNote } from '#features/office/shopper/commands.ts'
import { eraseApproval } from '#features/team/approval/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { cancel } from './write/cancel.ts'

export { cancelByOperator, exportByOperator } from './write/by-operator.ts'

/**
 * Freezes an account at once: signed out everywhere, nothing open left, erased in 30 days unless the link in the mail is used.
 * The caller has asked for a fresh proof. Store credit goes with the account, which its owner must agree to. Throws unauthorised when it
 * is frozen already, unfinished_orders while an order is open or a payment disputed, check_fields at `give_up_credit` without that.
 */
export async function cancelAccount(
  ctx: Ctx,
  person: Pick<Person, 'accountId'>,
  { givesUpCredit = false }: { readonly givesUpCredit?: boolean } = {},
): Promise<{ eraseAt: Date }> {
  return transaction(ctx, async (tx) =>
    cancel(tx, ctx, await lockAccount(tx, person.accountId), givesUpCredit),
  )
}

/** Takes an account back by the link of the mail, once and within the 30 days. Throws link_expired. */
export async function undoCancellation(ctx: Ctx, { key }: { readonly key: string }): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { accountId } = await consumeSecret(tx, ctx, { purpose: 'undo_cancel', secret: key })
    if (accountId === null) throw new AppError('link_expired')
    const isBack = await takeBackAccount(tx, accountId, now)
    const account = isBack && (await findAccountById(tx, accountId))
    if (!account) throw new AppError('link_expired')
    await withdrawVerifications(tx, accountId, 'undo_cancel')
    await notifyOwner(tx, ctx, account, 'cancellation_undone')
    await postNotice(tx, ctx, { accountId, kind: 'cancellation_undone', params: {} })
    await auditAccount(tx, ctx, accountId, 'undo_cancel', ['status'])
  })
}

/**
 * Erases a person whose 30 days are over: everything of every feature, and the account but for its row, which keeps when it was
 * made and erased under numbers nobody knows. A last mail tells of it; it belongs to no account any more. Answers false when the
 * account was taken back, or erased, meanwhile, and while a bank disputes a payment of it: who was paid what must be known until then.
 */
export async function eraseAccount(ctx: Ctx, accountId: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const account = await tx
      .selectFrom('account')
      .select(['email', 'language'])
      .where('id', '=', accountId)
      .where('status', '=', 'cancelling')
      .where('erase_at', '<=', now)
      .forUpdate()
      .executeTakeFirst()
    if (!account?.email || (await hasDisputes(tx, accountId))) return false
    await closeCredit(tx, ctx, accountId)
    await eraseBelongings(tx, ctx, accountId)
    await markErased(tx, ctx, accountId)
    await postMail(tx, ctx, {
      kind: 'account_erased',
      accountId: null,
      recipient: account.email,
      language: account.language,
    })
    await auditAccount(tx, ctx, accountId, 'erase', ['status'])
    return true
  })
}

async function eraseBelongings(tx: Tx, ctx: Ctx, accountId: string): Promise<void> {
  await eraseVerification(tx, accountId)
  await eraseSession(tx, accountId)
  await eraseIdentity(tx, accountId)
  await eraseFactors(tx, accountId)
  await eraseFavourite(tx, accountId)
  await eraseCart(tx, accountId)
  await eraseSavedAccount(tx, accountId)
  await eraseOrder(tx, accountId)
  await eraseAgent(tx, accountId)
  await eraseReseller(tx, ctx, accountId)
  await eraseResellerSandbox(tx, accountId)
  await eraseWebhook(tx, accountId)
  await eraseEvidence(tx, accountId)
  await eraseCase(tx, accountId)
  await eraseGate(tx, accountId)
  await eraseApproval(tx, ctx, accountId)
  await eraseShopperNote(tx, accountId)
  await eraseReview(tx, accountId)
  await eraseNotice(tx, accountId)
  await eraseAddress(tx, accountId)
  await erasePhone(tx, accountId)
  await eraseUpload(tx, accountId)
  await eraseIdempotencyKeys(tx, accountId)
  // Last: it looks for the address in the account as well.
  await eraseMail(tx, accountId)
}
