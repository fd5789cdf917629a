import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'

/** Lets jobs be tried again that failed as often as they may. @param ids null for all of them @returns how many those were */
export async function retryDeadJobs(
  ctx: OperatorCtx,
  ids: readonly string[] | null,
): Promise<number> {
  requirePermission(ctx, 'system.manage')
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null and (${ids === null}::boolean or id::text = any(${[...(ids ?? [])]}::text[]))),
        run_at => now(), attempts => 0)`.execute(tx)
    const count = rows[0]?.count ?? 0
    await recordAudit(tx, ctx, now, [
      {
        action: 'retry',
        subject: 'job',
        subjectCode: ids === null ? 'all' : ids.join(' ').slice(0, 200),
        before: null,
        after: { jobs: count },
      },
    ])
    return count
  })
}
