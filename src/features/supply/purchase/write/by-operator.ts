import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { changeOrder } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import type { SealedKey } from '#features/buying/vault/commands.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { endRest, setStatus } from '#features/supply/routing/commands.ts'
import { askLeave, inTurn, type Turn, type Waits } from '#features/team/approval/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { isUniqueViolation } from '#platform/db.ts'
import type { LookupOutcome } from '#providers/supply/provider.ts'
import { isCardKind, isOpenPurchase } from '../rules.ts'
import { deposited } from './books.ts'
import { costOfHeld } from './cost.ts'
import { recordOutcome, type Recorded } from './outcome.ts'
import { allow, leadAway, leaveToHand, wake, wakeOrder } from './queue.ts'
import { leaveToShelf } from './shelf.ts'

/** Nothing an operator says waits for a window: they have looked. */
const SEEN = {
  idempotency: 'reference',
  notFoundIsFinalAfterSeconds: null,
  lookupMayBuyAfterSeconds: null,
} as const

/**
 * A person says what became of a purchase that nobody could find out about: it was delivered, with what shows it, or it was not; then
 * another supplier is tried, or its price goes back. Said again it changes nothing. Throws 'not_found', 'conflict' where it is known
 * otherwise, 'order_closed' while it is still being asked about, 'check_fields' for cards that are delivered without their keys.
 * @returns what is recorded; the act that waits for another person where its price would be more than its operator may give back
 */
export async function settlePurchase(
  ctx: OperatorCtx,
  reference: string,
  said: Settlement,
): Promise<Recorded | { readonly waits: string }> {
  requirePermission(ctx, 'order.deliver')
  const waits =
    said.outcome === 'failed'
      ? await inTurn(ctx, (tx) => askToFail(tx, ctx, reference, said.proof))
      : null
  return waits === null ? settleAsDecided(ctx, reference, said) : { waits }
}

/** Counts what a purchase in doubt gives back where it has brought nothing; of one that is in none nothing is said. */
async function askToFail(
  tx: Turn,
  ctx: OperatorCtx,
  reference: string,
  proof: string,
): Promise<Waits> {
  const { rows } = await sql<{
    orderId: string
    accountId: string
    currency: string
    price: string
  }>`
    select o.id as "orderId", o.account_id as "accountId", o.currency,
      (select sum(u.price_minor) from purchase_unit n join order_unit u on u.id = n.unit_id where n.purchase_id = p.id)::text as price
    from purchase p join shop_order o on o.id = p.order_id where p.reference = ${reference} and p.status = 'doubt' for no key update of o`.execute(
    tx,
  )
  const [row] = rows
  if (!row) return null
  const money = { minor: BigInt(row.price), currency: row.currency }
  return askLeave(tx, ctx, {
    kind: 'doubt_failure',
    subject: reference,
    accountId: row.accountId,
    orderId: row.orderId,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: { proof },
  })
}

interface Settlement {
  readonly outcome: 'delivered' | 'failed'
  readonly proof: string
  /** What a purchase of cards has brought, encrypted; one for each of its units. */
  readonly keys?: readonly SealedKey[] | null
}

/** `settlePurchase` in the name of who approved it, who need not deliver themselves. */
export async function settleAsDecided(
  ctx: Ctx,
  reference: string,
  said: Settlement,
): Promise<Recorded> {
  const purchase = await ctx.db
    .selectFrom('purchase')
    .select(['id', 'order_id as orderId', 'supplier_id', 'kind', 'quantity', 'status'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!purchase) throw new AppError('not_found')
  const wanted = said.outcome === 'delivered' ? 'done' : 'failed'
  const lacksKeys = isCardKind(purchase.kind) && said.keys?.length !== purchase.quantity
  if (wanted === 'done' && lacksKeys && purchase.status === 'doubt')
    throw fieldError('cards', 'required')
  const answer: LookupOutcome =
    said.outcome === 'delivered'
      ? { kind: 'done', supplierId: purchase.supplier_id ?? '', cost: null }
      : { kind: 'failed', class: 'supplier', code: 'by_operator', text: said.proof }
  const recorded = await recordOutcome(ctx, purchase, answer, SEEN, said.proof, said.keys ?? null)
  if (recorded.decision === 'none') {
    if (recorded.status === wanted) return recorded
    throw new AppError(isOpenPurchase(recorded.status) ? 'order_closed' : 'conflict')
  }
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'purchase_settled',
        subject: 'purchase',
        subjectCode: reference,
        before: { status: 'doubt' },
        after: { status: recorded.status, proof: said.proof },
      },
    ]),
  )
  return recorded
}

