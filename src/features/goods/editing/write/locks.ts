import { recordAudit } from '#features/base/audit/commands.ts'
import { NO_PICTURES, writeGoods, writeLists } from '#features/goods/transfer/commands.ts'
import { readGoodsRows, readListRows } from '#features/goods/transfer/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { lockOf } from '../engine/fields.ts'
import { isListed, type Subject } from '../rules.ts'

export interface GivenLocks {
  readonly subject: Subject
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
    const row = await findRow(tx, subject, code)
    if (!row) throw new AppError('not_found')
    const before = row['locked_fields'] as readonly string[]
    const after = isLocked
      ? [...new Set([...before, ...locks])]
      : before.filter((lock) => !locks.includes(lock))
    if (after.length === before.length) return
    await writeLocks(tx, now, { subject, code, after })
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

async function findRow(tx: Tx, subject: Subject, code: string) {
  if (isListed(subject)) return (await readListRows(tx, subject, [code], true))[0]
  const codes = { brand: [], product: [], item: [], [subject]: [code] }
  return (await readGoodsRows(tx, codes, true))[subject].find((one) => one['code'] === code)
}

async function writeLocks(
  tx: Tx,
  now: Date,
  { subject, code, after }: { subject: Subject; code: string; after: readonly string[] },
): Promise<void> {
  if (isListed(subject)) {
    const values = { locked_fields: after }
    return writeLists(tx, [{ kind: 'set', table: subject, code, values }])
  }
  const rows = [{ code, locked_fields: after }]
  const sets = { categories: [], levels: [], texts: [], pictures: NO_PICTURES }
  await writeGoods(tx, now, [{ table: subject, columns: [], rows }], sets)
}
