import { takeShare } from '#features/base/limit/commands.ts'
import { recordAudit } from '#features/base/audit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrder, lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { isRefundable } from '#features/buying/order/rules.ts'
import { askForRefund, isAboveOwnLimit } from '#features/buying/refund/commands.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { countOpenCases, findCase, listRefundable, lockCase } from './queries.ts'
import { CASES_A_DAY, type CaseDestination, type CaseReason, type ServiceCase } from './rules.ts'

export interface AskedCase {
  readonly kind: 'refund_request' | 'faulty_key'
  /** Public ids of the order and of its units; null for all units that can be given back. */
  readonly order: string
  readonly units: readonly string[] | null
  readonly reason: CaseReason
  readonly text: string
  /** Public id of a picture sent for it. */
  readonly picture: string | null
  readonly destination: CaseDestination
}

/**
 * Opens a case about a paid order; until it is decided, nothing more of the order is delivered. Throws 'not_found' for an order
 * or unit that is not theirs, 'order_closed' where nothing is left to be given back, 'case_open' while one about it is open,
 * 'too_many_requests' after too many of a day.
 * @returns its public id
 */
export async function openCase(ctx: Ctx, accountId: string, asked: AskedCase): Promise<string> {
  const share = await takeShare(ctx, {
    name: 'case',
    per: 86_400,
    burst: CASES_A_DAY,
    key: accountId,
  })
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
  return transaction(ctx, async (tx, now) => {
    const order = await lockOrder(tx, accountId, asked.order)
    if (order.settledAt === null || order.status === 'refunded') throw new AppError('order_closed')
    const units = await askedUnits(tx, order, asked)
    await refuseSecond(tx, order, asked, units)
    const picture = asked.picture === null ? null : await ownPicture(tx, accountId, asked.picture)
    const id = ctx.newId()
    const publicId = newPublicId(ctx)
    await tx
      .insertInto('service_case')
      .values({
        id,
        public_id: publicId,
        kind: asked.kind,
        order_id: order.id,
        account_id: accountId,
        reason: asked.reason,
        text: asked.text,
        picture,
        destination: asked.destination,
        created_at: now,
      })
      .execute()
    await tx
      .insertInto('service_case_unit')
      .values(units.map((unit) => ({ case_id: id, unit_id: unit })))
      .execute()
    await changeOrder(tx, ctx, order, order.hold === null ? { hold: 'refund_requested' } : {}, {
      reason: 'refund_requested',
    })
    return publicId
  })
}

async function askedUnits(
  tx: Tx,
  order: LockedOrder,
  { units: wanted }: AskedCase,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('order_unit')
    .select(['id', 'public_id', 'status', 'delivery'])
    .where('order_id', '=', order.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const refundable = rows.filter(isRefundable)
  if (wanted === null) {
    if (refundable.length === 0) throw new AppError('order_closed')
    return refundable.map(({ id }) => id)
  }
  const ids = new Set(wanted)
  if (ids.size === 0) throw fieldError('units', 'required')
  if ([...ids].some((id) => !rows.some((row) => row.public_id === id)))
    throw new AppError('not_found')
  const chosen = refundable.filter((row) => ids.has(row.public_id))
  if (chosen.length !== ids.size) throw new AppError('order_closed')
  return chosen.map(({ id }) => id)
}

/** One request an order and one question a unit at a time; the order is locked, so that nobody asks in between. */
async function refuseSecond(
  tx: Tx,
  order: LockedOrder,
  { kind }: AskedCase,
  units: readonly string[],
): Promise<void> {
  const same =
    kind === 'faulty_key'
      ? undefined
      : await tx
          .selectFrom('service_case')
          .select('id')
          .where('order_id', '=', order.id)
          .where('kind', '=', kind)
          .where('status', '=', 'open')
          .executeTakeFirst()
  const asked = await tx
    .selectFrom('service_case_unit')
    .select('unit_id')
    .where('unit_id', 'in', [...units])
    .where('is_open', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (same || asked) throw new AppError('case_open')
}

async function ownPicture(tx: Tx, accountId: string, publicId: string): Promise<string> {
  const row = await tx
    .selectFrom('uploaded_picture')
    .select('id')
    .where('public_id', '=', publicId)
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'ticket')
    .executeTakeFirst()
  if (!row) throw fieldError('picture', 'not_allowed')
  return row.id
}

/** Takes the open request about an order back. Throws 'not_found' for what is not theirs, 'order_closed' without one. */
export async function withdrawCase(
  ctx: Ctx,
  accountId: string,
  orderPublicId: string,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const order = await lockOrder(tx, accountId, orderPublicId)
    const row = await tx
      .selectFrom('service_case')
      .select('id')
      .where('order_id', '=', order.id)
      .where('kind', '=', 'refund_request')
      .where('status', '=', 'open')
      .executeTakeFirst()
    if (!row) throw new AppError('order_closed')
    await closeCase(tx, ctx, await lockCase(tx, row.id), 'withdrawn', '')
    await changeOrder(tx, ctx, order, await released(tx, order), { reason: 'request_withdrawn' })
  })
}

/**
 * Agrees to a case: its units are given back as its buyer wished, with the buyer as who asked and the operator as who approved.
 * Throws 'not_found' for an unknown case, 'order_closed' for one that is decided, or whose units cannot be given back any more or whose payment is disputed,
 * 'forbidden' for a dispute, which the payment provider decides, or more than the operator's role may give back. @returns what goes back, in minor units of the order's currency
 */
