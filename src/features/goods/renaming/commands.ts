import { createHash } from 'node:crypto'
import { answerOnce } from '#features/base/idempotency/commands.ts'
import { keepRenamed } from '#features/goods/editing/commands.ts'
import { renameGoods, takeTurnOfImports } from '#features/goods/transfer/commands.ts'
import { inTurn } from '#features/team/approval/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { findBrandOf, isCodeTaken, listFormerCodes } from './queries.ts'
import { CODE_FORMAT, CODE_MOST, type RenameEffect } from './rules.ts'

export interface AskedRename {
  readonly from: string
  readonly to: string
}

export interface GivenRename extends AskedRename {
  /** The caller's own name for it: sent again, nothing is done twice. */
  readonly key: string
  /** Of the effect that was seen. */
  readonly hash: string
}

/** What another code would come to; nothing is written. Throws 'check_fields' at `to` for a code that cannot be had. */
export async function tryRename(ctx: OperatorCtx, asked: AskedRename): Promise<RenameEffect> {
  requirePermission(ctx, 'product.change')
  return effectOf(ctx.db, asked, false)
}

/**
 * Gives a product another code, and leads every former one there. Throws 'changed_meanwhile' where it would not do
 * any more what was seen. @returns public id of the change in its history
 */
export async function renameOnce(
  given: OperatorCtx,
  { key, hash, ...asked }: GivenRename,
): Promise<{ readonly change: string }> {
  requirePermission(given, 'product.change')
  return inTurn(given, async (tx, now) => {
    const ctx = await stillActing(tx, given)
    requirePermission(ctx, 'product.change')
    return answerOnce(
      tx,
      ctx,
      { key, call: 'goods/rename', input: { ...asked, hash } },
      async () => {
        await takeTurnOfImports(tx)
        const effect = await effectOf(tx, asked, true)
        if (effect.hash !== hash) throw new AppError('changed_meanwhile', {}, { data: { effect } })
        await renameGoods(tx, ctx, now, { kind: 'product', ...asked })
        return { change: await keepRenamed(tx, ctx, now, asked) }
      },
    )
  })
}

async function effectOf(
  db: Db | Tx,
  { from, to }: AskedRename,
  isToWrite: boolean,
): Promise<RenameEffect> {
  const brand = await findBrandOf(db, from, isToWrite)
  if (brand === null) throw new AppError(isToWrite ? 'changed_meanwhile' : 'not_found')
  if (!CODE_FORMAT.test(to) || to.length > CODE_MOST) throw fieldError('to', 'code_format')
  if (to === from) throw fieldError('to', 'same_as_before')
  if (await isCodeTaken(db, { from, to, brand })) throw fieldError('to', 'code_taken')
  const former = await listFormerCodes(db, from)
  const told = {
    from,
    to,
    leading: [from, ...former.filter((code) => code !== to)],
    isReturn: former.includes(to),
  }
  return { ...told, hash: createHash('sha256').update(JSON.stringify(told)).digest('base64url') }
}
