import { recordAudit } from '#features/base/audit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { SEAL } from '../rules.ts'
import { endOperatorSessions } from './session.ts'

/**
 * Turns authenticator apps of operators off whose seeds the program's key does not open, after the key they were sealed with was lost for
 * good; with their recovery codes, which went by it, and their sessions. Their next sign-in makes another factor. @returns how many those were
 */
export async function removeUnreadableApps(ctx: Ctx): Promise<number> {
  const apps = await ctx.db
    .selectFrom('operator_totp as t')
    .innerJoin('operator as o', 'o.id', 't.operator_id')
    .select(['o.id', 'o.name', 't.sealed_seed'])
    .execute()
  const lost = apps.filter(({ sealed_seed }) => !opens(ctx.keys, sealed_seed))
  for (const { id, name, sealed_seed } of lost)
    await transaction(ctx, async (tx, now) => {
      const removed = await tx
        .deleteFrom('operator_totp')
        .where('operator_id', '=', id)
        .where('sealed_seed', '=', sealed_seed)
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) return
      await tx.deleteFrom('operator_recovery_code').where('operator_id', '=', id).execute()
      await endOperatorSessions(tx, id)
      await recordAudit(tx, ctx, now, [
        {
          action: 'factor_removed',
          subject: 'operator',
          subjectCode: name,
          before: { factor: 'totp' },
          after: null,
        },
      ])
    })
  return lost.length
}

function opens(keys: Ctx['keys'], sealed: Buffer): boolean {
  try {
    keys.open(SEAL, sealed)
    return true
  } catch {
    return false
  }
}
