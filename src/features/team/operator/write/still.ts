import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { operatorOf, POWER_COLUMNS } from '../read/role.ts'
import { byNetwork, within } from '../rules.ts'
import type { OperatorCtx } from './acting.ts'

/**
 * The operator as they are at this moment, and for as long as the transaction takes: whoever was shut out since their call came in does
 * nothing more, and the role they have now is the one that counts, one of the shop's own as well, as far as the token goes that speaks
 * for them. Throws 'unauthorised'.
 */
export async function stillActing(tx: Tx, ctx: OperatorCtx): Promise<OperatorCtx> {
  const row = await tx
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', ...POWER_COLUMNS])
    .where('o.id', '=', ctx.operator.id)
    .where('o.status', '=', 'active')
    .forShare('o')
    .executeTakeFirst()
  if (!row) throw new AppError('unauthorised')
  const { scopes = null, token, isByNetwork } = ctx.operator
  const operator = { ...within(operatorOf(row), scopes), ...(token === undefined ? {} : { token }) }
  return { ...ctx, operator: isByNetwork ? byNetwork(operator) : operator }
}
