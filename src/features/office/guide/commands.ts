import { recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import type { GuideStep } from './rules.ts'

/** What can be said of a step: 'open' takes back whatever was said. */
export type StepChoice = 'skipped' | 'done' | 'open'
export type WholeChoice = 'left' | 'dismissed' | 'open'

/** Skips a step, or says that one has looked; kept for the shop, not for the person. */
export async function chooseStep(
  ctx: OperatorCtx,
  step: GuideStep,
  choice: StepChoice,
): Promise<void> {
  if (choice === 'done' && step !== 'look') throw fieldError('choice', 'not_allowed')
  await choose(ctx, step, choice)
}

/** Leaves the guide for now, takes it off home, or brings it back. */
export async function chooseGuide(ctx: OperatorCtx, choice: WholeChoice): Promise<void> {
  await choose(ctx, 'guide', choice)
}

async function choose(
  ctx: OperatorCtx,
  step: GuideStep | 'guide',
  choice: StepChoice | WholeChoice,
): Promise<void> {
  requirePermission(ctx, 'shop.manage')
  await transaction(ctx, async (tx, now) => {
    if (choice === 'open') await tx.deleteFrom('guide_step').where('step', '=', step).execute()
    else
      await tx
        .insertInto('guide_step')
        .values({ step, choice, chosen_at: now })
        .onConflict((conflict) => conflict.column('step').doUpdateSet({ choice, chosen_at: now }))
        .execute()
    await recordAct(tx, ctx, {
      action: 'update',
      subject: 'guide',
      subjectCode: step,
      after: { choice },
    })
  })
}
