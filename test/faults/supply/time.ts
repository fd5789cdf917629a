import { sql } from 'kysely'
import type { Ctx } from '#platform/ctx.ts'
import type { Crew } from './crew.ts'
import type { SupplyStage } from './scene.ts'

/** What happens at suppliers meanwhile. */
export interface Outside {
  /** A turn of the workers is over, in which these died. */
  readonly turned: (dead: ReadonlySet<string>) => void
  /** When something happens there next. */
  readonly nextAt: () => number | null
  /** Everything due happens. @returns the notices that are sent then */
  readonly settle: () => Awaitable<
    readonly { readonly supplier: string; readonly reference: string }[]
  >
}
type Awaitable<T> = T | Promise<T>

/** Time goes on at least so far, and by a share of what has gone by. */
const STEP_MS = 15_000
const STEP_SHARE = 1 / 50
const DAY_MS = 86_400_000
/** Longer than anything has: a buyer's time to correct is a week. */
const DAYS_MOST = 40

/** From one thing that is due to the next, until nothing is but what waits for a person. */
export async function liveOn(stage: SupplyStage, crew: Crew, outside: Outside): Promise<void> {
  const { ctx, clock } = stage
  const began = ctx.now().getTime()
  for (;;) {
    await crew.turn(clock.aheadMs)
    outside.turned(crew.dead())
    const next = await nextDue(ctx, outside)
    const passed = ctx.now().getTime() - began
    if (next === null || passed > DAYS_MOST * DAY_MS) return
    clock.aheadMs += Math.max(next - ctx.now().getTime(), STEP_MS, passed * STEP_SHARE)
    for (const { supplier, reference } of await outside.settle())
      await stage.notice(supplier, reference)
  }
}

async function nextDue(ctx: Ctx, outside: Outside): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(greatest(due_at, taken_until)) from supply_queue where held is null), (select min(next_ask_at) from purchase),
      (select min(input_until) from order_unit where status = 'needs_input')) as at`.execute(ctx.db)
  const times = [rows[0]?.at?.getTime() ?? null, outside.nextAt()].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}
