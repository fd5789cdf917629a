import { postMail } from '#features/people/mail/commands.ts'
import type { MailParams } from '#features/people/mail/rules.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'

/** What was added or taken away: the passkey of that name, or the codes of an authenticator app. */
export type ChangedFactor =
  | { readonly factor: 'authenticator' }
  | { readonly factor: 'passkey'; readonly name: string }

/** Tells the owner of an account, by mail and in the shop. */
export async function notifyOwner(
  tx: Tx,
  ctx: Ctx,
  accountId: string,
  kind: 'factor_added' | 'factor_removed',
  told: ChangedFactor,
): Promise<void> {
  await postNotice(tx, ctx, { accountId, kind, params: { factor: told.factor } })
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account?.email) return
  const params: MailParams = told.factor === 'passkey' ? told : { factor: 'totp' }
  await postMail(tx, ctx, {
    kind,
    accountId,
    recipient: account.email,
    language: account.language,
    params,
  })
}
