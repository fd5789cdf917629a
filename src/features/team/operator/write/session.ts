import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { requirePermission } from '../rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { deviceOf } from '#platform/http/device-name.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { newPublicId, newSecret, sha256 } from '#platform/secrets.ts'
import { securityEvent } from '#platform/security-log.ts'
import {
  INVITATION_KEPT_MS,
  OPERATOR_SESSIONS_MAX,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
  type Operator,
  type ProofKind,
  type ShownFactor,
} from '../rules.ts'
import { actingAs, type OperatorCtx } from './acting.ts'

export interface NewOperatorSession {
  readonly operator: Operator
  readonly visitor: Visitor
  readonly factor: ShownFactor
  /** Cookie the browser came with: its session ends, whoever's it was, so that nobody can plant one. */
  readonly replaces: string | null
}

/** Starts a session under a token never used before, of which only the hash is kept. @returns the token */
export async function startOperatorSession(
  tx: Tx,
  ctx: Ctx,
  { operator, visitor, factor, replaces }: NewOperatorSession,
): Promise<string> {
  const now = ctx.now()
  const token = newSecret(ctx)
  const device = deviceOf(visitor.userAgent)
  if (replaces !== null)
    await tx.deleteFrom('operator_session').where('token_hash', '=', sha256(replaces)).execute()
  await tx
    .insertInto('operator_session')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      operator_id: operator.id,
      token_hash: sha256(token),
      ...device,
      network: visitor.network,
      factor,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_LONGEST_MS),
    })
    .execute()
  await sql`delete from operator_session where id in (
    select id from operator_session where operator_id = ${operator.id} order by seen_at desc, id desc offset ${OPERATOR_SESSIONS_MAX}::integer)`.execute(
    tx,
  )
  await recordAudit(tx, actingAs(ctx, operator), now, [
    {
      action: 'sign_in',
      subject: 'operator',
      subjectCode: operator.name,
      before: null,
      after: { ...device, network: visitor.network, factor },
    },
  ])
  securityEvent(ctx.log, 'sign_in.done', { operator: operator.name, how: factor })
  return token
}

/** Notes that whoever sits there has proved to be the operator, for one kind; the session goes on under a new token. @returns it */
export async function noteFreshProof(
  tx: Tx,
  ctx: Ctx,
  sessionId: string,
  kind: ProofKind,
): Promise<string> {
  const token = newSecret(ctx)
  const kept = await tx
    .updateTable('operator_session')
    .set({ token_hash: sha256(token) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (kept.numUpdatedRows !== 1n) throw new AppError('unauthorised')
  await sql`insert into operator_proof (session_id, kind, proved_at) values (${sessionId}, ${kind}, ${ctx.now()})
    on conflict (session_id, kind) do update set proved_at = excluded.proved_at`.execute(tx)
  return token
}

export async function endOperatorSession(ctx: OperatorCtx, sessionId: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const ended = await tx
      .deleteFrom('operator_session')
      .where('id', '=', sessionId)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) return
    await noteEnded(tx, ctx, now, ctx.operator.name)
  })
}

/** Ends a session by its public id: one's own, or with 'staff.manage' somebody else's. Throws 'not_found'. */
export async function endListedSession(ctx: OperatorCtx, publicId: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const row = await tx
      .selectFrom('operator_session as s')
      .innerJoin('operator as o', 'o.id', 's.operator_id')
      .select(['s.id', 'o.name'])
      .where('s.public_id', '=', publicId)
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    if (row.name !== ctx.operator.name) requirePermission(ctx, 'staff.manage')
    await tx.deleteFrom('operator_session').where('id', '=', row.id).execute()
    await noteEnded(tx, ctx, now, row.name)
  })
}

/** Ends every session of one's own but this one. @returns how many */
export function endOtherSessions(ctx: OperatorCtx, sessionId: string): Promise<number> {
  return transaction(ctx, async (tx, now) => {
    const ended = await tx
      .deleteFrom('operator_session')
      .where('operator_id', '=', ctx.operator.id)
      .where('id', '!=', sessionId)
      .executeTakeFirst()
    if (ended.numDeletedRows > 0n) await noteEnded(tx, ctx, now, ctx.operator.name)
    return Number(ended.numDeletedRows)
  })
}

function noteEnded(tx: Tx, ctx: Ctx, now: Date, name: string): Promise<void> {
  return recordAudit(tx, ctx, now, [
    { action: 'sign_out', subject: 'operator', subjectCode: name, before: null, after: null },
  ])
}

/** Ends every session of an operator, or every one but the given. */
export async function endOperatorSessions(
  tx: Tx,
  operatorId: string,
  exceptSessionId?: string,
): Promise<void> {
  await tx
    .deleteFrom('operator_session')
    .where('operator_id', '=', operatorId)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '!=', exceptSessionId ?? ''))
    .execute()
}

/** Sessions and tickets that nobody can use any more, and invitations that are long over. */
export async function forgetEndedOperatorSessions({
  db,
  now,
}: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const idleSince = new Date(now().getTime() - SESSION_IDLE_MS)
  await db
    .deleteFrom('operator_session')
    .where(({ or, eb }) => or([eb('expires_at', '<=', now()), eb('seen_at', '<=', idleSince)]))
    .execute()
  const overSince = new Date(now().getTime() - INVITATION_KEPT_MS)
  await db
    .deleteFrom('operator_invitation')
    .where(({ or, eb }) =>
      or([
        eb('accepted_at', '<=', overSince),
        eb('withdrawn_at', '<=', overSince),
        eb('expires_at', '<=', overSince),
      ]),
    )
    .execute()
  await db.deleteFrom('operator_ticket').where('expires_at', '<=', now()).execute()
}
