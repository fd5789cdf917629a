import { sql } from 'kysely'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import {
  limitOf,
  requirePermission,
  totalLimitOf,
  type TotalLimit,
} from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'
import { refusal } from '#platform/refusal.ts'
import { securityEvent } from '#platform/security-log.ts'
import { actOf, findHand, readCounted, readCounts, readShopLimit } from './queries.ts'
import {
  APART_AFTER_HOURS,
  bondBetween,
  isAboveRole,
  MEASURES,
  needsSecondPerson,
  type Act,
  type ActKind,
  type Bond,
  type MoneyKind,
  type Counted,
} from './rules.ts'
import { noteGiven, noteWaiting, type AskedAct, type Turn, type Waits } from './write/act.ts'

export {
  inTurn,
  noteGiven,
  noteWaiting,
  type AskedAct,
  type Turn,
  type Waits,
} from './write/act.ts'
export { requireAsker } from './write/asker.ts'
export { askAboutPrices, askAboutService, askAboutShop, askAboutStaff } from './write/ask.ts'

/** What an act would be to the limits of who asks for it; all in minor units of the shop's currency. */
export interface Weighed {
  readonly currency: string
  readonly counted: Counted
  /** What the act itself counts; null where nobody can convert it. */
  readonly minor: bigint | null
  /** That the role may move to one, and to all a day's worth of it; null for no limit. */
  readonly roleLimit: bigint | null
  /** That the role may give by whatever means: within a day, and for one order; null for no limit. */
  readonly totals: Readonly<Record<TotalLimit, bigint | null>>
  /** Above which the shop wants a second person. */
  readonly shopLimit: bigint
  readonly needsAnother: boolean
}

/** What `askLeave` would say, with nothing written. What is said of money and order is weighed in the shop's currency, and with the rest of that order. */
export async function weighAct(
  tx: Tx,
  ctx: OperatorCtx,
  asked: Pick<Act, 'accountId' | 'subject' | 'usdMinor'> &
    Partial<Pick<Act, 'orderId' | 'money'>> & { readonly kind: MoneyKind },
): Promise<Weighed> {
  const { shopLimit: which, permission } = MEASURES[asked.kind]
  const { currency, minor } = await readCounts(tx, asked)
  const counted = await readCounted(tx, ctx.actor, asked, ctx.now())
  const shopLimit = await readShopLimit(tx, which)
  const { operator } = ctx
  return {
    currency,
    counted,
    minor,
    roleLimit: limitOf(operator, permission),
    totals: { day: totalLimitOf(operator, 'day'), order: totalLimitOf(operator, 'order') },
    shopLimit,
    needsAnother: needsSecondPerson(operator, { kind: asked.kind, minor }, counted, shopLimit),
  }
}

/**
 * Counts what an operator is about to do against their limits. Within them it is theirs to do now, in the same transaction; above
 * them it is written down and waits for another person. Asked for again it is the same one that waits.
 */
export async function askLeave(
  tx: Turn,
  ctx: OperatorCtx,
  asked: AskedAct & { readonly kind: MoneyKind },
): Promise<Waits> {
  const { needsAnother } = await weighAct(tx, ctx, asked)
  if (needsAnother) return noteWaiting(tx, ctx, asked)
  await noteGiven(tx, ctx, asked)
  return null
}

/** Whoever is shut out has nothing open any more. The caller undoes what was kept back for it. */
export async function endActs(
  tx: Tx,
  ctx: Pick<OperatorCtx, 'actor' | 'now'>,
  acts: readonly Pick<Act, 'id'>[],
): Promise<void> {
  if (acts.length === 0) return
  await tx
    .updateTable('operator_act')
    .set({ status: 'ended', decided_by: ctx.actor, decided_at: ctx.now() })
    .where(
      'id',
      'in',
      acts.map(({ id }) => id),
    )
    .where('status', '=', 'waiting')
    .execute()
}

/** What somebody asked for and what has been decided otherwise since waits for nobody any more; nothing is left to undo. */
export async function endActsAbout(
  tx: Tx,
  ctx: Pick<OperatorCtx, 'now'>,
  kind: ActKind,
  subject: string,
): Promise<void> {
  await tx
    .updateTable('operator_act')
    .set({ status: 'ended', decided_by: 'system', decided_at: ctx.now() })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'waiting')
    .execute()
}