export async function acceptCase(
  ctx: OperatorCtx,
  publicId: string,
  note: string,
): Promise<bigint> {
  requirePermission(ctx, 'case.decide')
  const currencies = await listCurrencies(ctx.db)
  return decideCase(ctx, publicId, 'accepted', async (tx, found, order) => {
    // The payer might have it back twice: by the shop and by the bank.
    if (order.hold === 'disputed') throw new AppError('order_closed')
    // The payer has it back already, by the bank: nothing more is given, and nothing is said that would promise it.
    if (order.status === 'refunded') {
      await closeCase(tx, ctx, found, 'accepted', note)
      await changeOrder(tx, ctx, order, await released(tx, order), {
        reason: 'case_decided',
        details: { decision: 'refund' },
      })
      return 0n
    }
    const unitIds = await listRefundable(tx, found.id)
    if (unitIds.length === 0) throw new AppError('order_closed')
    await closeCase(tx, ctx, found, 'accepted', note)
    const { amountMinor } = await askForRefund(tx, ctx, {
      orderId: found.orderId,
      unitIds,
      destination: found.destination,
      reason: found.reason,
      requestedBy: `account:${found.accountId}`,
      approvedBy: ctx.actor,
    })
    if (isAboveOwnLimit(ctx, { minor: amountMinor, currency: order.currency }, currencies))
      throw new AppError('forbidden', { limit: 'order.refund', role: ctx.operator.role })
    const asked = await lockOrderById(tx, found.orderId)
    // Another question about the same order stays one.
    const isOtherOpen = asked.hold === null && (await countOpenCases(tx, asked.id)) > 0
    await changeOrder(tx, ctx, asked, isOtherOpen ? { hold: 'refund_requested' } : {}, {
      reason: 'case_decided',
      details: { decision: 'refund' },
      isToTell: true,
    })
    return amountMinor
  })
}

/** Says no to a case; the order goes on where it was. Throws as `acceptCase` does. */
export async function declineCase(ctx: OperatorCtx, publicId: string, note: string): Promise<void> {
  requirePermission(ctx, 'case.decide')
  await decideCase(ctx, publicId, 'declined', async (tx, found, order) => {
    await closeCase(tx, ctx, found, 'declined', note)
    await changeOrder(tx, ctx, order, await released(tx, order), {
      reason: 'case_decided',
      details: { decision: 'reject' },
      isToTell: true,
    })
  })
}

async function decideCase<T>(
  ctx: OperatorCtx,
  publicId: string,
  decision: 'accepted' | 'declined',
  decide: (tx: Tx, found: ServiceCase, order: LockedOrder) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async (tx, now) => {
    const known = await findCase(tx, publicId)
    if (!known) throw new AppError('not_found')
    const order = await lockOrderById(tx, known.orderId)
    const found = await lockCase(tx, known.id)
    if (found.kind === 'dispute') throw new AppError('forbidden')
    if (found.status !== 'open') throw new AppError('order_closed')
    const decided = await decide(tx, found, order)
    await recordAudit(tx, ctx, now, [
      {
        action: 'case_decided',
        subject: 'service_case',
        subjectCode: publicId,
        before: { status: found.status },
        after: { status: decision, order: order.number },
      },
    ])
    return decided
  })
}

async function closeCase(
  tx: Tx,
  ctx: Ctx,
  found: ServiceCase,
  status: 'accepted' | 'declined' | 'withdrawn',
  note: string,
): Promise<void> {
  await tx
    .updateTable('service_case')
    .set({ status, note, decided_by: ctx.actor, decided_at: ctx.now() })
    .where('id', '=', found.id)
    .execute()
  await tx
    .updateTable('service_case_unit')
    .set({ is_open: false })
    .where('case_id', '=', found.id)
    .execute()
}

/** The hold goes with the last open case. */
async function released(tx: Tx, order: LockedOrder): Promise<{ hold?: null }> {
  return order.hold === 'refund_requested' && (await countOpenCases(tx, order.id)) === 0
    ? { hold: null }
    : {}
}

/** Notes that the payer's bank disputes an order's payment, in the transaction that holds the order for it. */
export async function openDispute(
  tx: Tx,
  ctx: Ctx,
  order: Pick<LockedOrder, 'id' | 'accountId'>,
): Promise<void> {
  const open = await tx
    .selectFrom('service_case')
    .select('id')
    .where('order_id', '=', order.id)
    .where('kind', '=', 'dispute')
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (open) return
  await tx
    .insertInto('service_case')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      kind: 'dispute',
      order_id: order.id,
      account_id: order.accountId,
      reason: 'disputed',
      created_at: ctx.now(),
    })
    .execute()
}

/** The provider says that the dispute is over. */
export async function closeDispute(tx: Tx, ctx: Ctx, orderId: string): Promise<void> {
  const row = await tx
    .selectFrom('service_case')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'dispute')
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (row)
    await closeCase(
      tx,
      ctx,
      present(await lockCase(tx, row.id), 'an open dispute'),
      'withdrawn',
      '',
    )
}

/** Part of erasing a person: what they wrote goes, what was decided stays with the order. */
export async function eraseCase(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('service_case')
    .set({ text: '', note: '', picture: null })
    .where('account_id', '=', accountId)
    .execute()
}
