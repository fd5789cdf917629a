import { transaction, type Ctx } from '#platform/ctx.ts'
import { postMail } from '#features/people/mail/commands.ts'
import { issueDecoy } from '#features/people/verification/commands.ts'
import { takeShare } from '#features/base/limit/commands.ts'
import { notifyOwner } from './commands.ts'
import { findAccount } from './queries.ts'
import { resetCodePayload, signInPausedPayload } from './schema.ts'

/** Job `mail_reset_code`: somebody forgot a password and gave a user name. Nobody learns whether an account has it. */
export async function mailResetCode(ctx: Ctx, payload: unknown): Promise<void> {
  const { userName, language, asker } = resetCodePayload.parse(payload)
  const account = await findAccount(ctx.db, { kind: 'user_name', text: userName })
  if (account?.status !== 'active')
    return transaction(ctx, (tx) =>
      issueDecoy(tx, ctx, { purpose: 'reset', target: userName, accountId: null, asker }),
    )
  await transaction(ctx, (tx) =>
    postMail(tx, ctx, {
      kind: 'reset_code',
      accountId: null,
      recipient: account.email,
      language,
      params: { asker },
    }),
  )
}

const PAUSE_MAILS = { name: 'pause_mail', per: 86_400, burst: 1 } as const

/**
 * Job `sign_in_paused`: somebody keeps guessing. The owner, if there is one, is told once a day at most and given a link that
 * lifts the pause.
 */
export async function notifyOfPause(ctx: Ctx, payload: unknown): Promise<void> {
  const account = await findAccount(ctx.db, signInPausedPayload.parse(payload))
  if (account?.status !== 'active') return
  const share = await takeShare(ctx, { ...PAUSE_MAILS, key: account.id })
  if (!share.ok) return
  await transaction(ctx, (tx) => notifyOwner(tx, ctx, account, 'mailbox_frozen'))
}
