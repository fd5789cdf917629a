import { readSetting } from '#features/base/setting/queries.ts'
import { refundUnits } from '#features/buying/fulfilment/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import { tellLate, writePace } from './commands.ts'
import { listLate, listOverdue, type LateOrder, type Overdue } from './queries.ts'
import { lateDeliverySetting } from './schema.ts'

const A_PAGE = 100
const HOUR_MS = 3_600_000

export const measureSupply = (ctx: Ctx): Promise<void> => writePace(ctx)

/** Buyers are told of what is late, and what is later still goes back, where the owner says so. */
export async function tendLate(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const { factor, refundAfterHours } = await readSetting(ctx.db, lateDeliverySetting)
  await sweep<LateOrder>(ctx, {
    what: 'a delivery that is late',
    name: ({ orderId }) => orderId,
    signal,
    next: (last) =>
      listLate(ctx.db, { now: ctx.now(), factor, last: last?.orderId ?? null, limit: A_PAGE }),
    work: (late) => tellLate(ctx, late),
  })
  if (refundAfterHours === null) return
  const before = new Date(ctx.now().getTime() - refundAfterHours * HOUR_MS)
  await sweep<Overdue>(ctx, {
    what: 'a unit that waits for too long',
    name: ({ orderId }) => orderId,
    signal,
    next: (last) => listOverdue(ctx.db, { before, last: last?.orderId ?? null, limit: A_PAGE }),
    work: ({ orderId, unitIds }) => refundUnits(ctx, orderId, unitIds, 'not_delivered'),
  })
}
