import { createHash } from 'node:crypto'
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
  TOKEN_PREFIX,
  type Operator,
  type OperatorRole,
} from './rules.ts'

/** A context in which an operator acts; made only of somebody who has proved who they are. */
export interface OperatorCtx extends Ctx {
  readonly operator: Operator
}

/** The same context with an operator as who acts. */
export function actingAs(ctx: Ctx, operator: Operator): OperatorCtx {
  return { ...ctx, actor: `operator:${operator.name}`, operator }
}

const TOKEN_BYTES = 32
const LABEL_MAX = 100
const DAY_MS = 86_400_000

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

/** Who a token stands for; null for one that is unknown, ended or past its day, or whose operator is disabled. */
export async function proveByToken(ctx: Ctx, token: string): Promise<Operator | null> {
  const now = ctx.now()
  const row = await ctx.db
    .selectFrom('operator_token as t')
    .innerJoin('operator as o', 'o.id', 't.operator_id')
    .select(['o.id', 'o.name', 'o.role', 't.id as token_id'])
    .where('t.digest', '=', digestOf(token))
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where('o.status', '=', 'active')
    .executeTakeFirst()
  if (!row) {
    await noteRefusedProof(ctx, 'unknown', 'token')
    return null
  }
  await ctx.db
    .updateTable('operator_token')
    .set({ last_used_at: now })
    .where('id', '=', row.token_id)
    .execute()
  return { id: row.id, name: row.name, role: row.role }
}

async function noteRefusedProof(ctx: Ctx, name: string, by: 'password' | 'token'): Promise<void> {
  securityEvent(ctx.log, 'operator.refused', { operator: name, how: by })
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'proof_refused',
        subject: 'operator',
        subjectCode: name,
        before: null,
        after: { by },
      },
    ]),
  )
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

/** Throws 'not_found', and 'last_way_in' where nobody would be left who is an owner. */
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

/** A disabled operator can prove nothing more, by password or token. Throws as `changeRole` does. */
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
    if (status === 'disabled') await endTokens(tx, now, before.id)
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

/** One's own password, or with 'staff.manage' somebody else's; ends their tokens. Throws 'not_found', and a refusal as above. */
export async function changeOperatorPassword(
  ctx: OperatorCtx,
  name: string,
  password: string,
): Promise<void> {
  if (name !== ctx.operator.name) requirePermission(ctx, 'staff.manage')
  await replacePassword(ctx, name, password)
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

/** A token that proves who made it, for a while; it is told this once. */
export async function createToken(
  ctx: OperatorCtx,
  { label, days }: { readonly label: string; readonly days: number },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = `${TOKEN_PREFIX}${Buffer.from(ctx.random(TOKEN_BYTES)).toString('base64url')}`
  return transaction(ctx, async (tx, now) => {
    const expiresAt = new Date(now.getTime() + days * DAY_MS)
    await tx
      .insertInto('operator_token')
      .values({
        id: ctx.newId(),
        operator_id: ctx.operator.id,
        digest: digestOf(token),
        label: label.slice(-LABEL_MAX),
        created_at: now,
        expires_at: expiresAt,
      })
      .execute()
    await recordAudit(tx, ctx, now, [
      {
        action: 'token_made',
        subject: 'operator',
        subjectCode: ctx.operator.name,
        before: null,
        after: { label, expires_at: expiresAt.toISOString() },
      },
    ])
    return { token, expiresAt }
  })
}

/** Random, so that a plain hash is enough: nobody can guess what it is of. */
const digestOf = (token: string) => createHash('sha256').update(token).digest()

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

async function endTokens(tx: Tx, now: Date, operatorId: string): Promise<void> {
  await tx
    .updateTable('operator_token')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

async function requireOwner(tx: Tx): Promise<void> {
  const owner = await tx
    .selectFrom('operator')
    .select('id')
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (!owner) throw new AppError('last_way_in')
}
