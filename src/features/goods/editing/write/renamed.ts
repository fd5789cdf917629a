import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Tx } from '#platform/ctx.ts'
import { RENAMED_FIELD } from '../rules.ts'
import { keepChange } from './store.ts'

/** Keeps that a product has another code: what became of it so far is told under that, and can still be taken back. @returns the change's public id */
export async function keepRenamed(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  await tx
    .updateTable('goods_change_row')
    .set({ code: to })
    .where('subject', '=', 'product')
    .where('code', '=', from)
    .execute()
  const row = {
    subject: 'product',
    code: to,
    field: RENAMED_FIELD,
    before: from,
    after: to,
    hasLocked: false,
  } as const
  const { publicId } = await keepChange(tx, ctx, now, { kind: 'editor', note: '', rows: [row] })
  return publicId
}
