import { sql } from 'kysely'
import { refuseInTurn } from '#features/buying/gate/commands.ts'
import {
  completeInTurn,
  failInTurn,
  releaseHoldInTurn,
  retryShortOrder,
} from '#features/buying/fulfilment/commands.ts'
import type { FulfilmentFailure } from '#features/buying/fulfilment/rules.ts'
import { addNote } from '#features/buying/order/commands.ts'
import { getOrderByNumber } from '#features/buying/order/queries.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { sendAgain } from '#features/people/mail/commands.ts'
import type { MailKind } from '#features/people/mail/rules.ts'
import {
  allowCostIn,
  settleAsDecided,
  takeByHandIn,
  tryNowIn,
} from '#features/supply/purchase/commands.ts'
import { recordAudit } from '#features/base/audit/commands.ts'
import { askLeave } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { DeskAct, DeskAnswer } from '../rules.ts'
import { requireOwn } from './money.ts'
import { actOnce, doOnce, type Desk } from './once.ts'

/** Lets an order go on that was held for a closer look. Throws as `releaseHold` and `actOnce` do. */
export function releaseAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & { readonly note: string },
): Promise<DeskAnswer> {
  return actOnce(ctx, 'release', { ...asked }, async ({ tx, ctx: own, order }) => {
    if (asked.note !== '') await addNote(tx, own, order, asked.note)
    return { waits: await releaseHoldInTurn(tx, own, order.number) }
  })
}

/** Refuses a held order: what of it is not delivered goes back. Throws as `refuseByOperator` and `actOnce` do. */
export function refuseAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct & { readonly note: string },
): Promise<DeskAnswer> {
  return actOnce(ctx, 'refuse', { ...asked }, async ({ tx, ctx: own, order }) => ({
    waits: await refuseInTurn(tx, own, order.number, asked.note),
  }))
}

/** Notes something for colleagues; nothing of the order changes by it. */
export function noteAtDesk(
  ctx: OperatorCtx,
  { order: number, text, key }: Pick<DeskAct, 'order' | 'key'> & { readonly text: string },
): Promise<{ readonly note: string }> {
  return doOnce(ctx, 'note', { order: number, text, key }, async ({ tx, ctx: own }) => {
    const order = await tx
      .selectFrom('shop_order')
      .select(['id', 'number'])
      .where('number', '=', number)
      .executeTakeFirst()
    if (!order) throw new AppError('not_found')
    return { note: await addNote(tx, own, order, text) }
  })
}

/** Sends the newest mail of a kind about an order once more. Throws 'not_found' where there is none. */
export function sendMailAtDesk(
  ctx: OperatorCtx,
  { order: number, kind, key }: Pick<DeskAct, 'order' | 'key'> & { readonly kind: MailKind },
): Promise<DeskAnswer> {
  return doOnce(ctx, 'send_mail', { order: number, kind, key }, async ({ tx, ctx: own }) => {
    requirePermission(own, 'order.refund')
    const order = await tx
      .selectFrom('shop_order')
      .select(['account_id', 'public_id'])
      .where('number', '=', number)
      .executeTakeFirst()
    if (!order) throw new AppError('not_found')
    await sendAgain(tx, own, { accountId: order.account_id, order: order.public_id, kind })
    await recordAudit(tx, own, own.now(), [
      {
        action: 'mail_sent_again',
        subject: 'shop_order',
        subjectCode: number,
        before: null,
        after: { kind },
      },
    ])
    return { waits: null }
  })
}

/**
 * Has what of an order waits, for a supplier's turn or for stock, tried now. Throws 'order_closed' where nothing of it waits for that, and as `actOnce` does.
 */
export async function requeueAtDesk(
  ctx: OperatorCtx,
  asked: DeskAct,
): Promise<{ readonly units: number }> {
  const tried = await actOnce(ctx, 'requeue', { ...asked }, async ({ tx, ctx: own, order }) => {
    const units = await tryNowIn(tx, own, order)
    const isShort = order.hold === 'out_of_stock'
    if (units === 0 && !isShort) throw new AppError('order_closed')
    return { units, isShort }
  })
  // Safe to repeat: what is delivered by then waits no more.
  if (tried.isShort) {
    const { id } = await getOrderByNumber(ctx.db, asked.order)
    await retryShortOrder(ctx, id)
  }
  return { units: tried.units }
}

