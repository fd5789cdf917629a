import { recordAudit } from '#features/base/audit/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { verifyPassword } from '#platform/password-hash.ts'
import { securityEvent } from '#platform/security-log.ts'
import { operatorOf, POWER_COLUMNS } from './read/role.ts'
import type { Operator } from './rules.ts'
import { noteRefusedProof, type OperatorCtx } from './write/acting.ts'

export { actingAs, noteRefusedProof, type OperatorCtx } from './write/acting.ts'
export { stillActing } from './write/still.ts'
export { changeProfile } from './write/profile.ts'
export { createToken, findByToken, proveByToken, revokeToken } from './write/token.ts'
export { removeUnreadableApps } from './write/unreadable.ts'
export {
  endListedSession,
  endOtherSessions,
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
export {
  createFirstOwner,
  createFirstOwnerIn,
  createInvited,
  createOperator,
  operatorHash,
} from './write/creation.ts'
export {
  changeOperatorPassword,
  changeRole,
  changeRoleIn,
  recoverOwner,
  setOperatorStatus,
  setStatusIn,
} from './write/standing.ts'
export {
  checkRole,
  newRoleCode,
  removeRole,
  limitsText,
  writeRole,
  type WrittenRole,
} from './write/role.ts'
export { askForReset, doReset, endReset, lockReset, noteLost } from './write/reset.ts'
export {
  approveInvitation,
  closeInvitation,
  keepInvitation,
  lockInvitation,
  renewInvitation,
  takeInvitation,
  withdrawInvitationsBy,
  type NewInvitation,
} from './write/invitation.ts'

/** Who has this name and password; null for nobody, or somebody disabled. Tries that fail are written down. */
export async function proveByPassword(
  ctx: Ctx,
  name: string,
  password: string,
): Promise<Operator | null> {
  const row = await ctx.db
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', 'o.status', 'o.password_hash', ...POWER_COLUMNS])
    .where('o.name', '=', name)
    .executeTakeFirst()
  const matches = await verifyPassword(row?.password_hash ?? null, password)
  if (row && matches && row.status === 'active') return operatorOf(row)
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
