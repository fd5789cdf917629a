import { recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { STARTER_KINDS, STARTER_SWEEP, type StarterKind } from './rules.ts'

const FAILURE_MAX = 500

export interface StarterWish {
  /** None: only what goods stand on. */
  readonly kinds: readonly StarterKind[]
  readonly isOnSale: boolean
}

/** Asks for goods of the program's own, which the worker takes in. Throws 'still_running' while others are. */
export async function askForStarter(
  ctx: OperatorCtx,
  { kinds: wished, isOnSale }: StarterWish,
): Promise<string> {
  assertMayTakeIn(ctx)
  const kinds = STARTER_KINDS.filter((kind) => wished.includes(kind))
  const publicId = newPublicId(ctx)
  await transaction(ctx, async (tx, now) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('starter_goods')
      .values({
        id: ctx.newId(),
        public_id: publicId,
        operator_id: ctx.operator.id,
        kinds,
        is_on_sale: isOnSale,
        state: 'waiting',
        steps: kinds.length + 1,
        asked_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) throw new AppError('still_running')
    await recordAct(tx, ctx, {
      action: 'import',
      subject: 'starter_goods',
      subjectCode: publicId,
      after: { kinds: kinds.join(', '), onSale: String(isOnSale) },
    })
  })
  await wantSweep(ctx, STARTER_SWEEP)
  return publicId
}

/** Goods come with their prices. */
export function assertMayTakeIn(ctx: OperatorCtx): void {
  requirePermission(ctx, 'shop.manage')
  requirePermission(ctx, 'product.change')
  requirePermission(ctx, 'price.change')
}

/**
 * Notes one step more, in the transaction of the import that was the step: what has come in is never more than what is noted. At its last
 * step it is over. Throws 'changed_meanwhile' where another process was quicker.
 */
export async function noteStarterStep(
  tx: Tx,
  now: Date,
  { id, steps }: { readonly id: string; readonly steps: number },
  before: number,
): Promise<void> {
  const isOver = before + 1 >= steps
  const { numUpdatedRows } = await tx
    .updateTable('starter_goods')
    .set({
      step: before + 1,
      state: isOver ? 'done' : 'taking',
      finished_at: isOver ? now : null,
    })
    .where('id', '=', id)
    .where('step', '=', before)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('changed_meanwhile')
}

/** @param failure what an import says of it, which is English */
export async function failStarter(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  id: string,
  failure: string,
): Promise<void> {
  await db
    .updateTable('starter_goods')
    .set({
      state: 'failed',
      failure: failure.slice(0, FAILURE_MAX) || 'failed',
      finished_at: now(),
    })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}
