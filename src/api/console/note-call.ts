import { hasAudited, recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { transaction } from '#platform/ctx.ts'
import type { CallAccess } from './access.ts'

const CODE_MAX = 200

/**
 * What the trail says of a call that went well, whatever its handler remembered: a look at what is secret or personal, and a write
 * whose command has written nothing itself.
 */
export async function noteCall(
  ctx: OperatorCtx,
  path: string,
  { method, look, unaudited }: CallAccess,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (look) {
    const code = String(input[look.by] ?? '').slice(0, CODE_MAX)
    return note(ctx, {
      action: 'look',
      subject: look.subject,
      subjectCode: code,
      after: { call: path },
    })
  }
  if (method === 'GET' || unaudited !== undefined || hasAudited()) return
  await note(ctx, { action: 'call', subject: 'console', subjectCode: path, after: {} })
}

const note = (ctx: OperatorCtx, act: Parameters<typeof recordAct>[2]): Promise<void> =>
  transaction(ctx, (tx) => recordAct(tx, ctx, act))
