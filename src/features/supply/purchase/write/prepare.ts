import { post } from '#features/base/ledger/commands.ts'
import { changeOrder, changeUnits } from '#features/buying/order/commands.ts'
import { getDisputes, lockOrderById, type LockedOrder } from '#features/buying/order/queries.ts'
import { mayDeliverSoon } from '#features/buying/gate/commands.ts'
import { refundUnits } from '#features/buying/fulfilment/commands.ts'
import { listSupplyOffers } from '#features/supply/routing/queries.ts'
import {
  chooseOffer,
  suppliersFields,
  type Offer,
  type Why,
} from '#features/supply/routing/rules.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { SupplyCapabilities } from '#providers/supply/provider.ts'
import { lockBeside, lockQueued, type Purchase, type SuppliedUnit } from '../queries.ts'
import { LEASE_SECONDS } from '../rules.ts'
import { reserved } from './books.ts'
import { asAllowed } from './cost.ts'
import { hold, putOff, type TakenUnit } from './queue.ts'

/** How long a unit waits whose order is held for a closer look. */
const HELD_MS = 60_000
/** And one whose shopper a service is being asked about. */
const SCREENED_MS = 3_000
/** Cards of one purchase: so few that one which is in doubt keeps up few. */
const TOGETHER_MOST = 10

/** A supplier as the ledger needs it. */
export interface Supplier {
  readonly code: string
  readonly capabilities: Pick<SupplyCapabilities, 'answersWithinSeconds' | 'maxQuantity'>
}

/**
 * Begins an attempt to buy a queued unit: the supplier is chosen, its price set aside and our reference committed, before anything is
 * sent. Null where nothing is to be bought here now: it is somebody else's by now, or waits for its order, another supplier or a person.
 */
export async function preparePurchase(
  ctx: Ctx,
  { unitId, orderId }: TakenUnit,
  supplier: Supplier,
): Promise<Purchase | null> {
  const prepared = await transaction(ctx, async (tx, now) => {
    const order = await lockOrderById(tx, orderId)
    const queued = await lockQueued(tx, unitId)
    if (!queued) return null
    // What waits for stock keeps up nothing else of its order.
    const isOnHold = order.hold !== null && order.hold !== 'out_of_stock'
    const isHeld = isOnHold || (await getDisputes(tx, order.id)).isDisputed
    const may = isHeld ? 'no' : await mayDeliverSoon(tx, ctx, order)
    if (may !== 'yes') {
      const waitMs = may === 'wait' ? SCREENED_MS : HELD_MS
      await putOff(tx, unitId, new Date(now.getTime() + waitMs))
      return null
    }
    const { unit } = queued
    const offers = await listSupplyOffers(tx, unit, order, now)
    const { allowance } = queued
    const route = chooseOffer(
      allowance ? offers.map((offer) => asAllowed(offer, allowance)) : offers,
      now,
    )
    switch (route.kind) {
      case 'later':
        await putOff(tx, unitId, route.at, route.supplier)
        return null
      case 'too_dear':
        await hold(tx, unitId)
        return null
      case 'none':
        return 'nobody'
      case 'offer':
        if (route.offer.supplier !== supplier.code) {
          await putOff(tx, unitId, now, route.offer.supplier)
          return null
        }
        return begin(tx, ctx, {
          order,
          units: [unit, ...(allowance ? [] : await besideIt(tx, unit, supplier, now))],
          offer: route.offer,
          why: route.why,
          supplier,
        })
      default:
        return route satisfies never
    }
  })
  if (prepared !== 'nobody') return prepared
  // No supplier of it is left: what waits with none goes back as what none could deliver.
  await refundUnits(ctx, orderId, [unitId], 'not_delivered')
  return null
}

/** Cards of a line are bought together as far as their supplier sells them so; what is credited is bought one by one. */
const besideIt = (tx: Tx, unit: SuppliedUnit, { code, capabilities }: Supplier, now: Date) =>
  lockBeside(tx, unit, code, now, Math.min(TOGETHER_MOST, capabilities.maxQuantity) - 1)

interface Beginning {
  readonly order: LockedOrder
  /** Of one line, each at the same price. */
  readonly units: readonly [SuppliedUnit, ...SuppliedUnit[]]
  readonly offer: Offer
  readonly why: Why
  readonly supplier: Supplier
}

async function begin(
  tx: Tx,
  ctx: Ctx,
  { order, units, offer, why, supplier }: Beginning,
): Promise<Purchase> {
  const now = ctx.now()
  const id = ctx.newId()
  const [unit] = units
  const quantity = BigInt(units.length)
  const maxMinor = (offer.maxMinor ?? offer.costMinor) * quantity
  const leaseMs = (supplier.capabilities.answersWithinSeconds + LEASE_SECONDS) * 1_000
  const purchase: Purchase = {
    id,
    supplier: offer.supplier,
    supplierId: null,
    orderId: order.id,
    item: unit.item,
    status: 'prepared',
    asked: 0,
    createdAt: now,
    currency: offer.costCurrency,
    expectedMinor: offer.costMinor * quantity,
    maxMinor,
    actualMinor: null,
    failureClass: null,
    told: {
      reference: id,
      kind: offer.kind,
      product: offer.product,
      quantity: units.length,
      face: offer.face,
      fields: suppliersFields(offer, unit.fields),
      maxCost: { minor: maxMinor, currency: offer.costCurrency },
      token: null,
      buyerAddress: null,
    },
  }
  const askAt = new Date(now.getTime() + leaseMs)
  const unitIds = units.map(({ id: unitId }) => unitId)
  await insertPurchase(tx, ctx, purchase, { unitIds, why, askAt })
  await post(tx, ctx, reserved(purchase))
  await changeUnits(tx, unitIds, { status: 'delivering' })
  await changeOrder(
    tx,
    ctx,
    order,
    {},
    { reason: 'delivery_started', details: { line: unit.line, supplier: offer.supplier } },
  )
  return purchase
}

/** With its units, in one trip. */
async function insertPurchase(
  tx: Tx,
  ctx: Ctx,
  purchase: Purchase,
  {
    unitIds,
    why,
    askAt,
  }: { readonly unitIds: readonly string[]; readonly why: Why; readonly askAt: Date },
): Promise<void> {
  const { told } = purchase
  await tx
    .with('made', (each) =>
      each.insertInto('purchase').values({
        id: purchase.id,
        reference: told.reference,
        supplier: purchase.supplier,
        order_id: purchase.orderId,
        item: purchase.item,
        kind: told.kind,
        product: told.product,
        quantity: told.quantity,
        face_minor: told.face?.minor ?? null,
        face_currency: told.face?.currency ?? null,
        fields: JSON.stringify(told.fields),
        currency: purchase.currency,
        expected_minor: purchase.expectedMinor,
        max_minor: purchase.maxMinor,
        why: JSON.stringify(why),
        next_ask_at: askAt,
        request_id: ctx.requestId,
        created_at: purchase.createdAt,
        updated_at: purchase.createdAt,
      }),
    )
    .insertInto('purchase_unit')
    .values(unitIds.map((unitId) => ({ purchase_id: purchase.id, unit_id: unitId })))
    .execute()
}
