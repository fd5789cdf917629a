import { postMails, type NewMail } from '#features/people/mail/commands.ts'
import {
  askAboutStaff,
  endActs,
  inTurn,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { findWaiting, hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import {
  askForReset,
  assertTicketHolds,
  doReset,
  endReset,
  lockReset,
  noteLost,
  tryTicket,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { findColleague, listColleagues, listDueResets } from '#features/team/operator/queries.ts'
import { mayDo, requireAsMighty, requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { securityEvent } from '#platform/security-log.ts'
import { LOST_QUIET_MS, RESET_ALONE_MS, RESET_FROM_SHELL_MS } from '../rules.ts'
import { requireAskersPower } from './roles.ts'

/**
 * Somebody whose password was right says that every factor is lost: whoever manages the team is told, once a day at most. Nothing else
 * happens: somebody else asks for the reset. Throws 'ticket_expired'.
 */
export async function reportLostFactor(ctx: Ctx, ticket: string): Promise<void> {
  const held = await tryTicket(ctx, 'factor', ticket)
  await transaction(ctx, async (tx) => {
    const operator = await assertTicketHolds(tx, held)
    const own = { ...ctx, actor: `operator:${operator.name}` }
    if (!(await noteLost(tx, own, operator, LOST_QUIET_MS))) return
    securityEvent(ctx.log, 'operator.factor_lost', { operator: operator.name })
    await tell(tx, ctx, 'operator_factor_lost', operator.name, (one) => mayDo(one, 'staff.manage'))
  })
}

async function tell(
  tx: Tx,
  ctx: Ctx,
  kind: NewMail['kind'],
  name: string,
  isFor: (one: Awaited<ReturnType<typeof listColleagues>>[number]) => boolean,
  params: NewMail['params'] = {},
): Promise<void> {
  const people = (await listColleagues(tx)).filter(isFor)
  await postMails(
    tx,
    ctx,
    people.flatMap(({ email, language }) =>
      email === null ? [] : [mailTo(kind, email, language, { ...params, name })],
    ),
  )
}

const mailTo = (
  kind: NewMail['kind'],
  recipient: string,
  language: LanguageCode,
  params: NewMail['params'],
): NewMail => ({ kind, accountId: null, recipient, language, params: params ?? {} })

/**
 * Asks that somebody else's factors be taken away. A third person approves it; where there is none it is done after a day, of which
 * everybody is told. Throws 'needs_another' for one's own, 'not_found', 'forbidden' for somebody who may do more, and 'changed_meanwhile'
 * where it is asked for already. @returns the act that waits; null where it takes the day
 */
export async function askFactorReset(ctx: OperatorCtx, name: string): Promise<Waits> {
  requirePermission(ctx, 'staff.manage')
  if (name === ctx.operator.name) throw new AppError('needs_another')
  return inTurn(ctx, async (tx, now) => {
    const colleague = await findColleague(tx, name)
    if (!colleague?.isActive) throw new AppError('not_found')
    requireAsMighty(ctx, colleague)
    const hasThird = await hasAnotherApprover(tx, now, [ctx.operator.name, name])
    const dueAt = hasThird ? null : new Date(now.getTime() + RESET_ALONE_MS)
    const reset = await askForReset(tx, ctx, colleague, dueAt)
    if (dueAt) {
      await tell(tx, ctx, 'operator_reset_waits', name, () => true, { due: dueAt.toISOString() })
      return null
    }
    return askAboutStaff(tx, ctx, { kind: 'factor_reset', subject: name, details: { reset } })
  })
}

/** What a third person's approval does. Throws 'changed_meanwhile' where it was stopped or is another one by now, 'needs_another' for who it is about. */
export async function resetWaitingFactor(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  if (act.subject === ctx.operator.name) throw new AppError('needs_another')
  await requireAskersPower(tx, act)
  const colleague = await findColleague(tx, act.subject)
  if (!colleague?.isActive) throw new AppError('changed_meanwhile')
  requireAsMighty(ctx, colleague)
  const open = await lockReset(tx, colleague.id)
  if (open?.state !== 'asked' || open.publicId !== act.details['reset'])
    throw new AppError('changed_meanwhile')
  await carryOut(tx, ctx, colleague, open)
}

async function carryOut(
  tx: Tx,
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name: string },
  open: NonNullable<Awaited<ReturnType<typeof lockReset>>>,
): Promise<void> {
  await doReset(tx, ctx, open, { id, name })
  securityEvent(ctx.log, 'operator.factor_reset', { operator: name })
  await tell(tx, ctx, 'operator_reset_done', name, (one) => one.id === id)
}

/** What refusing it does. */
export async function stopWaitingReset(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await stopReset(tx, ctx, act.subject)
}

/** Any owner may stop what is under way, and whoever it is about, as they are signed in. Throws 'forbidden', and 'not_found' where nothing is. */
export async function stopFactorReset(ctx: OperatorCtx, name: string): Promise<void> {
  if (name !== ctx.operator.name) requirePermission(ctx, 'staff.manage')
  await transaction(ctx, async (tx, now) => {
    const waiting = await findWaiting(tx, 'factor_reset', name, now)
    if (waiting) await endActs(tx, ctx, [waiting])
    if (!(await stopReset(tx, ctx, name))) throw new AppError('not_found')
  })
}

/** @returns false where there was none */
export async function stopReset(tx: Tx, ctx: Ctx, name: string): Promise<boolean> {
  const colleague = await findColleague(tx, name)
  const open = colleague && (await lockReset(tx, colleague.id))
  if (!open) return false
  await endReset(tx, ctx, { id: open.id, name })
  return true
}

/** Every half minute: what nobody has stopped in its time. */
export async function doDueResets(ctx: Ctx): Promise<void> {
  for (const name of await listDueResets(ctx.db, ctx.now()))
    await transaction(ctx, async (tx, now) => {
      const colleague = await findColleague(tx, name)
      if (!colleague) return
      const open = await lockReset(tx, colleague.id)
      if (open?.state !== 'delayed' || open.dueAt === null || open.dueAt > now) return
      if (colleague.isActive) await carryOut(tx, ctx, colleague, open)
      else await endReset(tx, ctx, { id: open.id, name })
    })
}

/**
 * For a shop with nobody else who could ask: by whoever may run commands on its machine, an hour later, and everybody is told. Throws
 * 'not_found', 'conflict' where somebody else could ask, and 'changed_meanwhile' where it is under way. @returns when it is done
 */
export function resetFromShell(ctx: Ctx, name: string): Promise<Date> {
  const shell = { ...ctx, actor: 'shell' }
  return transaction(ctx, async (tx, now) => {
    const people = await listColleagues(tx)
    const own = people.find((one) => one.name === name)
    if (!own) throw new AppError('not_found')
    if (people.some((one) => one.name !== name && mayDo(one, 'staff.manage')))
      throw new AppError('conflict')
    const dueAt = new Date(now.getTime() + RESET_FROM_SHELL_MS)
    await askForReset(tx, shell, own, dueAt)
    await tell(tx, ctx, 'operator_reset_waits', name, () => true, { due: dueAt.toISOString() })
    return dueAt
  })
}
