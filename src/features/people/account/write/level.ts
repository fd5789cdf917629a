import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { lockActiveShopper } from './shopper.ts'

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
  await transaction(ctx, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select(['id', 'role_id'])
      .where('email', '=', email.toLowerCase())
      .where('status', '=', 'active')
      .forUpdate()
      .executeTakeFirst()
    if (!account) throw new AppError('not_found')
    await moveToLevel(tx, ctx, { id: account.id, level: account.role_id }, level)
  })
}

/**
 * The same of a shopper whose page is open. Throws 'not_found' for nobody, 'changed_meanwhile' where they are on another level by now than
 * whoever changes it has seen, or may not buy.
 */
export async function changeLevel(
  ctx: OperatorCtx,
  { shopper, from, to }: { readonly shopper: string; readonly from: number; readonly to: number },
): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, async (tx) => {
    const account = await lockActiveShopper(tx, shopper)
    if (account.level !== from) throw new AppError('changed_meanwhile')
    await moveToLevel(tx, ctx, account, to)
  })
}

async function moveToLevel(
  tx: Tx,
  ctx: OperatorCtx,
  account: { readonly id: string; readonly level: number },
  level: number,
): Promise<void> {
  await tx.updateTable('account').set({ role_id: level }).where('id', '=', account.id).execute()
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'level',
      subject: 'account',
      subjectCode: account.id,
      before: { role_id: account.level },
      after: { role_id: level },
    },
  ])
}