/** A unit that waits for a supplier is delivered by hand, or may cost what its caller was told that the supplier asks. Throws as `takeByHand` and `allowCost` do, and as `actOnce`. */
export function leadUnitAtDesk(
  ctx: OperatorCtx,
  {
    seenCost,
    ...asked
  }: DeskAct & {
    readonly unit: string
    readonly to: 'hand' | 'supplier'
    readonly seenCost: Money | null
  },
): Promise<DeskAnswer> {
  const said = { ...asked, cost: seenCost && `${seenCost.minor} ${seenCost.currency}` }
  return actOnce(ctx, 'lead_unit', said, async (desk) => {
    await requireOwn(desk, 'order_unit', asked.unit)
    if (asked.to === 'hand') await takeByHandIn(desk.tx, desk.ctx, asked.unit)
    else if (seenCost === null) throw fieldError('seen_cost', 'required')
    else await allowCostIn(desk.tx, desk.ctx, asked.unit, seenCost)
    return { waits: null }
  })
}

/** A unit was delivered by hand. Its claim is the lock. Throws as `completeUnit` does. */
export function completeAtDesk(
  ctx: OperatorCtx,
  asked: { readonly unit: string; readonly proof: string; readonly key: string },
): Promise<DeskAnswer> {
  return doOnce(ctx, 'complete', { ...asked }, async ({ tx, ctx: own }) => ({
    waits: await completeInTurn(tx, own, asked.unit, asked.proof),
  }))
}

/** A unit could not be delivered by hand. Throws as `failUnit` does. */
export function failAtDesk(
  ctx: OperatorCtx,
  asked: { readonly unit: string; readonly failure: FulfilmentFailure; readonly key: string },
): Promise<DeskAnswer> {
  return doOnce(ctx, 'fail', { ...asked }, async ({ tx, ctx: own }) => ({
    waits: await failInTurn(tx, own, asked.unit, asked.failure),
  }))
}

interface Doubt extends DeskAct {
  readonly unit: string
  readonly outcome: 'delivered' | 'failed'
  /** What shows it. */
  readonly proof: string
}

/**
 * Says what became of a unit in doubt: it was delivered, or it was not, which counts as its price, as that goes back where no other way is left.
 * Throws 'order_closed' for one that is not in doubt, 'check_fields' for cards that a supplier is said to have delivered, whose keys are
 * wanted with it, and as `actOnce` does.
 */
export async function decideDoubtAtDesk(ctx: OperatorCtx, asked: Doubt): Promise<DeskAnswer> {
  const { waits, reference } = await actOnce(ctx, 'decide_doubt', { ...asked }, async (desk) => {
    requirePermission(desk.ctx, 'order.deliver')
    await requireOwn(desk, 'order_unit', asked.unit)
    const purchase = await findDoubt(desk, asked.unit)
    if (purchase === null) return { waits: await decideByHand(desk, asked), reference: null }
    const { reference: name } = purchase
    if (asked.outcome === 'delivered') {
      if (purchase.isCard) throw fieldError('outcome', 'not_allowed')
      return { waits: null, reference: name }
    }
    const money = { minor: BigInt(purchase.price), currency: desk.order.currency }
    const asks = await askLeave(desk.tx, desk.ctx, {
      kind: 'doubt_failure',
      subject: name,
      accountId: desk.order.accountId,
      orderId: desk.order.id,
      money,
      usdMinor: await readUsdMinor(desk.tx, money),
      details: { proof: asked.proof },
    })
    return { waits: asks, reference: asks === null ? name : null }
  })
  // Written after what was given is counted; sent again, it is the same decision.
  if (reference !== null)
    await settleAsDecided(ctx, reference, { outcome: asked.outcome, proof: asked.proof })
  return { waits }
}

function decideByHand({ tx, ctx }: Desk, { unit, outcome, proof }: Doubt): Promise<string | null> {
  return outcome === 'delivered'
    ? completeInTurn(tx, ctx, unit, proof)
    : failInTurn(tx, ctx, unit, 'other')
}

/** The purchase in doubt that a unit is part of; null where it is in doubt by hand. */
async function findDoubt({ tx }: Desk, unit: string) {
  const { rows } = await sql<{
    status: string
    delivery: string
    reference: string | null
    purchaseStatus: string | null
    price: string | null
  }>`
    select u.status, u.delivery, p.reference, p.status as "purchaseStatus",
      (select sum(v.price_minor)::text from purchase_unit m join order_unit v on v.id = m.unit_id where m.purchase_id = p.id) as price
    from order_unit u left join purchase_unit n on n.unit_id = u.id and n.is_live left join purchase p on p.id = n.purchase_id
    where u.public_id = ${unit}`.execute(tx)
  const row = rows[0]
  if (row?.status !== 'in_doubt') throw new AppError('order_closed')
  if (row.reference === null) return null
  if (row.purchaseStatus !== 'doubt') throw new AppError('order_closed')
  return {
    reference: row.reference,
    isCard: row.delivery === 'card_key',
    price: row.price ?? '0',
  }
}
