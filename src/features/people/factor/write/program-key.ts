import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { removeUnreadableApps, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { checkOfKey, findKeyProblem, listSeeds, opens } from '../queries.ts'
import { removeUnreadable } from './authenticator.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'
const SEEDS_A_PAGE = 500
/**
 * Looks whether the key is the one this shop was made with, before what was sealed with another fails one sign-in after the other. A shop
 * in which nothing goes by its key takes a new one for its own. Throws a refusal otherwise.
 */
export async function checkProgramKey(
  ctx: Pick<Ctx, 'db' | 'now'>,
  keys: Ctx['keys'] | null,
): Promise<void> {
  const problem = await findKeyProblem(ctx, keys)
  if (problem !== null) throw refusal(problem)
  if (keys !== null) await noteKey(ctx.db, ctx.now(), keys)
}

/**
 * Makes the key that is there the shop's own, after the old one was lost for good: authenticator apps whose seeds it does not open, of shoppers
 * and of operators, are turned off, and shoppers told. @returns how many those were
 */
export async function acceptProgramKey(ctx: OperatorCtx): Promise<number> {
  requirePermission(ctx, 'system.manage')
  let removed = await removeUnreadableApps(ctx)
  for (let last = FIRST; ; ) {
    const seeds = await listSeeds(ctx.db, last, SEEDS_A_PAGE)
    for (const { accountId, sealed } of seeds)
      if (!opens(ctx.keys, sealed)) {
        await removeUnreadable(ctx, accountId, sealed)
        removed += 1
      }
    const end = seeds.at(-1)
    if (!end) break
    last = end.accountId
  }
  await transaction(ctx, async (tx, now) => {
    await noteKey(tx, now, ctx.keys)
    await recordAudit(tx, ctx, now, [
      {
        action: 'accept',
        subject: 'program_key',
        subjectCode: 'SECRET_KEY',
        before: null,
        after: { second_factors_removed: removed },
      },
    ])
  })
  return removed
}

async function noteKey(db: Ctx['db'] | Tx, now: Date, keys: Ctx['keys']): Promise<void> {
  const own = checkOfKey(keys)
  await sql`insert into program_key as noted (check_value, noted_at) values (${own}, ${now})
    on conflict (is_only) do update set check_value = excluded.check_value, noted_at = excluded.noted_at
    where noted.check_value <> excluded.check_value`.execute(db)
}
