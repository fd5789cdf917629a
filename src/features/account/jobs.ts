import { transaction, type Ctx } from '#platform/ctx.ts'
import { postMail } from '#features/mail/commands.ts'
import { issueDecoy } from '#features/verification/commands.ts'
import { tellOwner } from './commands.ts'
import { findAccount } from './queries.ts'
import { resetCodePayload, signInPausedPayload } from './schema.ts'

/** Job `mail_reset_code`: somebody forgot a password and gave a user name. Nobody learns whether an account has it. */
export async function mailResetCode(ctx: Ctx, payload: unknown): Promise<void> {
  const { userName, language } = resetCodePayload.parse(payload)
  const account = await findAccount(ctx.db, { kind: 'user_name', text: userName })
  if (account?.status !== 'active')
    return transaction(ctx, (tx) =>
      issueDecoy(tx, ctx, { purpose: 'reset', target: userName, accountId: null }),
    )
  await transaction(ctx, (tx) =>
    postMail(tx, ctx, { kind: 'reset_code', accountId: null, recipient: account.email, language }),
  )
}

/** Job `sign_in_paused`: somebody keeps guessing. The owner, if there is one, is told and given a link that lifts the pause. */
export async function tellOfPause(ctx: Ctx, payload: unknown): Promise<void> {
  const account = await findAccount(ctx.db, signInPausedPayload.parse(payload))
  if (account?.status !== 'active') return
  await transaction(ctx, (tx) => tellOwner(tx, ctx, account, 'mailbox_frozen'))
}
