import {
  askAboutStaff,
  inTurn,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import {
  changeRoleIn,
  checkRole,
  limitsText,
  newRoleCode,
  removeRole,
  writeRole,
  type OperatorCtx,
  type WrittenRole,
} from '#features/team/operator/commands.ts'
import { findColleague, findRole, keyOfTotal } from '#features/team/operator/queries.ts'
import {
  isHeavy,
  LIMITED_PERMISSIONS,
  PERMISSIONS,
  requireAsMighty,
  requirePermission,
  TOTAL_LIMITS,
} from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'

/**
 * Gives somebody another role. Where either moves money, goods or the team, and somebody else could approve it, it waits for them. Throws
 * 'not_found', 'forbidden' for more than the asker may do, 'last_owner', and 'needs_another' for one's own role.
 * @returns the act that waits; null where it is done
 */
export async function grantRole(ctx: OperatorCtx, name: string, role: string): Promise<Waits> {
  requirePermission(ctx, 'staff.manage')
  return inTurn(ctx, async (tx, now) => {
    const [colleague, powers] = [await findColleague(tx, name), await findRole(tx, role)]
    if (!colleague || !powers) throw new AppError('not_found')
    if (colleague.role === role) return null
    requireAsMighty(ctx, colleague)
    requireAsMighty(ctx, powers)
    const isWeighty = isHeavy(colleague) || isHeavy(powers)
    if (!isWeighty || !(await hasAnotherApprover(tx, now, [ctx.operator.name]))) {
      await changeRoleIn(tx, ctx, name, role)
      return null
    }
    return askAboutStaff(tx, ctx, {
      kind: 'staff_role',
      subject: name,
      details: { from: colleague.role, role, version: powers.version },
    })
  })
}

/** What approving it does. Throws 'changed_meanwhile' where the role, or who has it, is no longer what was asked about. */
export async function grantWaitingRole(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAskersPower(tx, act)
  const { from, role, version } = act.details
  const colleague = await findColleague(tx, act.subject)
  const powers = typeof role === 'string' ? await findRole(tx, role) : null
  if (colleague?.role !== from || powers?.version !== version)
    throw new AppError('changed_meanwhile')
  await changeRoleIn(tx, ctx, act.subject, String(role))
}

/** Whoever asked must still be allowed to: a power that was taken away approves nothing afterwards. */
export async function requireAskersPower(
  tx: Tx,
  act: Pick<Act, 'askedBy' | 'kind'>,
): Promise<void> {
  await requireAsker(tx, act)
  const asker = await findColleague(tx, act.askedBy.slice('operator:'.length))
  // Roles are the owners' to write, on the day it is approved as well.
  if (act.kind === 'role_change' && asker?.role !== 'owner') throw new AppError('changed_meanwhile')
}

/** Makes or changes a role of the shop's own; it waits wherever somebody else could approve it. Throws as `checkRole` does. */
export function saveRole(
  ctx: OperatorCtx,
  written: WrittenRole,
): Promise<{ readonly code: string; readonly waits: Waits }> {
  return inTurn(ctx, async (tx, now) => {
    await checkRole(tx, ctx, written)
    const code = written.code ?? newRoleCode(ctx)
    if (!(await hasAnotherApprover(tx, now, [ctx.operator.name]))) {
      await writeRole(tx, ctx, { ...written, code })
      return { code, waits: null }
    }
    const { name, permissions, version, currency, priceLimit = null } = written
    const limits = limitsText(written)
    const waits = await askAboutStaff(tx, ctx, {
      kind: 'role_change',
      subject: written.code ?? `new ${name.toLowerCase()}`,
      details: {
        code,
        name,
        permissions: [...permissions],
        limits,
        priceLimit,
        currency,
        version,
      },
    })
    return { code, waits }
  })
}

/** What approving it does: exactly what was asked for, of the version that was asked about. */
export async function writeWaitingRole(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAskersPower(tx, act)
  // What a release before has asked for is in US cents.
  const { code, name, permissions, limits, version, priceLimit, currency = 'USD' } = act.details
  const listed = Array.isArray(permissions) ? permissions : []
  const given = new Map<string, unknown>(
    limits !== null && typeof limits === 'object' ? Object.entries(limits) : [],
  )
  const limitsOf = <Name extends string>(
    names: readonly Name[],
    keyOf = (name: Name) => `${name}`,
  ) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const limit = given.get(keyOf(name))
        return limit === undefined ? [] : [[name, limit === null ? null : BigInt(String(limit))]]
      }),
    )
  await writeRole(tx, ctx, {
    code: String(code),
    name: String(name),
    permissions: PERMISSIONS.filter((one) => listed.includes(one)),
    limits: limitsOf(LIMITED_PERMISSIONS),
    totals: limitsOf(TOTAL_LIMITS, keyOfTotal),
    ...(priceLimit === undefined
      ? {}
      : { priceLimit: priceLimit === null ? null : Number(priceLimit) }),
    currency: String(currency),
    version: Number(version),
  })
}

/** Takes away a role that nobody has. Throws as `removeRole` does. */
export async function deleteRole(
  ctx: OperatorCtx,
  role: { readonly code: string; readonly version: number },
): Promise<void> {
  await transaction(ctx, (tx) => removeRole(tx, ctx, role))
}
