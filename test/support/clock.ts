import type { Ctx } from '#platform/ctx.ts'

/** The same context, so many minutes on. */
export function minutesLater(ctx: Ctx, minutes: number): Ctx {
  return { ...ctx, now: () => new Date(Date.now() + minutes * 60_000) }
}