export interface Decided {
  readonly act: Act
  /** False where the same operator had decided so before. */
  readonly isNew: boolean
}

/**
 * Another person says yes or no to what waits; the caller does what that means, in the same transaction, and writes the audit. Throws
 * 'not_found', 'order_closed' for what is decided or was not approved in time, 'forbidden' for who asked, or whose role may not do it
 * or not so much, and a refusal for who may be the same person as the one who asked. Whoever asked may take it back.
 */
export async function decideAct(
  tx: Turn,
  ctx: OperatorCtx,
  publicId: string,
  decision: 'approved' | 'refused',
  reason = '',
): Promise<Decided> {
  const now = ctx.now()
  // Orders come before acts, everywhere: whatever ends an act about an order holds that one.
  await sql`select from shop_order where id = (select order_id from operator_act where public_id = ${publicId}) for no key update`.execute(
    tx,
  )
  const row = await tx
    .selectFrom('operator_act')
    .selectAll()
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const act = actOf(row)
  if (act.status === decision && act.decidedBy === ctx.actor) return { act, isNew: false }
  if (act.status !== 'waiting' || (row.ends_at !== null && row.ends_at <= now))
    throw new AppError('order_closed')
  if (decision === 'approved') await requireAnother(tx, ctx, act, now)
  else if (act.askedBy !== ctx.actor) requirePermission(ctx, row.permission)
  await tx
    .updateTable('operator_act')
    .set({ status: decision, decided_by: ctx.actor, decided_at: now, reason })
    .where('id', '=', act.id)
    .execute()
  return { act: { ...act, status: decision, decidedBy: ctx.actor }, isNew: true }
}

async function requireAnother(tx: Turn, ctx: OperatorCtx, act: Act, now: Date): Promise<void> {
  const { permission } = MEASURES[act.kind]
  requirePermission(ctx, permission)
  if (act.askedBy === ctx.actor) throw new AppError('needs_another')
  const [asker, approver] = [await findHand(tx, act.askedBy), await findHand(tx, ctx.actor)]
  const bond = asker && approver && bondBetween(asker, approver, now)
  if (bond) {
    securityEvent(ctx.log, 'operator.approves_own', {
      operator: ctx.operator.name,
      how: bond,
    })
    // In a language for the console; whoever types commands reads what to do about it.
    throw new AppError('needs_another', {}, { cause: refusal(sentenceOf(bond, act, ctx)) })
  }
  const { minor } = await readCounts(tx, act)
  const counted = await readCounted(tx, ctx.actor, act, now)
  if (isAboveRole(ctx.operator, { kind: act.kind, minor }, counted))
    throw new AppError('forbidden', { limit: permission, role: ctx.operator.role })
  // Seen by whoever reads the log, as it may be one person with patience.
  if (
    asker &&
    approver &&
    (approver.createdBy === asker.actor || asker.createdBy === approver.actor)
  )
    securityEvent(ctx.log, 'operator.approved_by_made', {
      operator: ctx.operator.name,
      act: act.publicId,
    })
}

function sentenceOf(bond: Bond, act: Act, ctx: OperatorCtx): string {
  return bond === 'knows_password'
    ? `One of ${nameOf(act.askedBy)} and ${ctx.operator.name} chose the password of the other, so that both may be the same person: choose your own with operator password ${ctx.operator.name}.`
    : `One of ${nameOf(act.askedBy)} and ${ctx.operator.name} made the account of the other, or its password was changed, less than ${APART_AFTER_HOURS} hours ago, so that both may be the same person: somebody else approves it, or you later.`
}

const nameOf = (actor: string) => actor.slice('operator:'.length)

/** Part of erasing a person: what was given stays, without whom and what it named. */
export async function eraseApproval(
  tx: Tx,
  ctx: Pick<OperatorCtx, 'now'>,
  accountId: string,
): Promise<void> {
  await tx
    .updateTable('operator_act')
    .set({ status: 'ended', decided_by: 'system', decided_at: ctx.now() })
    .where('account_id', '=', accountId)
    .where('status', '=', 'waiting')
    .execute()
  await tx
    .updateTable('operator_act')
    .set({ subject: '', details: '{}', reason: '' })
    .where('account_id', '=', accountId)
    .execute()
}
