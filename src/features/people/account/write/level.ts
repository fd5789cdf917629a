import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'

/**
 * Puts a shopper on a customer level: from then on they see and pay its prices. 0 is retail. Throws 'not_found' where nobody here has
 * the address.
 */
export async function setCustomerLevel(
  ctx: OperatorCtx,
  email: string,
  level: number,
): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, async (tx, now) => {
    const account = await tx
      .selectFrom('account')
      .select(['id', 'role_id'])
      .where('email', '=', email.toLowerCase())
      .where('status', '=', 'active')
      .forUpdate()
      .executeTakeFirst()
    if (!account) throw new AppError('not_found')
    await tx.updateTable('account').set({ role_id: level }).where('id', '=', account.id).execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'level',
        subject: 'account',
        subjectCode: account.id,
        before: { role_id: account.role_id },
        after: { role_id: level },
      },
    ])
  })
}
