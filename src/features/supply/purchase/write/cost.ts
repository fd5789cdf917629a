import { listSupplyOffers, type PaidUnit } from '#features/supply/routing/queries.ts'
import type { Offer } from '#features/supply/routing/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'

/** Up to what a person has let a unit cost; null where one of a release before has, whatever it costs. */
export type Allowance = { readonly upTo: Money | null }

/** An offer of a unit that a person has let cost more than it may. What they have not seen goes by the limit that it had. */
export function asAllowed(offer: Offer, { upTo }: Allowance): Offer {
  if (upTo !== null && upTo.currency !== offer.costCurrency) return offer
  const most = upTo?.minor ?? offer.costMinor
  return {
    ...offer,
    priceRefusals: 0,
    maxMinor: offer.maxMinor !== null && offer.maxMinor > most ? offer.maxMinor : most,
  }
}

/** What a held unit would cost now at the supplier whose turn it is; its order is locked. Throws 'not_found', 'order_closed' where it is not held. */
export async function costOfHeld(
  tx: Tx,
  publicId: string,
  order: { readonly id: string; readonly currency: string },
  now: Date,
): Promise<Money> {
  const row = await tx
    .selectFrom('order_unit as u')
    .leftJoin('supply_queue as q', 'q.unit_id', 'u.id')
    .select(['u.id', 'u.item', 'u.price_minor', 'q.held'])
    .where('u.public_id', '=', publicId)
    .where('u.order_id', '=', order.id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (row.held === null || row.item === null) throw new AppError('order_closed')
  const unit: PaidUnit = { id: row.id, item: row.item, priceMinor: BigInt(row.price_minor) }
  const offers = await listSupplyOffers(tx, unit, order, now)
  const [next] = offers
    .filter(({ hasFailed }) => !hasFailed)
    .toSorted((one, other) => one.place - other.place)
  if (!next) throw new AppError('order_closed')
  return { minor: next.costMinor, currency: next.costCurrency }
}
