import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { hashPassword, verifyPassword } from '#platform/password-hash.ts'
import { refusal } from '#platform/refusal.ts'
import { securityEvent } from '#platform/security-log.ts'
import {
  isOperatorName,
  operatorPasswordProblem,
  requirePermission,
  type Operator,
  type OperatorRole,
} from './rules.ts'
import { noteRefusedProof, type OperatorCtx } from './write/acting.ts'
import { endOperatorSessions } from './write/session.ts'
import { endTokens } from './write/token.ts'

export { actingAs, noteRefusedProof, type OperatorCtx } from './write/acting.ts'
export { stillActing } from './write/still.ts'
export { changeProfile } from './write/profile.ts'
export { createToken, proveByToken } from './write/token.ts'
export { removeUnreadableApps } from './write/unreadable.ts'
export {
  endListedSession,
  endOperatorSession,
  forgetEndedOperatorSessions,
  noteFreshProof,
  startOperatorSession,
} from './write/session.ts'
export {
  issueTicket,
  lookAtTicket,
  takeTicket,
  tryTicket,
  useUpTicket,
} from './write/ticket.ts'
export {
  confirmSeed,
  handleOfOperator,
  keepPasskey,
  keepSeed,
  noteOperatorPasskeyUse,
  removeOperatorFactor,
  renewOperatorCodes,
  takeOperatorCode,
  type FactorHolder,
} from './write/factor.ts'
export {
  afterPassword,
  assertStillActive,
  assertTicketHolds,
  type AfterPassword,
} from './write/sign-in.ts'

/** Who has this name and password; null for nobody, or somebody disabled. Tries that fail are written down. */
export async function proveByPassword(
  ctx: Ctx,
  name: string,
  password: string,
): Promise<Operator | null> {
  const row = await ctx.db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  const matches = await verifyPassword(row?.password_hash ?? null, password)
  if (row && matches && row.status === 'active')
    return { id: row.id, name: row.name, role: row.role }
  await noteRefusedProof(ctx, row ? name : 'unknown', 'password')
  return null
}

/** Somebody tried what their role does not allow. */
export async function noteLackingPermission(
  ctx: OperatorCtx,
  { permission, limit }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const after = permission ? { permission } : { limit }
  securityEvent(ctx.log, 'operator.lacks_permission', { operator: ctx.operator.name, ...after })
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'permission_refused',
        subject: 'operator',
        subjectCode: ctx.operator.name,
        before: null,
        after,
      },
    ]),
  )
}

export interface NewOperator {
  readonly name: string
  readonly role: OperatorRole
  readonly password: string
}

/**
 * The first operator of a shop, an owner, made by whoever may run commands on its machine. Throws 'conflict' once there is one:
 * from then on operators are made by operators.
 */
export async function createFirstOwner(
  ctx: Ctx,
  { name, password }: Omit<NewOperator, 'role'>,
): Promise<Operator> {
  const passwordHash = await checkedHash(name, password)
  return transaction(ctx, async (tx, now) => {
    await sql`lock table operator in share row exclusive mode`.execute(tx)
    if (await tx.selectFrom('operator').select('id').limit(1).executeTakeFirst())
      throw new AppError('conflict')
    return insertOperator(tx, { ...ctx, actor: 'shell' }, now, {
      name,
      role: 'owner',
      passwordHash,
    })
  })
}

/** Throws 'conflict' where the name is taken, by a disabled operator too, and a refusal for a name or password that will not do. */
export async function createOperator(
  ctx: OperatorCtx,
  { name, role, password }: NewOperator,
): Promise<Operator> {
  requirePermission(ctx, 'staff.manage')
  const passwordHash = await checkedHash(name, password)
  return transaction(ctx, (tx, now) => insertOperator(tx, ctx, now, { name, role, passwordHash }))
}

