import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { deliverUnit, noteStep } from '#features/buying/fulfilment/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { listOffers } from '#features/supply/routing/queries.ts'
import { chooseOffer } from '#features/supply/routing/rules.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { isUniqueViolation } from '#platform/db.ts'
import type { LookupOutcome, SupplyDone } from '#providers/supply/provider.ts'
import {
  countFailures,
  findWaitStart,
  isAnothers,
  isBeingBought,
  lockPurchase,
  lockUnitOf,
  type Purchase,
  type SuppliedUnit,
} from '../queries.ts'
import { afterFailure, type Failed, type Next, type PurchaseStatus } from '../rules.ts'
import { decide, type Asking, type Decision } from './answer.ts'
import { bought, givenBack, lost, released } from './books.ts'
import { hold, putOff } from './queue.ts'

const TOLD_MAX = 300
const ID_MAX = 200

/** What an answer has changed: the purchase as it is now, and what was decided. */
export interface Recorded {
  readonly decision: Decision['kind']
  readonly status: PurchaseStatus
}

interface Held {
  readonly order: LockedOrder
  readonly unit: SuppliedUnit
  readonly purchase: Purchase
  /** What shows the delivery, where a person has seen it. */
  readonly proof: string | null
}

/** Writes what a supplier has answered about an attempt, with all that follows from it, in one transaction. */
export async function recordOutcome(
  ctx: Ctx,
  { id: purchaseId, orderId }: Pick<Purchase, 'id' | 'orderId'>,
  answer: LookupOutcome,
  asking: Asking,
  proof: string | null = null,
): Promise<Recorded> {
  const record = (heard: LookupOutcome) =>
    transaction(ctx, async (tx, now): Promise<Recorded> => {
      const order = await lockOrderById(tx, orderId)
      const unit = await lockUnitOf(tx, purchaseId)
      const purchase = await lockPurchase(tx, purchaseId)
      // A person says how it was only of what nobody else could: what its supplier has told meanwhile stands.
      if (proof !== null && purchase.status !== 'doubt')
        return { decision: 'none', status: purchase.status }
      const told = (await isOfAnother(tx, purchase, heard)) ? ANSWER_OF_ANOTHER : heard
      const decision = decide(purchase, told, asking, now)
      return {
        decision: decision.kind,
        status: await apply(tx, ctx, { order, unit, purchase, proof }, decision),
      }
    })
  try {
    return await record(answer)
  } catch (error) {
    // The same name came for another purchase at the same moment.
    if (isUniqueViolation(error, 'purchase_theirs')) return record(ANSWER_OF_ANOTHER)
    throw error
  }
}

const ANSWER_OF_ANOTHER: LookupOutcome = {
  kind: 'unknown',
  why: 'the answer names another purchase of ours, or not the one it named before',
}

/** An answer that names what another purchase is, or was named differently before, tells nothing about this one. */
async function isOfAnother(tx: Tx, purchase: Purchase, answer: LookupOutcome): Promise<boolean> {
  if (!('supplierId' in answer) || !answer.supplierId) return false
  if (purchase.supplierId !== null && purchase.supplierId !== answer.supplierId) return true
  return isAnothers(tx, purchase, answer.supplierId)
}

async function apply(tx: Tx, ctx: Ctx, held: Held, decision: Decision): Promise<PurchaseStatus> {
  switch (decision.kind) {
    case 'deliver':
      return deliver(tx, ctx, held, decision.done)
    case 'open':
      return keepOpen(tx, ctx, held, decision)
    case 'fail':
      return fail(tx, ctx, held, decision.failed, decision.supplierId)
    case 'bought_late':
      return buyLate(tx, ctx, held, decision.done)
    case 'reverse':
      return reverse(tx, ctx, held, decision.failed)
    case 'none':
      return held.purchase.status
    default:
      return decision satisfies never
  }
}

/** The supplier's name for it, where it gave one; what is known stays. */
const theirs = (supplierId: string | null) =>
  supplierId === null || supplierId === '' ? {} : { supplier_id: supplierId.slice(0, ID_MAX) }

