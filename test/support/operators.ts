import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import type { Ctx } from '#platform/ctx.ts'

/** A context in which an operator acts, for features that ask only who it is. */
export function asOperator(ctx: Ctx, name = 'ann', role: OperatorRole = 'owner'): OperatorCtx {
  return actingAs(ctx, { id: '00000000-0000-7000-8000-000000000000', name, role })
}
