import { retryDeadJobs } from '#features/office/health/commands.ts'
import { listDeadJobs } from '#features/office/health/queries.ts'
import type { OperatorRun } from './commands.ts'
import { moment, positionals, print, table } from './table.ts'

const LISTED_MAX = 200

/** Jobs that failed too often for the queue to try them again. */
export const listDeadJobsCommand: OperatorRun = async (ctx, args) => {
  const jobs = await listDeadJobs(ctx.db, LISTED_MAX)
  print(args, jobs, () =>
    jobs.length === 0
      ? 'No job has been given up.\n'
      : table(
          ['JOB', 'TASK', 'SINCE (UTC)', 'TRIES', 'LAST ERROR'],
          jobs.map(({ id, task, since, attempts, error }) => [
            id,
            task,
            moment(since),
            String(attempts),
            error,
          ]),
        ),
  )
  return 0
}

export const retryJobsCommand: OperatorRun = async (ctx, args) => {
  const ids = positionals(args)
  const count = await retryDeadJobs(ctx, ids.length === 0 ? null : ids)
  process.stdout.write(`${count} ${count === 1 ? 'job is' : 'jobs are'} tried again.\n`)
  return 0
}
