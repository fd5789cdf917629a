import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'

export const NOTE_MAX = 2_000

/** What a colleague is to know about an order. The audit says that something was noted, not what. @returns its public id */
export async function addNote(
  tx: Tx,
  ctx: OperatorCtx,
  order: { readonly id: string; readonly number: string },
  text: string,
): Promise<string> {
  requirePermission(ctx, 'order.refund')
  const now = ctx.now()
  const publicId = newPublicId(ctx)
  await tx
    .insertInto('order_note')
    .values({
      id: ctx.newId(),
      public_id: publicId,
      order_id: order.id,
      author: ctx.operator.name,
      text,
      created_at: now,
    })
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'order_noted',
      subject: 'shop_order',
      subjectCode: order.number,
      before: null,
      after: { note: publicId },
    },
  ])
  return publicId
}
