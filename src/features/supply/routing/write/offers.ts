import { sql } from 'kysely'
import type { Money } from '#kernel/money.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { SupplyKind } from '../rules.ts'

const BATCH = 5_000

export interface NewOffer {
  readonly item: string
  readonly supplier: string
  readonly priority: number
  readonly kind: SupplyKind
  readonly product: string
  readonly face: Money | null
  readonly cost: Money
  /** The supplier's name of each account field of ours. */
  readonly fields: Readonly<Record<string, string>>
  /** What the supplier is told beside them. */
  readonly fixed?: Readonly<Record<string, string>>
}

/** Says what items are at suppliers; what was said of them before is replaced. */
export async function setOffers(
  ctx: Pick<Ctx, 'now'> & { readonly db: Db | Tx },
  offers: readonly NewOffer[],
): Promise<void> {
  if (offers.length === 0) return
  await ctx.db
    .insertInto('supplier_offer')
    .values(
      offers.map((offer) => ({
        item: offer.item,
        supplier: offer.supplier,
        priority: offer.priority,
        kind: offer.kind,
        product: offer.product,
        face_minor: offer.face?.minor ?? null,
        face_currency: offer.face?.currency ?? null,
        cost_minor: offer.cost.minor,
        cost_currency: offer.cost.currency,
        fields: JSON.stringify(offer.fields),
        fixed: JSON.stringify(offer.fixed ?? {}),
        updated_at: ctx.now(),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['item', 'supplier']).doUpdateSet((row) => ({
        priority: row.ref('excluded.priority'),
        kind: row.ref('excluded.kind'),
        product: row.ref('excluded.product'),
        face_minor: row.ref('excluded.face_minor'),
        face_currency: row.ref('excluded.face_currency'),
        cost_minor: row.ref('excluded.cost_minor'),
        cost_currency: row.ref('excluded.cost_currency'),
        fields: row.ref('excluded.fields'),
        fixed: row.ref('excluded.fixed'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute()
}

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
