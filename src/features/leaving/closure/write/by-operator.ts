import { recordAct } from '#features/base/audit/commands.ts'
import { lockActiveShopper, lockShopper } from '#features/people/account/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { exportEverything } from '../queries.ts'
import type { PersonExport } from '../rules.ts'
import { cancel } from './cancel.ts'

/**
 * Begins to erase a shopper who asked the shop for it: as if they had cancelled their account themselves, with the same mail and the same days
 * to take it back. Throws 'not_found', 'changed_meanwhile' for who is frozen or leaving already, 'unfinished_orders', and check_fields at
 * `give_up_credit`.
 */
export async function cancelByOperator(
  ctx: OperatorCtx,
  { shopper, givesUpCredit }: { readonly shopper: string; readonly givesUpCredit: boolean },
): Promise<{ eraseAt: Date }> {
  requirePermission(ctx, 'shopper.change')
  return transaction(ctx, async (tx) =>
    cancel(tx, ctx, await lockActiveShopper(tx, shopper), givesUpCredit),
  )
}

/** Everything about a shopper who asked for it, as their own page would give it. Throws 'not_found'. */
export async function exportByOperator(ctx: OperatorCtx, shopper: string): Promise<PersonExport> {
  requirePermission(ctx, 'export.personal')
  const accountId = await transaction(ctx, async (tx) => {
    const { id } = await lockShopper(tx, shopper)
    await recordAct(tx, ctx, {
      action: 'shopper_exported',
      subject: 'account',
      subjectCode: id,
      after: {},
    })
    return id
  })
  return exportEverything(ctx, { accountId })
}
