import { forgetOldTries } from '#features/base/guard/commands.ts'
import { deleteOldKeys } from '#features/base/idempotency/commands.ts'
import { forgetWholeAllowances } from '#features/base/limit/commands.ts'
import { forgetEndedOperatorSessions } from '#features/team/operator/commands.ts'
import { forgetRunOut } from '#features/people/verification/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { forgetEndedSessions } from './commands.ts'

/** Writes repeated under an idempotency key are answered this long. */
const KEYS_KEPT_MS = 24 * 60 * 60_000

/** Job `clean_up`, once an hour: takes away what has run out. Everything it removes is worth nothing already. */
export async function cleanUp(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await forgetEndedSessions(ctx)
  await forgetEndedOperatorSessions(ctx)
  await forgetRunOut(ctx)
  await forgetOldTries(ctx)
  await forgetWholeAllowances(ctx)
  await deleteOldKeys(ctx.db, new Date(ctx.now().getTime() - KEYS_KEPT_MS))
}
