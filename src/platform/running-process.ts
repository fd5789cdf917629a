import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Ctx } from './ctx.ts'
import { lowDiskSentence } from './disk.ts'

const SEEN_EVERY_MS = 5_000
/** A row not written for so long is one of a process that was killed. */
const FORGOTTEN_MS = 3_600_000

export interface Heartbeat {
  readonly stop: () => Promise<void>
}

/**
 * Writes every few seconds that this process is alive, how far the clock of its machine is off, and whether
 * room runs out on its disk. A process that stops takes its row
 * away; one that was killed leaves a row that nobody writes any more.
 * @param id of this process, which its leases name as well
 */
export function keepHeartbeat(
  ctx: Ctx,
  clock: Pick<Clock, 'skewMs'>,
  kind: 'web' | 'worker',
  id: string,
  disk: Pick<Config, 'dataDirectory' | 'backupDirectory'>,
): Heartbeat {
  const startedAt = ctx.now()
  const beat = async () =>
    write(ctx, {
      id,
      kind,
      startedAt,
      skewMs: clock.skewMs(),
      diskLow: await lowDiskSentence(disk),
    }).catch((error: unknown) => ctx.log.warn('a sign of life could not be written', { error }))
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
    diskLow,
  }: {
    readonly id: string
    readonly kind: string
    readonly startedAt: Date
    readonly skewMs: number
    readonly diskLow: string | null
  },
): Promise<void> {
  const now = ctx.now()
  await sql`
    insert into running_process (id, kind, started_at, seen_at, clock_skew_ms, disk_low) values (${id}, ${kind}, ${startedAt}, ${now}, ${skewMs}, ${diskLow})
    on conflict (id) do update set seen_at = excluded.seen_at, clock_skew_ms = excluded.clock_skew_ms, disk_low = excluded.disk_low
    returning set_config('synchronous_commit', 'off', true)`.execute(ctx.db)
}

/** Takes away the rows of processes that were killed. */
export async function forgetDeadProcesses(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await ctx.db
    .deleteFrom('running_process')
    .where('seen_at', '<', new Date(ctx.now().getTime() - FORGOTTEN_MS))
    .execute()
}
