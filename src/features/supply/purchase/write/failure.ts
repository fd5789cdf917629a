import { post } from '#features/base/ledger/commands.ts'
import { noteStep } from '#features/buying/fulfilment/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { listSupplyOffers } from '#features/supply/routing/queries.ts'
import { chooseOffer } from '#features/supply/routing/rules.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { countFailures, findWaitStart, type SuppliedUnit } from '../queries.ts'
import { afterFailure, type Failed, type Next, type PurchaseStatus } from '../rules.ts'
import { released } from './books.ts'
import { endPurchase, endUnits, theirs, TOLD_MAX, type Held } from './ending.ts'
import { hold, putOff } from './queue.ts'

/** Nothing was bought: each of its units goes its own way. */
export async function fail(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  failed: Failed,
  supplierId: string | null,
): Promise<PurchaseStatus> {
  const { units, purchase } = held
  await endPurchase(tx, ctx, purchase, {
    status: 'failed',
    failure_class: failed.class,
    failure_code: failed.code,
    told: failed.text.slice(0, TOLD_MAX),
    ...theirs(supplierId),
  })
  await endUnits(tx, purchase.id, [])
  await post(tx, ctx, released(purchase))
  for (const [at, unit] of units.entries()) {
    // Each step leaves the order with another label.
    const order = at === 0 ? held.order : await lockOrderById(tx, held.order.id)
    await goOnAfter(tx, ctx, { ...held, order }, unit, failed)
  }
  return 'failed'
}

/** What becomes of a unit for which nothing came. */
export async function goOnAfter(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  unit: SuppliedUnit,
  failed: Failed,
): Promise<void> {
  await goOn(tx, ctx, held, unit, failed, await nextOf(tx, ctx, held, unit, failed))
}

async function nextOf(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  unit: SuppliedUnit,
  failed: Failed,
): Promise<Next> {
  const { purchase, units } = held
  const now = ctx.now()
  // Of many together it says nothing of one alone, which is tried next.
  if (units.length > 1 && (failed.class === 'stock' || failed.class === 'price'))
    return { kind: 'queue', supplier: purchase.supplier, dueAt: now }
  const state = {
    supplier: purchase.supplier,
    other: await otherSupplier(tx, held, unit, now),
    isCorrectable: Object.keys(unit.fields).length > 0,
    waitsSince: (await findWaitStart(tx, unit.id)) ?? purchase.createdAt,
    ...(await countFailures(tx, unit.id, purchase.supplier)),
  }
  return afterFailure(failed, state, now)
}

async function goOn(
  tx: Tx,
  ctx: Ctx,
  { order, purchase }: Held,
  unit: SuppliedUnit,
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
  if (unit.status !== 'queued') await changeUnits(tx, [unit.id], { status: 'failed' })
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
  if (unit.status !== 'queued') await changeUnits(tx, [unit.id], { status: 'queued' })
  await requeue(tx, unit.id, next.supplier, next.kind === 'queue' ? next.dueAt : now)
  if (next.kind === 'hold') await hold(tx, unit.id)
  const details = { line: unit.line, supplier: purchase.supplier, failure: failed.class }
  await changeOrder(tx, ctx, order, {}, { reason: 'delivery_put_off', details })
}

/** The database has queued it with the supplier that comes first; the one that is meant is written here, also where that one is off by now. */
export async function requeue(
  tx: Tx,
  unitId: string,
  supplier: string,
  dueAt: Date,
): Promise<void> {
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
  { order, purchase }: Held,
  unit: SuppliedUnit,
  now: Date,
): Promise<string | null> {
  const offers = await listSupplyOffers(tx, unit, order, now)
  const route = chooseOffer(
    offers.filter(({ supplier }) => supplier !== purchase.supplier),
    now,
  )
  if (route.kind === 'offer') return route.offer.supplier
  return route.kind === 'later' ? route.supplier : null
}
