import { recordAudit } from '#features/base/audit/commands.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import type { Theme } from '../rules.ts'
import type { OperatorCtx } from './acting.ts'

export interface ProfileChange {
  readonly email?: string | undefined
  readonly displayName?: string | undefined
  readonly language?: LanguageCode | undefined
  readonly theme?: Theme | undefined
}

/** One's own address, name for colleagues, language and theme; what is not given stays. Throws 'email_taken'. */
export async function changeProfile(ctx: OperatorCtx, change: ProfileChange): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    if (change.email !== undefined) {
      const other = await tx
        .selectFrom('operator')
        .select('id')
        .where('email', '=', change.email)
        .where('id', '!=', ctx.operator.id)
        .executeTakeFirst()
      if (other) throw new AppError('email_taken')
    }
    await tx
      .updateTable('operator')
      .set({
        updated_at: now,
        ...(change.email === undefined ? {} : { email: change.email }),
        ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
        ...(change.language === undefined ? {} : { language: change.language }),
        ...(change.theme === undefined ? {} : { theme: change.theme }),
      })
      .where('id', '=', ctx.operator.id)
      .execute()
    // What the address or the name was is nobody's business for ever; that it was changed is.
    if (change.email === undefined && change.displayName === undefined) return
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'operator',
        subjectCode: ctx.operator.name,
        before: null,
        after: {
          fields: Object.keys(change).filter((key) => key === 'email' || key === 'displayName'),
        },
      },
    ])
  })
}
