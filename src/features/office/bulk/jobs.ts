import type { DeskAct } from '#features/office/desk/rules.ts'
import type { Waits } from '#features/team/approval/commands.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { findOperator } from '#features/team/operator/queries.ts'
import { isAppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isRefusal } from '#platform/refusal.ts'
import { endBulk, noteBulk } from './commands.ts'
import { findBulkWork, type BulkWork } from './queries.ts'
import { failureOf, type BulkAct, type BulkFailure } from './rules.ts'

/** What does an act to one order, once for each of its names; it may wait for a second person. */
export type BulkDeeds = Readonly<
  Record<BulkAct, (ctx: OperatorCtx, asked: DeskAct) => Promise<Waits>>
>

/**
 * Goes on with what was asked for, one order at a time, in the name of who asked and with what they may do now. An order that was begun by a
 * process that died is asked for again under the same name, and so done once.
 */
export async function doBulk(ctx: Ctx, deeds: BulkDeeds, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const work = await findBulkWork(ctx.db)
    if (!work) return
    const operator = await findOperator(ctx.db, work.operatorId)
    if (!operator || work.no === null) {
      await endBulk(ctx, work.runId, operator ? 'done' : 'cancelled')
      continue
    }
    await noteBulk(ctx, work, await doOne(actingAs(ctx, operator), deeds, work))
  }
}

/** @returns why it could not be done; null where it is */
async function doOne(
  ctx: OperatorCtx,
  deeds: BulkDeeds,
  { publicId, no, act, order, version }: BulkWork,
): Promise<BulkFailure | null> {
  const asked = { order: order ?? '', version: version ?? '', key: `${publicId}-${no ?? ''}` }
  try {
    return (await deeds[act](ctx, asked)) === null ? null : 'waits'
  } catch (error) {
    if (isRefusal(error)) return 'changed_meanwhile'
    if (isAppError(error)) return failureOf(error.code)
    ctx.log.error('an order of several could not be done', { run: publicId, order, error })
    return 'internal'
  }
}