/** What it cost: as it was told, or as it was expected where that is not told in its currency. */
function costOf({ currency, expectedMinor, maxMinor }: Purchase, { cost }: SupplyDone) {
  const isOdd = cost !== null && (cost.currency !== currency || cost.minor > maxMinor)
  const actualMinor = cost?.currency === currency ? cost.minor : expectedMinor
  return { actualMinor, isOdd }
}

async function deliver(tx: Tx, ctx: Ctx, held: Held, done: SupplyDone): Promise<PurchaseStatus> {
  const { order, unit, purchase } = held
  const { actualMinor, isOdd } = costOf(purchase, done)
  await endPurchase(tx, ctx, purchase, {
    status: 'done',
    actual_minor: actualMinor,
    ...theirs(done.supplierId),
  })
  await tx
    .updateTable('purchase_unit')
    .set({ is_live: false, is_done: true })
    .where('purchase_id', '=', purchase.id)
    .execute()
  const isFirst = purchase.status !== 'failed'
  await post(tx, ctx, [...(isFirst ? released(purchase) : []), ...bought(purchase, actualMinor)])
  await deliverUnit(tx, ctx, ctx.now(), {
    order,
    unit,
    proof: held.proof ?? (done.supplierId.slice(0, ID_MAX) || purchase.told.reference),
  })
  if (isOdd) await openCase(tx, ctx, purchase, 'cost')
  return 'done'
}

async function keepOpen(
  tx: Tx,
  ctx: Ctx,
  { order, unit, purchase }: Held,
  { status, nextAskAt, supplierId, told }: Extract<Decision, { kind: 'open' }>,
): Promise<PurchaseStatus> {
  const kept = purchase.status === 'doubt' ? 'doubt' : status
  await tx
    .updateTable('purchase')
    .set({
      status: kept,
      next_ask_at: nextAskAt,
      ...theirs(supplierId),
      told: told?.slice(0, TOLD_MAX) ?? null,
      updated_at: ctx.now(),
    })
    .where('id', '=', purchase.id)
    .execute()
  if (kept === 'accepted' || unit.status === 'in_doubt') return kept
  await changeUnits(tx, [unit.id], { status: 'in_doubt' })
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    { reason: 'delivery_in_doubt', details: { line: unit.line, supplier: purchase.supplier } },
  )
  return kept
}

async function fail(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  failed: Failed,
  supplierId: string | null,
): Promise<PurchaseStatus> {
  const { unit, purchase } = held
  const now = ctx.now()
  await endPurchase(tx, ctx, purchase, {
    status: 'failed',
    failure_class: failed.class,
    failure_code: failed.code,
    told: failed.text.slice(0, TOLD_MAX),
    ...theirs(supplierId),
  })
  await tx
    .updateTable('purchase_unit')
    .set({ is_live: false })
    .where('purchase_id', '=', purchase.id)
    .execute()
  await post(tx, ctx, released(purchase))
  const next = afterFailure(
    failed,
    {
      supplier: purchase.supplier,
      other: await otherSupplier(tx, held, now),
      isCorrectable: Object.keys(unit.fields).length > 0,
      waitsSince: (await findWaitStart(tx, unit.id)) ?? purchase.createdAt,
      ...(await countFailures(tx, unit.id, purchase.supplier)),
    },
    now,
  )
  await goOn(tx, ctx, held, failed, next)
  return 'failed'
}

/** What becomes of the unit. */
async function goOn(
  tx: Tx,
  ctx: Ctx,
  { order, unit, purchase }: Held,
  failed: Failed,
  next: Next,
): Promise<void> {
  const now = ctx.now()
  if (next.kind === 'needs_input') {
    await changeUnits(tx, [unit.id], { status: 'needs_input', input_until: next.until })
    await noteStep(tx, ctx, now, {
      order,
      unit,
      to: 'needs_input',
      reason: 'input_needed',
      details: { line: unit.line, units: 1 },
      isToTell: true,
    })
    return
  }
  await changeUnits(tx, [unit.id], { status: 'failed' })
  if (next.kind === 'give_up') {
    await noteStep(tx, ctx, now, {
      order,
      unit,
      to: 'failed',
      reason: 'unit_failed',
      details: {
        line: unit.line,
        units: 1,
        failure: failed.class,
        amount_minor: unit.priceMinor.toString(),
      },
      isToTell: true,
    })
    return
  }
  await changeUnits(tx, [unit.id], { status: 'queued' })
  await requeue(tx, unit.id, next.supplier, next.kind === 'queue' ? next.dueAt : now)
  if (next.kind === 'hold') await hold(tx, unit.id)
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    {
      reason: 'delivery_put_off',
      details: { line: unit.line, supplier: purchase.supplier, failure: failed.class },
    },
  )
}

