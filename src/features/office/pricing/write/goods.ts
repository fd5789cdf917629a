import { createHash } from 'node:crypto'
import {
  makeAskedChange,
  makeAskedUndo,
  tryChange,
  tryUndo,
  type HoldPriceEffect,
} from '#features/goods/editing/commands.ts'
import type { GoodsEffect } from '#features/goods/editing/rules.ts'
import { holdPriceEffect, takePriceEffect } from '#features/goods/price-limit/commands.ts'
import type { Turn, Waits } from '#features/team/approval/commands.ts'
import { findByPublicId } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError } from '#kernel/error.ts'

/** Whose deed a change of goods is that waits (`details.path`). */
export const GOODS_PATH = 'goods'

/** Asked before an edit of goods moves prices: counts it against its operator's limit, in the edit's transaction. */
export function holdGoodsPrices(
  tx: Turn,
  ctx: OperatorCtx,
  now: Date,
  { moves, asked, hash, note }: Held,
): Promise<Waits> {
  // What moves no price takes no leave to move them.
  if (moves.length === 0) return Promise.resolve(null)
  const name = createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 22)
  return holdPriceEffect(tx, ctx, now, {
    moves,
    subject: `${GOODS_PATH} ${name}`,
    details: { path: GOODS_PATH, asked, hash, note },
  })
}

type Held = Parameters<HoldPriceEffect>[3]

/** What a change of goods that waits would do as of now. Throws 'not_found' where it does not wait any more. */
export async function tryWaitingGoods(ctx: OperatorCtx, publicId: string): Promise<GoodsEffect> {
  const act = await findByPublicId(ctx.db, publicId)
  if (act?.kind !== 'price_change' || act.status !== 'waiting') throw new AppError('not_found')
  if (act.details['path'] !== GOODS_PATH) throw new AppError('not_found')
  const { asked } = act.details as Partial<Held>
  if (!asked) throw new AppError('not_found')
  return 'undo' in asked ? tryUndo(ctx, asked.undo) : tryChange(ctx, asked)
}

/** What approving it does: the edit, or the taking back of one, as it was asked for. */
export async function makeWaitingGoods(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  const { asked, hash, note } = act.details as Partial<Held>
  const [now, held] = [ctx.now(), { hash: String(hash), note: String(note ?? '') }]
  if (!asked) throw new AppError('changed_meanwhile')
  const moves =
    'undo' in asked
      ? await makeAskedUndo(tx, ctx, now, { ...held, change: asked.undo })
      : await makeAskedChange(tx, ctx, now, { ...held, asked })
  await takePriceEffect(tx, ctx, now, moves)
}
