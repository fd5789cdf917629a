import { sql } from 'kysely'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { SyncGround } from './engine/plan.ts'
import type { KnownItem, Listing, ListingStatus, SyncMode } from './rules.ts'

export { countFailedSyncs, listRuns, listSchedules, type SyncRun } from './read/runs.ts'

/** Whose rows a sync made. */
export const sourceOf = (supplier: string) => `supplier:${supplier}`

export async function readGround(db: Db | Tx, supplier: string): Promise<SyncGround> {
  const [items, listings, currencies, terms] = [
    await readItems(db, supplier),
    await listListings(db, supplier),
    await listCurrencies(db),
    await readSetting(db, priceTermsSetting),
  ]
  return {
    supplier,
    items,
    listings,
    digits: new Map(currencies.map(({ code, minorUnits }) => [code, minorUnits])),
    jumpBasisPoints: terms.jumpBasisPoints,
  }
}

const money = (minor: string | null, currency: string | null): Money | null =>
  minor === null || currency === null ? null : { minor: BigInt(minor), currency }

async function readItems(db: Db | Tx, supplier: string): Promise<KnownItem[]> {
  const { rows } = await sql<{
    id: string
    code: string
    name: string
    kind: string
    units: string | null
    faceMinor: string | null
    faceCurrency: string | null
    reference: string | null
    status: string
    source: string
    brandName: string
    brandKind: string
    delivery: string
    countries: string[] | null
    otherOffers: number
    offerProduct: string | null
    offerFaceMinor: string | null
    offerFaceCurrency: string | null
    offerCostMinor: string | null
    offerCostCurrency: string | null
    offerIsOn: boolean | null
  }>`
    select i.id, i.code, i.name, i.kind, i.units::text as units, i.face_minor::text as "faceMinor", p.face_currency as "faceCurrency",
      i.source_reference as reference, i.status, i.source, b.name as "brandName", b.kind as "brandKind", b.delivery, p.countries,
      coalesce(others.count, 0)::integer as "otherOffers", o.product as "offerProduct", o.face_minor::text as "offerFaceMinor",
      o.face_currency as "offerFaceCurrency", o.cost_minor::text as "offerCostMinor", o.cost_currency as "offerCostCurrency", o.is_on as "offerIsOn"
    from item i join product p on p.code = i.product join brand b on b.code = p.brand
    left join supplier_offer o on o.item = i.id and o.supplier = ${supplier}
    left join (
      select item, count(*) as count from supplier_offer x join supplier s on s.code = x.supplier
      where x.supplier <> ${supplier} and x.is_on and s.status = 'on' group by item
    ) others on others.item = i.id
    order by i.code`.execute(db)
  return rows.map((row) => {
    const cost = money(row.offerCostMinor, row.offerCostCurrency)
    return {
      id: row.id,
      code: row.code,
      name: row.name,
      kind: row.kind,
      units: row.units,
      face: money(row.faceMinor, row.faceCurrency),
      reference: row.reference,
      isActive: row.status === 'active',
      isOwn: row.source === sourceOf(supplier),
      brandName: row.brandName,
      brandKind: row.brandKind,
      delivery: row.delivery,
      countries: row.countries,
      otherOffers: row.otherOffers,
      offer:
        row.offerProduct === null || cost === null
          ? null
          : {
              product: row.offerProduct,
              face: money(row.offerFaceMinor, row.offerFaceCurrency),
              cost,
              isOn: row.offerIsOn ?? false,
            },
    }
  })
}

async function listListings(db: Db | Tx, supplier: string): Promise<Listing[]> {
  const rows = await db
    .selectFrom('supplier_product')
    .selectAll()
    .where('supplier', '=', supplier)
    .orderBy('product')
    .orderBy('face')
    .execute()
  return rows.map((row) => ({
    product: row.product,
    face: row.face,
    item: row.item,
    matchedBy: row.matched_by as Listing['matchedBy'],
    score: row.score,
    status: row.status as ListingStatus,
    modes: {
      cost: row.sync_cost as SyncMode,
      stock: row.sync_stock as SyncMode,
      name: row.sync_name as SyncMode,
      faces: row.sync_faces as SyncMode,
    },
    isLocked: row.is_locked,
    tookOff: row.took_off,
    held: money(row.held_minor, row.held_currency),
    heldAt: row.held_at,
  }))
}

/** A listing as operators read it. */
export interface ShownListing {
  readonly supplier: string
  readonly product: string
  readonly face: string
  readonly name: string
  readonly status: ListingStatus
  readonly item: string | null
  readonly matchedBy: string | null
  readonly score: number | null
  readonly isLocked: boolean
  readonly cost: string | null
  readonly costCurrency: string | null
  readonly held: string | null
  readonly heldCurrency: string | null
  readonly offerCost: string | null
  readonly offerCurrency: string | null
}

const SHOWN_MOST = 500

/** What a supplier lists, at most some hundred. @param held those alone whose cost jumped and waits */
export async function showListings(
  db: Db,
  {
    supplier,
    status,
    held,
  }: {
    readonly supplier: string | null
    readonly status: ListingStatus | null
    readonly held: boolean
  },
): Promise<ShownListing[]> {
  const { rows } = await sql<ShownListing>`
    select l.supplier, l.product, l.face, l.name, l.status, i.code as item, l.matched_by as "matchedBy", l.score, l.is_locked as "isLocked", l.cost_minor::text as cost,
      l.cost_currency as "costCurrency", l.held_minor::text as held, l.held_currency as "heldCurrency", o.cost_minor::text as "offerCost", o.cost_currency as "offerCurrency"
    from supplier_product l left join item i on i.id = l.item left join supplier_offer o on o.item = l.item and o.supplier = l.supplier
    where (${supplier}::text is null or l.supplier = ${supplier}) and (${status}::text is null or l.status = ${status}) and (not ${held}::boolean or l.held_at is not null)
    order by l.supplier, l.product, l.face limit ${SHOWN_MOST}`.execute(db)
  return rows
}

/** Costs that jumped and wait for somebody. */
export async function countHeldCosts(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from supplier_product where held_at is not null`.execute(db)
  return rows[0]?.count ?? 0
}
