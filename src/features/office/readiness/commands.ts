import { recordAct } from '#features/base/audit/commands.ts'
import { postMail } from '#features/people/mail/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction } from '#platform/ctx.ts'

/** Posts a letter that says nothing but that it has arrived. */
export async function sendTestLetter(
  ctx: OperatorCtx,
  recipient: string,
  language: LanguageCode,
): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  await transaction(ctx, async (tx) => {
    await postMail(tx, ctx, { kind: 'test_letter', accountId: null, recipient, language })
    await recordAct(tx, ctx, {
      action: 'create',
      subject: 'mail',
      subjectCode: 'test_letter',
      after: {},
    })
  })
}
