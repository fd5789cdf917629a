import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { OperatorCtx } from './acting.ts'

/**
 * The operator as they are at this moment, and for as long as the transaction takes: whoever was shut out since their call came in does
 * nothing more, and the role they have now is the one that counts. Throws 'unauthorised'.
 */
export async function stillActing(tx: Tx, ctx: OperatorCtx): Promise<OperatorCtx> {
  const operator = await tx
    .selectFrom('operator')
    .select(['id', 'name', 'role'])
    .where('id', '=', ctx.operator.id)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst()
  if (!operator) throw new AppError('unauthorised')
  return { ...ctx, operator }
}
