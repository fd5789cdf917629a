import { recordAudit } from '#features/base/audit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { securityEvent } from '#platform/security-log.ts'
import type { Operator } from '../rules.ts'

/** A context in which an operator acts; made only of somebody who has proved who they are. */
export interface OperatorCtx extends Ctx {
  readonly operator: Operator
}

/** The same context with an operator as who acts. */
export function actingAs(ctx: Ctx, operator: Operator): OperatorCtx {
  return { ...ctx, actor: `operator:${operator.name}`, operator }
}

/** Somebody tried to be an operator and did not prove it. */
export async function noteRefusedProof(
  ctx: Ctx,
  name: string,
  by: 'password' | 'token' | 'factor' | 'passkey',
): Promise<void> {
  securityEvent(ctx.log, 'operator.refused', { operator: name, how: by })
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'proof_refused',
        subject: 'operator',
        subjectCode: name,
        before: null,
        after: { by },
      },
    ]),
  )
}
