import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { hasFactor } from '../read/factor.ts'
import { operatorOf, POWER_COLUMNS } from '../read/role.ts'
import type { OperatorCredentials } from '../read/session.ts'
import { startOperatorSession, type NewOperatorSession } from './session.ts'
import { issueTicket } from './ticket.ts'

export type AfterPassword =
  | { readonly step: 'signed_in'; readonly token: string }
  | { readonly step: 'factor' | 'enrol'; readonly ticket: string }

/** What follows a right password: the factor, making the first one, or, where none is asked for, a session. */
export function afterPassword(
  ctx: Ctx,
  { operator, passwordHash }: OperatorCredentials,
  wanted: Pick<NewOperatorSession, 'visitor' | 'replaces'> & {
    readonly isFactorRequired: boolean
  },
): Promise<AfterPassword> {
  return transaction(ctx, async (tx) => {
    await assertUnchanged(tx, operator.id, passwordHash)
    if (await hasFactor(tx, operator.id))
      return { step: 'factor', ticket: await ticketFor('factor') }
    if (wanted.isFactorRequired) return { step: 'enrol', ticket: await ticketFor('enrol') }
    const { visitor, replaces } = wanted
    const token = await startOperatorSession(tx, ctx, {
      operator,
      visitor,
      factor: 'none',
      replaces,
    })
    return { step: 'signed_in', token }

    function ticketFor(purpose: 'factor' | 'enrol') {
      return issueTicket(tx, ctx, {
        purpose,
        operatorId: operator.id,
        data: { password: passwordHash.slice(-16) },
      })
    }
  })
}

/** The password may have been changed, and the operator disabled, while this one was being compared. */
async function assertUnchanged(tx: Tx, operatorId: string, passwordHash: string): Promise<void> {
  const row = await tx
    .selectFrom('operator')
    .select('id')
    .where('id', '=', operatorId)
    .where('status', '=', 'active')
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  if (!row) throw new AppError('sign_in_failed')
}

/** What a ticket was given for must hold still: the operator is active, and the password the same. @returns whose it is */
export async function assertTicketHolds(
  tx: Tx,
  {
    operatorId,
    data,
  }: { readonly operatorId: string; readonly data: Readonly<Record<string, unknown>> },
) {
  const row = await tx
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', 'o.password_hash', ...POWER_COLUMNS])
    .where('o.id', '=', operatorId)
    .where('o.status', '=', 'active')
    .forShare('o')
    .executeTakeFirst()
  if (!row || row.password_hash.slice(-16) !== data['password'])
    throw new AppError('ticket_expired')
  return operatorOf(row)
}

/** Throws 'sign_in_failed' for an operator who was disabled meanwhile. */
export async function assertStillActive(tx: Tx, operatorId: string): Promise<void> {
  const row = await tx
    .selectFrom('operator')
    .select('id')
    .where('id', '=', operatorId)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst()
  if (!row) throw new AppError('sign_in_failed')
}
