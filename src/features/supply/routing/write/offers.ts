import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'

const BATCH = 5_000

export interface OfferCost {
  readonly item: string
  /** The supplier's name for it now. */
  readonly product: string
  readonly face: Money | null
  readonly cost: Money
}

/** What items cost at a supplier now, and what they are called there; the rest of what was said of them stays. */
export async function setCosts(
  tx: Tx,
  now: Date,
  supplier: string,
  costs: readonly OfferCost[],
): Promise<void> {
  for (let start = 0; start < costs.length; start += BATCH) {
    const rows = costs.slice(start, start + BATCH).map(({ item, product, face, cost }) => ({
      item,
      product,
      face_minor: face?.minor.toString() ?? null,
      face_currency: face?.currency ?? null,
      cost_minor: cost.minor.toString(),
      cost_currency: cost.currency,
    }))
    await sql`
      update supplier_offer o set product = told.product, face_minor = told.face_minor, face_currency = told.face_currency,
        cost_minor = told.cost_minor, cost_currency = told.cost_currency, updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (item uuid, product text, face_minor numeric, face_currency text, cost_minor numeric, cost_currency text)
      where o.supplier = ${supplier} and o.item = told.item`.execute(tx)
  }
}

/** Begins or ends buying items at a supplier. @returns how many it had of them */
export async function switchOffers(
  tx: Tx,
  now: Date,
  supplier: string,
  items: readonly string[],
  isOn: boolean,
): Promise<number> {
  if (items.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('supplier_offer')
    .set({ is_on: isOn, updated_at: now })
    .where('supplier', '=', supplier)
    .where('item', '=', sql<string>`any(${[...items]}::uuid[])`)
    .where('is_on', '<>', isOn)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
