import { giveShareBack, takeShare } from '#features/base/limit/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrder, type LockedOrder } from '#features/buying/order/queries.ts'
import { isRefundable } from '#features/buying/order/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { lockCase } from './queries.ts'
import { CASES_A_DAY, type CaseDestination, type CaseReason } from './rules.ts'
import { closeCase, released } from './write/close.ts'

export {
  acceptCase,
  acceptWaitingCase,
  closeReplaced,
  declineCase,
  lockOpen,
  previewAcceptance,
  type OpenedCase,
} from './write/decision.ts'
export { assignCase, setDueDate } from './write/desk.ts'

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
  const allowance = { name: 'case', per: 86_400, burst: CASES_A_DAY, key: accountId }
  const share = await takeShare(ctx, allowance)
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
  try {
    return await openTaken(ctx, accountId, asked)
  } catch (error) {
    // What was refused has opened nothing.
    if (isAppError(error)) await giveShareBack(ctx, allowance)
    throw error
  }
}

function openTaken(ctx: Ctx, accountId: string, asked: AskedCase): Promise<string> {
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
