import { recordAudit } from '#features/base/audit/commands.ts'
import { NO_PICTURES, writeGoods } from '#features/goods/transfer/commands.ts'
import { readGoodsRows } from '#features/goods/transfer/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { lockOf } from '../engine/fields.ts'
import type { Edited } from '../rules.ts'

export interface GivenLocks {
  readonly subject: Edited
  readonly code: string
  readonly fields: readonly string[]
  readonly isLocked: boolean
}

/** Has imports and syncs leave fields alone from now on, or follow them again. Throws 'not_found' and 'check_fields'. */
export async function setLocks(
  ctx: OperatorCtx,
  { subject, code, fields, isLocked }: GivenLocks,
): Promise<void> {
  requirePermission(ctx, 'product.change')
  const locks = fields.map((name) => {
    const field = lockOf(subject, name)
    if (!field) throw fieldError('fields', 'unknown_field')
    requirePermission(ctx, field.needs)
    return field.lock
  })
  await transaction(ctx, async (tx, now) => {
    const codes = { brand: [], product: [], item: [], [subject]: [code] }
    const row = (await readGoodsRows(tx, codes, true))[subject].find((one) => one['code'] === code)
    if (!row) throw new AppError('not_found')
    const before = row['locked_fields'] as readonly string[]
    const after = isLocked
      ? [...new Set([...before, ...locks])]
      : before.filter((lock) => !locks.includes(lock))
    if (after.length === before.length) return
    const rows = [{ code, locked_fields: after }]
    await writeGoods(tx, now, [{ table: subject, columns: [], rows }], {
      categories: [],
      levels: [],
      texts: [],
      pictures: NO_PICTURES,
    })
    await recordAudit(tx, ctx, now, [
      {
        action: isLocked ? 'lock' : 'unlock',
        subject,
        subjectCode: code,
        before: { locked_fields: before },
        after: { locked_fields: after },
      },
    ])
  })
}
