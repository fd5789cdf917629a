import { recordAct } from '#features/base/audit/commands.ts'
import { lockActiveShopper } from '#features/people/account/commands.ts'
import { repeatMail } from '#features/people/mail/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { maySendAgain } from '../rules.ts'

/**
 * Sends a mail of a shopper's once more, to the address they have by now. Throws 'not_found' for a mail that is not theirs or may not be
 * repeated, 'changed_meanwhile' for who is frozen or leaving.
 */
export async function resendMail(
  ctx: OperatorCtx,
  { shopper, mail }: { readonly shopper: string; readonly mail: string },
): Promise<void> {
  requirePermission(ctx, 'shopper.change')
  await transaction(ctx, async (tx) => {
    const { id, email } = await lockActiveShopper(tx, shopper)
    const kind = await repeatMail(tx, ctx, {
      accountId: id,
      mail,
      recipient: email,
      may: maySendAgain,
    })
    await recordAct(tx, ctx, {
      action: 'mail_sent_again',
      subject: 'account',
      subjectCode: id,
      after: { kind },
    })
  })
}