async function checkedHash(name: string, password: string): Promise<string> {
  if (!isOperatorName(name))
    throw refusal(
      'A name has 1 to 40 lower-case letters, digits, dots, hyphens and underscores; system and shell are taken.',
    )
  const problem = operatorPasswordProblem(name, password)
  if (problem !== null) throw refusal(problem)
  return hashPassword(password)
}

async function insertOperator(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  {
    name,
    role,
    passwordHash,
  }: { readonly name: string; readonly role: OperatorRole; readonly passwordHash: string },
): Promise<Operator> {
  const id = ctx.newId()
  const made = await tx
    .insertInto('operator')
    .values({
      id,
      name,
      role,
      password_hash: passwordHash,
      created_at: now,
      created_by: ctx.actor,
      password_set_at: now,
      password_set_by: ctx.actor,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) throw new AppError('conflict')
  await recordAudit(tx, ctx, now, [
    { action: 'create', subject: 'operator', subjectCode: name, before: null, after: { role } },
  ])
  return { id, name, role }
}

/** Throws 'not_found', and 'last_owner' where nobody would be left who is an owner. */
export async function changeRole(
  ctx: OperatorCtx,
  name: string,
  role: OperatorRole,
): Promise<void> {
  requirePermission(ctx, 'staff.manage')
  await transaction(ctx, async (tx, now) => {
    const before = await lockOperator(tx, name)
    if (before.role === role) return
    await tx
      .updateTable('operator')
      .set({ role, updated_at: now })
      .where('id', '=', before.id)
      .execute()
    await requireOwner(tx)
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'operator',
        subjectCode: name,
        before: { role: before.role },
        after: { role },
      },
    ])
  })
}

/** A disabled operator can prove nothing more, by password or token, and every session of theirs ends. Throws as `changeRole` does. */
export async function setOperatorStatus(
  ctx: OperatorCtx,
  name: string,
  status: 'active' | 'disabled',
): Promise<void> {
  requirePermission(ctx, 'staff.manage')
  await transaction(ctx, async (tx, now) => {
    const before = await lockOperator(tx, name)
    if (before.status === status) return
    await tx
      .updateTable('operator')
      .set({ status, updated_at: now })
      .where('id', '=', before.id)
      .execute()
    if (status === 'disabled') {
      await endTokens(tx, now, before.id)
      await endOperatorSessions(tx, before.id)
    }
    await requireOwner(tx)
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'operator',
        subjectCode: name,
        before: { status: before.status },
        after: { status },
      },
    ])
  })
}

/** One's own password, or with 'staff.manage' somebody else's; ends their tokens and sessions. Throws 'not_found', and a refusal as above. */
export async function changeOperatorPassword(
  ctx: OperatorCtx,
  name: string,
  password: string,
  exceptSessionId?: string,
): Promise<void> {
  if (name !== ctx.operator.name) requirePermission(ctx, 'staff.manage')
  await replacePassword(ctx, name, password, {}, exceptSessionId)
}

/**
 * A way back for a shop whose owners have lost their passwords: by whoever may run commands on its machine, and plain to see in the
 * audit trail, as `shell`. The operator is an active owner afterwards.
 */
export async function recoverOwner(ctx: Ctx, name: string, password: string): Promise<void> {
  await replacePassword({ ...ctx, actor: 'shell' }, name, password, {
    role: 'owner',
    status: 'active',
  })
}

async function replacePassword(
  ctx: Ctx,
  name: string,
  password: string,
  raised: { readonly role?: OperatorRole; readonly status?: 'active' } = {},
  exceptSessionId?: string,
): Promise<void> {
  const passwordHash = await checkedHash(name, password)
  await transaction(ctx, async (tx, now) => {
    const { id } = await lockOperator(tx, name)
    await tx
      .updateTable('operator')
      .set({
        password_hash: passwordHash,
        password_set_at: now,
        password_set_by: ctx.actor,
        updated_at: now,
        ...raised,
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

async function requireOwner(tx: Tx): Promise<void> {
  const owner = await tx
    .selectFrom('operator')
    .select('id')
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (!owner) throw new AppError('last_owner')
}
