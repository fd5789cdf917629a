import { sql } from 'kysely'
import {
  actingAs,
  createFirstOwner,
  createOperator,
  startOperatorSession,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { findOperatorSession } from '#features/team/operator/queries.ts'
import type { Operator, OperatorRole } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { PHONE } from './people.ts'

export const OPERATOR_PASSWORD = 'correct horse battery'

/** A context in which an operator acts, for features that ask only who it is. */
export function asOperator(ctx: Ctx, name = 'ann', role: OperatorRole = 'owner'): OperatorCtx {
  return actingAs(ctx, { id: '00000000-0000-7000-8000-000000000000', name, role })
}

/** The shop's first owner. */
export async function firstOwner(ctx: Ctx, name = 'mara'): Promise<OperatorCtx> {
  return actingAs(ctx, await createFirstOwner(ctx, { name, password: OPERATOR_PASSWORD }))
}

let hires = 0

/** Somebody of the team for days, who chose their own password. */
export async function hire(
  owner: OperatorCtx,
  role: OperatorRole,
  name = `${role}${(hires += 1)}`,
): Promise<OperatorCtx> {
  const made = await createOperator(owner, { name, role, password: OPERATOR_PASSWORD })
  await sql`update operator set created_at = now() - interval '3 days', password_set_by = 'operator:' || name,
    password_set_at = now() - interval '3 days' where id = ${made.id}`.execute(owner.db)
  return actingAs(owner, made)
}

/** Signs an operator in. @param proofs kinds of proof that were given a moment ago @returns their cookie */
export async function operatorCookie(
  ctx: Ctx,
  operator: Operator,
  proofs: readonly string[] = [],
): Promise<string> {
  const token = await transaction(ctx, (tx) =>
    startOperatorSession(tx, ctx, { operator, visitor: PHONE, factor: 'passkey', replaces: null }),
  )
  const { session } = present(await findOperatorSession(ctx.db, ctx, token), 'session')
  for (const kind of proofs)
    await sql`insert into operator_proof (session_id, kind, proved_at) values (${session.id}, ${kind}, ${ctx.now()})`.execute(
      ctx.db,
    )
  return `operator=${token}`
}
