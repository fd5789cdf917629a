import { post } from '#features/base/ledger/commands.ts'
import { deliverUnit } from '#features/buying/fulfilment/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { lockOrderById } from '#features/buying/order/queries.ts'
import { deliverBought, keepBack, openBought } from '#features/buying/vault/commands.ts'
import { present } from '#kernel/assert.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { SupplyDone } from '#providers/supply/provider.ts'
import { isBeingBought, type SuppliedUnit } from '../queries.ts'
import { isCardKind, type PurchaseStatus } from '../rules.ts'
import { bought, lost, released } from './books.ts'
import { costOf, endPurchase, endUnits, openCase, proofOf, theirs, type Held } from './ending.ts'
import { goOnAfter, requeue } from './failure.ts'
import { hold } from './queue.ts'

/** It was bought: what it brought goes to its units, the attempt is over and booked. */
export async function deliver(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  done: SupplyDone,
): Promise<PurchaseStatus> {
  if (isCardKind(held.purchase.told.kind)) return deliverCards(tx, ctx, held, done, held.units)
  const { order, units, purchase } = held
  const { actualMinor, isOdd } = costOf(purchase, done)
  const unit = present(units[0], 'a purchase has a unit')
  await endPurchase(tx, ctx, purchase, {
    status: 'done',
    actual_minor: actualMinor,
    ...theirs(done.supplierId),
  })
  await endUnits(tx, purchase.id, [unit.id])
  await post(tx, ctx, [...setFree(held), ...bought(purchase, actualMinor)])
  await deliverUnit(tx, ctx, ctx.now(), { order, unit, proof: proofOf(held, done) })
  if (isOdd) await openCase(tx, ctx, purchase, 'cost')
  return 'done'
}

/** What was set aside for it is free, unless it was when it failed. */
const setFree = ({ purchase }: Held) => (purchase.status === 'failed' ? [] : released(purchase))

/**
 * Stores the cards that came and hands them over, in the transaction that ends the attempt. A card that the shop holds already goes to
 * nobody: a person decides about its unit. Units for which none came follow the rules of a failure; cards for which there is no unit any
 * more are kept back.
 */
async function deliverCards(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  done: SupplyDone,
  takers: readonly SuppliedUnit[],
): Promise<PurchaseStatus> {
  const { purchase } = held
  const keys = held.keys ?? []
  const now = ctx.now()
  await openBought(tx, ctx, {
    batchId: purchase.id,
    item: purchase.item,
    from: `bought: ${purchase.supplier} ${purchase.told.reference}`,
  })
  const pairs = takers.flatMap((unit, at) => {
    const key = keys[at]
    return key ? [{ unitId: unit.id, key }] : []
  })
  const served = await deliverBought(tx, ctx, pairs)
  await keepBack(tx, keys.slice(pairs.length))
  const isAnyKnown = served.size < pairs.length
  const { actualMinor, isOdd } = costOf(purchase, done)
  const status = served.size > 0 ? 'done' : 'late'
  await endPurchase(tx, ctx, purchase, {
    status,
    actual_minor: actualMinor,
    ...theirs(done.supplierId),
  })
  await endUnits(tx, purchase.id, [...served])
  const book = status === 'done' ? bought : lost
  await post(tx, ctx, [...setFree(held), ...book(purchase, actualMinor)])
  for (const [at, unit] of takers.entries()) {
    // Each step leaves the order with another label.
    const order = at === 0 ? held.order : await lockOrderById(tx, held.order.id)
    if (served.has(unit.id))
      await deliverUnit(tx, ctx, now, { order, unit, proof: proofOf(held, done) })
    else if (at < pairs.length) await holdForKnown(tx, ctx, { ...held, order }, unit)
    else await goOnAfter(tx, ctx, { ...held, order }, unit, NONE_CAME)
  }
  if (isAnyKnown) await openCase(tx, ctx, purchase, 'known')
  else if (status === 'late') await openCase(tx, ctx, purchase, 'late')
  if (isOdd) await openCase(tx, ctx, purchase, 'cost')
  return status
}

const NONE_CAME = {
  class: 'stock',
  code: 'fewer_cards',
  text: 'fewer cards came than were bought',
  until: null,
} as const

/** Its unit waits for a person: whether the supplier gives another card, or its price back, is found out first. */
async function holdForKnown(
  tx: Tx,
  ctx: Ctx,
  { order, purchase }: Held,
  unit: SuppliedUnit,
): Promise<void> {
  if (unit.status !== 'queued') {
    await changeUnits(tx, [unit.id], { status: 'failed' })
    await changeUnits(tx, [unit.id], { status: 'queued' })
  }
  await requeue(tx, unit.id, purchase.supplier, ctx.now())
  await hold(tx, unit.id, 'known')
  const details = { line: unit.line, supplier: purchase.supplier, failure: 'known' }
  await changeOrder(tx, ctx, order, {}, { reason: 'delivery_put_off', details })
}

/** Bought although it had failed: the delivery of its units, where nothing else was done about them yet; else a loss. */
export async function buyLate(
  tx: Tx,
  ctx: Ctx,
  held: Held,
  done: SupplyDone,
): Promise<PurchaseStatus> {
  const { units, purchase, keys } = held
  const free: SuppliedUnit[] = []
  for (const unit of units) {
    if (free.length === keys?.length) break
    const isWaiting =
      unit.status === 'queued' || unit.status === 'failed' || unit.status === 'needs_input'
    if (!isWaiting || (await isBeingBought(tx, unit.id))) continue
    if (unit.status !== 'queued') await changeUnits(tx, [unit.id], { status: 'queued' })
    free.push({ ...unit, status: 'queued' })
  }
  if (isCardKind(purchase.told.kind)) return deliverCards(tx, ctx, held, done, free)
  if (free.length > 0) return deliver(tx, ctx, { ...held, units: free }, done)
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
