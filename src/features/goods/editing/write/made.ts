import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Tx } from '#platform/ctx.ts'
import { AUDITED_EACH, type ChangeKind, type Edited } from '../rules.ts'
import { keepChange } from './store.ts'

/** A brand, product or item that was not there before. */
export interface MadeGoods {
  readonly subject: Edited
  readonly code: string
  readonly name: string
  readonly status: 'active' | 'suspended'
}

/**
 * Keeps that goods were made: their history begins with it, and taking the change back takes off sale what was made for sale.
 * @returns the change's public id
 */
export async function keepMade(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  given: {
    readonly made: readonly MadeGoods[]
    readonly kind: Extract<ChangeKind, 'editor' | 'import'>
    readonly note: string
  },
): Promise<string> {
  const { made, kind, note } = given
  const { publicId } = await keepChange(tx, ctx, now, {
    kind,
    note,
    rows: made.map(({ subject, code, status }) => ({
      subject,
      code,
      field: 'status',
      before: null,
      after: status,
      hasLocked: false,
    })),
  })
  await recordAudit(
    tx,
    ctx,
    now,
    made.length > AUDITED_EACH
      ? [
          {
            action: 'change',
            subject: 'goods_change',
            subjectCode: publicId,
            before: null,
            after: { goods: made.length, rows: made.length, kind },
          },
        ]
      : made.map(({ subject, code, name, status }) => ({
          action: 'create',
          subject,
          subjectCode: code,
          before: null,
          after: { name, status },
        })),
  )
  return publicId
}
