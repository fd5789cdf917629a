import { recordAudit } from '#features/base/audit/commands.ts'
import { requeueMails } from '#features/people/mail/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { CHECK_SWEEP, type SystemCheck } from './rules.ts'

const NOTE_MAX = 2_000

/** Writes down what the doctor has found, in place of what was found before. */
export async function recordChecks(ctx: Ctx, found: readonly SystemCheck[]): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await tx.deleteFrom('system_check').execute()
    await tx
      .insertInto('system_check')
      .values(
        found.map(({ subject, problems, work, note }, place) => ({
          subject,
          place,
          problems: [...problems],
          work: [...work],
          note: note.slice(0, NOTE_MAX),
          looked_at: now,
        })),
      )
      .execute()
  })
}

/** Has the worker look at everything now. */
export async function askForChecks(ctx: OperatorCtx): Promise<void> {
  requirePermission(ctx, 'system.read')
  await wantSweep(ctx, CHECK_SWEEP)
}

/**
 * Has mails sent again whose job has failed or is lost; those that were sent meanwhile stay as they are.
 * Throws 'changed_meanwhile' where none of them waits any more. @returns how many are tried now
 */
export async function retryMails(ctx: OperatorCtx, ids: readonly string[]): Promise<number> {
  requirePermission(ctx, 'system.manage')
  return transaction(ctx, async (tx, now) => {
    const retried = await requeueMails(tx, ids)
    if (retried.length === 0) throw new AppError('changed_meanwhile')
    await recordAudit(tx, ctx, now, [
      {
        action: 'retry',
        subject: 'mail',
        subjectCode: retried.length === 1 ? (retried[0] ?? '') : 'several',
        before: null,
        after: { mails: retried },
      },
    ])
    return retried.length
  })
}
