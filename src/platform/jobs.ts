import { Logger, run, type Runner, type Task, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
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

/** Runs the jobs that commands have left, so many at once. */
export async function openQueue(
  connectionString: string,
  log: Log,
  concurrency: number,
  taskList: TaskList,
): Promise<{ readonly runner: Runner; readonly pool: pg.Pool }> {
  // For the queue's own books alone, which do not wait for the disk: should the server's machine fail, what is lost of them is a job that
  // is run again, and every job may be. What jobs themselves write goes over their contexts.
  const pool = new pg.Pool({
    connectionString,
    max: concurrency + 1,
    application_name: 'lukado queue',
    options: '-c synchronous_commit=off',
  })
  const onBroken = (error: Error) => log.warn('a connection of the queue broke', { error })
  pool.on('error', onBroken).on('connect', (client) => void client.on('error', onBroken))
  // A job is found by notification at once; the poll is for what was missed.
  const runner = await run({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: jobLogger(log),
    taskList: inTheirRequests(taskList),
  })
  return { runner, pool }
}
