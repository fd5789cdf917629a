import { createHash } from 'node:crypto'
import { recordAudit } from '#features/base/audit/commands.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { AppError } from '#kernel/error.ts'
import { securityEvent } from '#platform/security-log.ts'
import { operatorOf, POWER_COLUMNS } from '../read/role.ts'
import { findOperator } from '../read/session.ts'
import { TOKEN_ID } from '../read/token.ts'
import {
  byNetwork,
  mayDo,
  requirePermission,
  TOKEN_PREFIX,
  within,
  type Operator,
  type Permission,
} from '../rules.ts'
import { noteRefusedProof, type OperatorCtx } from './acting.ts'

const TOKEN_BYTES = 32
const LABEL_MAX = 100
const DAY_MS = 86_400_000

/**
 * Who a token stands for; null for one that is unknown, ended or past its day, or whose operator is disabled.
 * @param isNoted false over the network, where anybody may try as often as they like: the log tells of it, the trail is not theirs to fill
 */
export async function proveByToken(
  ctx: Ctx,
  token: string,
  isNoted = true,
): Promise<Operator | null> {
  const now = ctx.now()
  const row = await ctx.db
    .selectFrom('operator_token as t')
    .innerJoin('operator as o', 'o.id', 't.operator_id')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select([
      'o.id',
      'o.name',
      'o.role',
      't.id as token_id',
      't.permissions as scopes',
      TOKEN_ID.as('token'),
      ...POWER_COLUMNS,
    ])
    .where('t.digest', '=', digestOf(token))
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where('o.status', '=', 'active')
    .executeTakeFirst()
  if (!row) {
    if (isNoted) await noteRefusedProof(ctx, 'unknown', 'token')
    else securityEvent(ctx.log, 'operator.refused', { operator: 'unknown', how: 'token' })
    return null
  }
  await ctx.db
    .updateTable('operator_token')
    .set({ last_used_at: now })
    .where('id', '=', row.token_id)
    .execute()
  const operator = { ...within(operatorOf(row), row.scopes), token: row.token }
  return isNoted ? operator : byNetwork(operator)
}

/**
 * Who a token stands for that has asked over the network for work that is done later, with what it may do by now; null once it has ended, or its
 * operator is disabled.
 * @param token as it is called where it is listed
 */
export async function findByToken(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  operatorId: string,
  token: string,
): Promise<Operator | null> {
  const operator = await findOperator(db, operatorId)
  const row = await db
    .selectFrom('operator_token as t')
    .select('t.permissions as scopes')
    .where('t.operator_id', '=', operatorId)
    .where(TOKEN_ID, '=', token)
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', now())
    .executeTakeFirst()
  return operator && row ? byNetwork({ ...within(operator, row.scopes), token }) : null
}

/**
 * A token that proves who made it, for a while; it is told this once. With `permissions` it may do those alone. Throws 'forbidden' for one
 * that its maker lacks.
 */
export async function createToken(
  ctx: OperatorCtx,
  {
    label,
    days,
    permissions = null,
  }: {
    readonly label: string
    readonly days: number
    readonly permissions?: readonly Permission[] | null
  },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  for (const permission of permissions ?? []) requirePermission(ctx, permission)
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
        permissions: permissions && [...permissions],
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
        after: {
          label,
          expires_at: expiresAt.toISOString(),
          ...(permissions ? { permissions } : {}),
        },
      },
    ])
    return { token, expiresAt }
  })
}

/** Ends a token: one's own, or with 'staff.manage' anybody's. Throws 'not_found', for what is somebody else's too. */
export async function revokeToken(ctx: OperatorCtx, id: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const ended = await tx
      .updateTable('operator_token as t')
      .from('operator as o')
      .set({ ended_at: now })
      .whereRef('o.id', '=', 't.operator_id')
      .where(TOKEN_ID, '=', id)
      .where('t.ended_at', 'is', null)
      .$if(!mayDo(ctx.operator, 'staff.manage'), (query) =>
        query.where('t.operator_id', '=', ctx.operator.id),
      )
      .returning(['t.label', 'o.name'])
      .executeTakeFirst()
    if (!ended) throw new AppError('not_found')
    await recordAudit(tx, ctx, now, [
      {
        action: 'token_ended',
        subject: 'operator',
        subjectCode: ended.name,
        before: { label: ended.label },
        after: null,
      },
    ])
  })
}

/** Random, so that a plain hash is enough: nobody can guess what it is of. */
const digestOf = (token: string) => createHash('sha256').update(token).digest()

export async function endTokens(tx: Tx, now: Date, operatorId: string): Promise<void> {
  await tx
    .updateTable('operator_token')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}
