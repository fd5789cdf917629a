import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { hashPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import { findRole } from '../read/role.ts'
import {
  operatorPasswordProblem,
  requireAsMighty,
  requirePermission,
  type OperatorRole,
} from '../rules.ts'
import type { OperatorCtx } from './acting.ts'
import { endOperatorSessions } from './session.ts'
import { endTokens } from './token.ts'

/** Throws 'not_found', 'forbidden' for who would give or take more than they have, and 'last_owner' where nobody would be left who is an owner. */
export async function changeRole(ctx: OperatorCtx, name: string, role: string): Promise<void> {
  await transaction(ctx, (tx) => changeRoleIn(tx, ctx, name, role))
}

export async function changeRoleIn(
  tx: Tx,
  ctx: OperatorCtx,
  name: string,
  role: string,
): Promise<void> {
  requirePermission(ctx, 'staff.manage')
  const before = await lockOperator(tx, name)
  if (before.role === role) return
  for (const code of [before.role, role]) {
    const powers = await findRole(tx, code)
    if (!powers) throw new AppError('not_found')
    requireAsMighty(ctx, powers)
  }
  await requireOtherOwner(tx, before)
  const now = ctx.now()
  await tx
    .updateTable('operator')
    .set({ role, updated_at: now })
    .where('id', '=', before.id)
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'update',
      subject: 'operator',
      subjectCode: name,
      before: { role: before.role },
      after: { role },
    },
  ])
}

/** A disabled operator can prove nothing more, by password or token, and every session of theirs ends. Throws as `changeRole` does. */
export async function setOperatorStatus(
  ctx: OperatorCtx,
  name: string,
  status: 'active' | 'disabled',
): Promise<void> {
  await transaction(ctx, (tx) => setStatusIn(tx, ctx, name, status))
}

/** @returns false where it was so before */
export async function setStatusIn(
  tx: Tx,
  ctx: OperatorCtx,
  name: string,
  status: 'active' | 'disabled',
): Promise<boolean> {
  requirePermission(ctx, 'staff.manage')
  const before = await lockOperator(tx, name)
  if (before.status === status) return false
  const powers = await findRole(tx, before.role)
  if (powers) requireAsMighty(ctx, powers)
  const now = ctx.now()
  if (status === 'disabled') await requireOtherOwner(tx, before)
  await tx
    .updateTable('operator')
    .set({ status, disabled_at: status === 'disabled' ? now : null, updated_at: now })
    .where('id', '=', before.id)
    .execute()
  // After it: a sign-in that holds the account until it is done has its session by now.
  if (status === 'disabled') {
    await endTokens(tx, now, before.id)
    await endOperatorSessions(tx, before.id)
    await tx.deleteFrom('operator_ticket').where('operator_id', '=', before.id).execute()
  }
  await recordAudit(tx, ctx, now, [
    {
      action: 'update',
      subject: 'operator',
      subjectCode: name,
      before: { status: before.status },
      after: { status },
    },
  ])
  return true
}

/** One's own password, or with 'staff.manage' somebody else's; ends their tokens and sessions. Throws 'not_found', and a refusal as above. */
export async function changeOperatorPassword(
  ctx: OperatorCtx,
  name: string,
  password: string,
  exceptSessionId?: string,
): Promise<void> {
  if (name !== ctx.operator.name) requirePermission(ctx, 'staff.manage')
  await replacePassword(ctx, name, password, { by: ctx, exceptSessionId })
}

/**
 * A way back for a shop whose owners have lost their passwords: by whoever may run commands on its machine, and plain to see in the
 * audit trail, as `shell`. The operator is an active owner afterwards.
 */
export async function recoverOwner(ctx: Ctx, name: string, password: string): Promise<void> {
  await replacePassword({ ...ctx, actor: 'shell' }, name, password, {
    raised: { role: 'owner', status: 'active' },
  })
}

async function replacePassword(
  ctx: Ctx,
  name: string,
  password: string,
  {
    by,
    raised = {},
    exceptSessionId,
  }: {
    /** Whose power it takes; absent for whoever may run commands on the machine. */
    readonly by?: OperatorCtx
    readonly raised?: { readonly role?: OperatorRole; readonly status?: 'active' }
    readonly exceptSessionId?: string | undefined
  },
): Promise<void> {
  const problem = operatorPasswordProblem(name, password)
  if (problem !== null) throw refusal(problem)
  const passwordHash = await hashPassword(password)
  await transaction(ctx, async (tx, now) => {
    const { id, role } = await lockOperator(tx, name)
    const powers = by && name !== by.operator.name ? await findRole(tx, role) : null
    if (by && powers) requireAsMighty(by, powers)
    await tx
      .updateTable('operator')
      .set({
        password_hash: passwordHash,
        password_set_at: now,
        password_set_by: ctx.actor,
        updated_at: now,
        ...raised,
        ...(raised.status === undefined ? {} : { disabled_at: null }),
      })
      .where('id', '=', id)
      .execute()
    await endTokens(tx, now, id)
    await endOperatorSessions(tx, id, exceptSessionId)
    await recordAudit(tx, ctx, now, [
      {
        action: 'password_changed',
        subject: 'operator',
        subjectCode: name,
        before: null,
        after: { ...raised },
      },
    ])
  })
}

/** One change of who is what at a time: two owners who take each other's role at once must not both succeed. */
async function lockOperator(tx: Tx, name: string) {
  await sql`lock table operator in share row exclusive mode`.execute(tx)
  const row = await tx
    .selectFrom('operator')
    .select(['id', 'role', 'status'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** What the database refuses is told before. */
async function requireOtherOwner(
  tx: Tx,
  { id, role, status }: Awaited<ReturnType<typeof lockOperator>>,
): Promise<void> {
  if (role !== 'owner' || status !== 'active') return
  const other = await tx
    .selectFrom('operator')
    .select('id')
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw new AppError('last_owner')
}