/** The database has queued it with the supplier that comes first; the one that is meant is written here, also where that one is off by now. */
async function requeue(tx: Tx, unitId: string, supplier: string, dueAt: Date): Promise<void> {
  await tx
    .insertInto('supply_queue')
    .values({ unit_id: unitId, supplier, due_at: dueAt, rank_at: dueAt, turn: 0 })
    .onConflict((conflict) => conflict.column('unit_id').doNothing())
    .execute()
  await putOff(tx, unitId, dueAt, supplier)
}

/** A supplier that has not failed for it, is not this one, and is within the limit: looked for again after each failure. */
async function otherSupplier(
  tx: Tx,
  { order, unit, purchase }: Held,
  now: Date,
): Promise<string | null> {
  const offers = await listOffers(
    tx,
    unit.item,
    unit.id,
    {
      minor: unit.priceMinor,
      currency: order.currency,
    },
    now,
  )
  const route = chooseOffer(
    offers.filter(({ supplier }) => supplier !== purchase.supplier),
    now,
  )
  if (route.kind === 'offer') return route.offer.supplier
  return route.kind === 'later' ? route.supplier : null
}

/** Bought although it had failed: the delivery of its unit, where nothing else was done about that yet; else a loss. */
async function buyLate(tx: Tx, ctx: Ctx, held: Held, done: SupplyDone): Promise<PurchaseStatus> {
  const { unit, purchase } = held
  const isFree =
    (unit.status === 'queued' || unit.status === 'failed' || unit.status === 'needs_input') &&
    !(await isBeingBought(tx, unit.id))
  if (isFree) {
    if (unit.status !== 'queued') await changeUnits(tx, [unit.id], { status: 'queued' })
    return deliver(tx, ctx, { ...held, unit: { ...unit, status: 'queued' } }, done)
  }
  const { actualMinor } = costOf(purchase, done)
  await endPurchase(tx, ctx, purchase, {
    status: 'late',
    actual_minor: actualMinor,
    ...theirs(done.supplierId),
  })
  await post(tx, ctx, lost(purchase, actualMinor))
  await openCase(tx, ctx, purchase, 'late')
  return 'late'
}

/** Taken back after it was delivered: never bought again silently, a person decides with the buyer. */
async function reverse(
  tx: Tx,
  ctx: Ctx,
  { purchase }: Held,
  failed: Failed,
): Promise<PurchaseStatus> {
  await endPurchase(tx, ctx, purchase, {
    status: 'reversed',
    failure_class: failed.class,
    failure_code: failed.code,
    told: failed.text.slice(0, TOLD_MAX),
  })
  await post(tx, ctx, givenBack(purchase, purchase.actualMinor ?? 0n))
  await openCase(tx, ctx, purchase, 'reversed')
  return 'reversed'
}

interface Ending {
  readonly status: 'done' | 'failed' | 'late' | 'reversed'
  readonly actual_minor?: bigint
  readonly supplier_id?: string
  readonly failure_class?: Failed['class']
  readonly failure_code?: string
  readonly told?: string
}

async function endPurchase(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  purchase: Purchase,
  ending: Ending,
): Promise<void> {
  const now = ctx.now()
  await tx
    .updateTable('purchase')
    .set({ ...ending, next_ask_at: null, ended_at: now, updated_at: now })
    .where('id', '=', purchase.id)
    .execute()
}

async function openCase(
  tx: Tx,
  ctx: Ctx,
  purchase: Purchase,
  kind: 'late' | 'reversed' | 'cost',
): Promise<void> {
  const now = ctx.now()
  await tx
    .insertInto('supply_case')
    .values({ id: ctx.newId(), purchase_id: purchase.id, kind, opened_at: now })
    .onConflict((conflict) => conflict.columns(['purchase_id', 'kind']).doNothing())
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'supply_case_opened',
      subject: 'purchase',
      subjectCode: purchase.told.reference,
      before: { status: purchase.status },
      after: { case: kind },
    },
  ])
}
