import { Logger, type Task, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type { Ctx } from './ctx.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'
import { inRequestOf, requestOfFlags } from './request-scope.ts'

/**
 * The job queue's own lines, in the shop's log. What came with them is left out but for the job's name and try: payloads
 * and the details of database errors may tell of people.
 */
export function jobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const job = jobOf(meta)
    const fields = job ? { job } : {}
    if (level === 'error') log.error(message, fields)
    else if (level === 'warning') log.warn(message, fields)
    else log.debug(message, fields)
  })
}

function jobOf(meta: unknown): { id: unknown; task: unknown; attempt: unknown } | null {
  const job =
    typeof meta === 'object' && meta !== null && 'job' in meta
      ? (meta.job as Record<string, unknown> | null)
      : null
  return job ? { id: job.id, task: job.task_identifier, attempt: job.attempts } : null
}

/** Jobs that go on in the name of the request that left them. */
export function inTheirRequests(tasks: TaskList): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, Task] => [
      name,
      (payload, helpers) =>
        inRequestOf(requestOfFlags(helpers.job.flags), () => task?.(payload, helpers)),
    ]),
  )
}

/** Takes jobs off the queue that nobody does any more. */
export async function forgetJobs(db: Db, names: readonly string[]): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = any(${[...names]}::text[]) and locked_at is null))`.execute(
    db,
  )
}

const DEAD_KEPT_DAYS = 30
const REMOVED_AT_ONCE = 5_000

/** Takes away what failed too often so long ago that what it was to do is gone, too. */
export async function forgetDeadJobs(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - DEAD_KEPT_DAYS * 86_400_000)
  await sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null and created_at < ${before} order by id limit ${REMOVED_AT_ONCE}))`.execute(
    ctx.db,
  )
}