/** Lets a unit be bought that costs more than it may, for what it costs now. Throws 'not_found', 'order_closed' where it is not held for that. @returns that cost */
export async function allowCost(ctx: OperatorCtx, unit: string): Promise<Money> {
  return transaction(ctx, (tx) => allowCostIn(tx, ctx, unit, null))
}

/**
 * `allowCost` as part of a call that is answered with it.
 * @param seen what its caller was told that it costs: where it costs more by now, 'changed_meanwhile' is thrown; null for whatever it costs now
 */
export async function allowCostIn(
  tx: Tx,
  ctx: OperatorCtx,
  unit: string,
  seen: Money | null,
): Promise<Money> {
  requirePermission(ctx, 'order.decide')
  let upTo: Money | null = null
  await withUnit(tx, ctx, unit, 'cost_allowed', async (_, unitId, order) => {
    const asked = await costOfHeld(tx, unit, order, ctx.now())
    const isMore = seen !== null && (seen.currency !== asked.currency || seen.minor < asked.minor)
    if (isMore) throw new AppError('changed_meanwhile')
    upTo = seen ?? asked
    return allow(tx, unitId, upTo)
  })
  return present<Money>(upTo, 'a cost that was allowed')
}

/** What letting a held unit be bought would cost; nothing is changed. Throws as `allowCost` does. */
export async function previewCost(
  tx: Tx,
  ctx: OperatorCtx,
  order: Pick<LockedOrder, 'id' | 'currency'>,
  unit: string,
): Promise<Money> {
  requirePermission(ctx, 'order.decide')
  return costOfHeld(tx, unit, order, ctx.now())
}

/**
 * Takes a unit that waits for a supplier to be delivered by hand; a card is delivered from the shelf, now or once there is a key. Throws
 * 'not_found', 'order_closed' where it is being bought, or no supplier's matter.
 */
export async function takeByHand(ctx: OperatorCtx, unit: string): Promise<void> {
  await transaction(ctx, (tx) => takeByHandIn(tx, ctx, unit))
}

/** `takeByHand` as part of a call that is answered with it. */
export async function takeByHandIn(tx: Tx, ctx: OperatorCtx, unit: string): Promise<void> {
  requirePermission(ctx, 'order.deliver')
  await withUnit(tx, ctx, unit, 'left_to_hand', async (_, unitId, order, isCard) =>
    isCard ? leaveToShelf(tx, ctx, order, [unitId]) : leaveToHand(tx, unitId),
  )
}

/** What of an order waits for a supplier's turn is tried now. @returns how many units that are */
export async function tryNowIn(
  tx: Tx,
  ctx: OperatorCtx,
  order: Pick<LockedOrder, 'id' | 'number'>,
): Promise<number> {
  requirePermission(ctx, 'order.deliver')
  const units = await wakeOrder(tx, order.id, ctx.now())
  if (units > 0)
    await recordAudit(tx, ctx, ctx.now(), [
      {
        action: 'supply_tried_again',
        subject: 'shop_order',
        subjectCode: order.number,
        before: null,
        after: { units },
      },
    ])
  return units
}

async function withUnit(
  tx: Tx,
  ctx: OperatorCtx,
  publicId: string,
  reason: 'cost_allowed' | 'left_to_hand',
  change: (tx: Tx, unitId: string, order: LockedOrder, isCard: boolean) => Promise<boolean>,
): Promise<void> {
  const known = await tx
    .selectFrom('order_unit')
    .select(['id', 'order_id', 'delivery'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!known) throw new AppError('not_found')
  const order = await lockOrderById(tx, known.order_id)
  const isCard = known.delivery === 'card_key'
  if (!(await change(tx, known.id, order, isCard))) throw new AppError('order_closed')
  await changeOrder(tx, ctx, await lockOrderById(tx, order.id), {}, { reason })
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: reason,
      subject: 'order_unit',
      subjectCode: publicId,
      before: {},
      after: { by: ctx.operator.name },
    },
  ])
}

