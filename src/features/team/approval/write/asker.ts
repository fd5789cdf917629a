import { findColleague } from '#features/team/operator/queries.ts'
import { mayDo, type Permission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { MEASURES, type Act } from '../rules.ts'

/**
 * Whoever asked must still be there and allowed to: a power that was taken away approves nothing afterwards. Throws 'changed_meanwhile'.
 * @param needs what the act takes; by default what its kind does
 */
export async function requireAsker(
  tx: Tx,
  { askedBy, kind }: Pick<Act, 'askedBy' | 'kind'>,
  needs: readonly Permission[] = [MEASURES[kind].permission],
): Promise<void> {
  const asker = await findColleague(tx, askedBy.slice('operator:'.length))
  if (!asker?.isActive || !needs.every((one) => mayDo(asker, one)))
    throw new AppError('changed_meanwhile')
}
