import { DEMO_FOLDER, importDocuments, readFolder } from '#features/goods/transfer/commands.ts'
import { formatFault } from '#features/goods/transfer/rules.ts'
import { actingAs } from '#features/team/operator/commands.ts'
import { findOperator } from '#features/team/operator/queries.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'
import { isBusy } from '#platform/db.ts'
import { assertMayTakeIn, failStarter, noteStarterStep } from './commands.ts'
import { findStarterWork, listStarterTaken } from './queries.ts'
import { choiceAt, chosenDocuments, type StarterRun } from './rules.ts'

const FAULTS_TOLD = 3

/**
 * Takes in what an operator asked for, in their name and by what they may now: what goods stand on first, then a kind after the other, each one
 * import with its step. One that a process left is taken up at its step; where two are at it, the second goes on behind the first.
 */
export async function takeStarterGoods(
  ctx: Ctx,
  signal: AbortSignal,
  folder = DEMO_FOLDER,
): Promise<void> {
  while (!signal.aborted) {
    const run = await findStarterWork(ctx.db)
    if (!run) return
    try {
      await takeIn(ctx, run, signal, folder)
    } catch (error) {
      if (isBusy(error)) return
      if (isAppError(error) && error.code === 'changed_meanwhile') continue
      await failStarter(ctx, run.id, error instanceof Error ? error.message : String(error))
      if (!isAppError(error)) throw error
    }
  }
}

async function takeIn(
  ctx: Ctx,
  run: StarterRun,
  signal: AbortSignal,
  folder: string,
): Promise<void> {
  const operator = await findOperator(ctx.db, run.operatorId)
  if (!operator) throw new AppError('forbidden')
  const acting = actingAs(ctx, operator)
  assertMayTakeIn(acting)
  const [{ documents, faults }, earlier] = await Promise.all([
    readFolder(folder),
    listStarterTaken(ctx.db),
  ])
  for (let step = run.step; step < run.steps && !signal.aborted; step += 1) {
    const chosen = chosenDocuments(documents, choiceAt(earlier, run, step))
    const report = await importDocuments(
      acting,
      { documents: chosen, faults },
      { after: (tx) => noteStarterStep(tx, ctx.now(), run, step) },
    )
    if (report.faults.length > 0) {
      await failStarter(
        ctx,
        run.id,
        report.faults.slice(0, FAULTS_TOLD).map(formatFault).join('\n'),
      )
      return
    }
  }
}