/** What was found about a purchase that is over. Throws 'not_found' for a case that is none, or closed. */
export async function closeCase(ctx: OperatorCtx, id: string, note: string): Promise<void> {
  requirePermission(ctx, 'order.decide')
  if (!isUuid(id)) throw new AppError('not_found')
  await transaction(ctx, async (tx, now) => {
    const closed = await tx
      .updateTable('supply_case')
      .set({ closed_at: now, closed_by: ctx.operator.name, note })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) throw new AppError('not_found')
    await recordAudit(tx, ctx, now, [
      {
        action: 'supply_case_closed',
        subject: 'supply_case',
        subjectCode: id,
        before: { closed: false },
        after: { closed: true, note },
      },
    ])
  })
}

/** Lets a supplier go on at once that rests, as what kept it up has been mended. Throws 'not_found'. */
export async function resumeSupplier(ctx: OperatorCtx, supplier: string): Promise<void> {
  requirePermission(ctx, 'system.manage')
  await transaction(ctx, async (tx, now) => {
    if (!(await endRest(tx, supplier))) throw new AppError('not_found')
    await wake(tx, supplier, now)
    await recordAudit(tx, ctx, now, [
      {
        action: 'supplier_resumed',
        subject: 'supplier',
        subjectCode: supplier,
        before: { rests: true },
        after: { rests: false },
      },
    ])
  })
}

/**
 * Begins or ends buying from a supplier. What waits for one that is ended goes to the next supplier of its item, or is delivered by hand;
 * what is under way there is still asked about. Throws 'not_found'.
 */
export async function switchSupplier(
  ctx: OperatorCtx,
  supplier: string,
  status: 'on' | 'off',
): Promise<void> {
  requirePermission(ctx, 'system.manage')
  await transaction(ctx, async (tx, now) => {
    if (!(await setStatus(tx, supplier, status))) throw new AppError('not_found')
    if (status === 'off') await leadAway(tx, supplier)
    await recordAudit(tx, ctx, now, [
      {
        action: `supplier_${status}`,
        subject: 'supplier',
        subjectCode: supplier,
        before: {},
        after: { status },
      },
    ])
  })
}

export interface Deposit {
  readonly supplier: string
  readonly money: Money
  /** What the bank kept of what was sent. */
  readonly feeMinor: bigint
  /** The bank's or the supplier's name for it. */
  readonly reference: string
  /** What was paid for it in another currency; left out where it was the same. */
  readonly paid?: Money
}

/** Books money that was sent to a supplier; what waits there is tried again. Throws 'not_found', 'conflict' for one that is booked already. */
export async function bookDeposit(ctx: OperatorCtx, deposit: Deposit): Promise<void> {
  requirePermission(ctx, 'payment.note')
  const { supplier, money, feeMinor, reference, paid = null } = deposit
  try {
    await transaction(ctx, async (tx, now) => {
      const id = ctx.newId()
      if (!(await endRest(tx, supplier))) throw new AppError('not_found')
      await tx
        .insertInto('supplier_deposit')
        .values({
          id,
          supplier,
          currency: money.currency,
          amount_minor: money.minor,
          fee_minor: feeMinor,
          paid_minor: paid?.minor ?? null,
          paid_currency: paid?.currency ?? null,
          reference,
          recorded_by: ctx.operator.name,
          recorded_at: now,
        })
        .execute()
      await post(
        tx,
        ctx,
        deposited({
          id,
          supplier,
          currency: money.currency,
          amountMinor: money.minor,
          feeMinor,
          paid,
        }),
      )
      await wake(tx, supplier, now)
      await recordAudit(tx, ctx, now, [
        {
          action: 'supplier_deposit',
          subject: 'supplier',
          subjectCode: supplier,
          before: null,
          after: { amount_minor: money.minor.toString(), currency: money.currency, reference },
        },
      ])
    })
  } catch (error) {
    if (isUniqueViolation(error, 'supplier_deposit_supplier_reference_key'))
      throw new AppError('conflict', {}, { cause: error })
    throw error
  }
}
