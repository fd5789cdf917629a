import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Ctx } from './ctx.ts'

const SEEN_EVERY_MS = 5_000
/** A row not written for so long is one of a process that was killed. */
const FORGOTTEN_MS = 3_600_000

export interface Heartbeat {
  readonly stop: () => Promise<void>
}

/**
 * Writes every few seconds that this process is alive, and how far the clock of its machine is off. A process that stops takes its row
 * away; one that was killed leaves a row that nobody writes any more.
 * @param id of this process, which its leases name as well
 */
export function keepHeartbeat(
  ctx: Ctx,
  clock: Pick<Clock, 'skewMs'>,
  kind: 'web' | 'worker',
  id: string,
): Heartbeat {
  const startedAt = ctx.now()
  const beat = () =>
    write(ctx, { id, kind, startedAt, skewMs: clock.skewMs() }).catch((error: unknown) =>
      ctx.log.warn('a sign of life could not be written', { error }),
    )
  let isBeating = false
  let beating = Promise.resolve()
  // One at a time: a database that does not answer is not asked more and more.
  const next = () => {
    if (isBeating) return
    isBeating = true
    beating = beat().finally(() => {
      isBeating = false
    })
  }
  next()
  const timer = setInterval(next, SEEN_EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await beating
      await ctx.db
        .deleteFrom('running_process')
        .where('id', '=', id)
        .execute()
        .catch(() => {})
    },
  }
}

async function write(
  ctx: Ctx,
  {
    id,
    kind,
    startedAt,
    skewMs,
  }: {
    readonly id: string
    readonly kind: string
    readonly startedAt: Date
    readonly skewMs: number
  },
): Promise<void> {
  const now = ctx.now()
  await sql`
    insert into running_process (id, kind, started_at, seen_at, clock_skew_ms) values (${id}, ${kind}, ${startedAt}, ${now}, ${skewMs})
    on conflict (id) do update set seen_at = excluded.seen_at, clock_skew_ms = excluded.clock_skew_ms
    returning set_config('synchronous_commit', 'off', true)`.execute(ctx.db)
}

/** Takes away the rows of processes that were killed. */
export async function forgetDeadProcesses(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await ctx.db
    .deleteFrom('running_process')
    .where('seen_at', '<', new Date(ctx.now().getTime() - FORGOTTEN_MS))
    .execute()
}
