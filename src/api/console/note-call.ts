import { countPageRead, hasAudited, recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { transaction } from '#platform/ctx.ts'
import type { CallAccess } from './access.ts'

const CODE_MAX = 200

/**
 * What the trail says of a call that went well, whatever its handler remembered: a look at what is secret or personal, pages of people
 * that were read, and a write whose command has written nothing itself.
 */
export async function noteCall(
  ctx: OperatorCtx,
  path: string,
  { method, look, unaudited, isCounted }: CallAccess,
  input: Readonly<Record<string, unknown>>,
  data: unknown = null,
): Promise<void> {
  if (isCounted) {
    const { token = null } = ctx.operator
    return countPageRead(ctx, { call: path, token, rows: rowsOf(data) })
  }
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

/** How many rows an answer shows: of itself, or of the list in it. */
function rowsOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  const parts: readonly unknown[] = typeof data === 'object' && data ? Object.values(data) : []
  return parts.find((part) => Array.isArray(part))?.length ?? 0
}

const note = (ctx: OperatorCtx, act: Parameters<typeof recordAct>[2]): Promise<void> =>
  transaction(ctx, (tx) => recordAct(tx, ctx, act))
