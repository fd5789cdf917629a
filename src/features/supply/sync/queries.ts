import { sql } from 'kysely'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { SyncGround } from './engine/plan.ts'
import type { KnownItem, Listing, ListingStatus, SyncMode } from './rules.ts'

export {
  countEntries,
  LISTING_VIEWS,
  listEntries,
  type ListedEntry,
  type ListingPlace,
  type ListingView,
} from './read/listings.ts'
export { countFailedSyncs, listRuns, listSchedules, type SyncRun } from './read/runs.ts'

/** Whose rows a sync made. */
export const sourceOf = (supplier: string) => `supplier:${supplier}`

export async function readGround(db: Db | Tx, supplier: string): Promise<SyncGround> {
  const [items, listings, currencies, terms, countries] = [
    await readItems(db, supplier),
    await listListings(db, supplier),
    await listCurrencies(db),
    await readSetting(db, priceTermsSetting),
    await db
      .selectFrom('country')
      .select(['code', 'alpha3', 'name', 'dial_code as callingCode', 'currency'])
      .execute(),
  ]
  return {
    supplier,
    items,
    listings,
    digits: new Map(currencies.map(({ code, minorUnits }) => [code, minorUnits])),
    countries: new Map(countries.map((country) => [country.code, country])),
    jumpBasisPoints: terms.jumpBasisPoints,
  }
}

const money = (minor: string | null, currency: string | null): Money | null =>
  minor === null || currency === null ? null : { minor: BigInt(minor), currency }

interface ItemRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly kind: string
  readonly units: string | null
  readonly faceMinor: string | null
  readonly faceCurrency: string | null
  readonly reference: string | null
  readonly status: string
  readonly source: string
  readonly brandName: string
  readonly brandKind: string
  readonly delivery: string
  readonly product: string
  readonly brand: string
  readonly countries: string[] | null
  readonly rechargeCountry: string | null
  readonly productCurrency: string | null
  readonly freeMin: string | null
  readonly freeMax: string | null
  readonly freeStep: string | null
  readonly isFreeLocked: boolean
  readonly dataMb: number | null
  readonly days: number | null
  readonly buyerCountries: string[] | null
  readonly blockedCountries: string[]
  readonly minAge: number | null
  readonly otherOffers: number
  readonly offerProduct: string | null
  readonly offerFaceMinor: string | null
  readonly offerFaceCurrency: string | null
  readonly offerCostMinor: string | null
  readonly offerCostCurrency: string | null
  readonly offerIsOn: boolean | null
}

async function readItems(db: Db | Tx, supplier: string): Promise<KnownItem[]> {
  const { rows } = await sql<ItemRow>`
    select i.id, i.code, i.name, i.kind, i.units::text as units, i.face_minor::text as "faceMinor", p.face_currency as "faceCurrency",
      p.code as product, p.brand, p.face_currency as "productCurrency", upper(b.recharge ->> 'country') as "rechargeCountry", i.face_min_minor::text as "freeMin", i.face_max_minor::text as "freeMax",
      i.face_step_minor::text as "freeStep", 'free_amount' = any(i.locked_fields) as "isFreeLocked", i.data_mb as "dataMb", i.days, i.buyer_countries as "buyerCountries", i.blocked_countries as "blockedCountries", p.min_age as "minAge",
      case when i.source like 'supplier:%' and i.source <> ${sourceOf(supplier)} then null else i.source_reference end as reference, i.status, i.source, b.name as "brandName", b.kind as "brandKind", b.delivery, p.countries,
      coalesce(others.count, 0)::integer as "otherOffers", o.product as "offerProduct", o.face_minor::text as "offerFaceMinor",
      o.face_currency as "offerFaceCurrency", o.cost_minor::text as "offerCostMinor", o.cost_currency as "offerCostCurrency", o.is_on as "offerIsOn"
    from item i join product p on p.code = i.product join brand b on b.code = p.brand
    left join supplier_offer o on o.item = i.id and o.supplier = ${supplier}
    left join (
      select item, count(*) as count from supplier_offer x join supplier s on s.code = x.supplier
      where x.supplier <> ${supplier} and x.is_on and s.status = 'on' group by item
    ) others on others.item = i.id
    order by i.code`.execute(db)
  return rows.map((row) => knownOf(row, sourceOf(supplier)))
}

function knownOf(
  {
    status,
    source,
    faceMinor,
    faceCurrency,
    productCurrency,
    freeMin,
    freeMax,
    freeStep,
    buyerCountries,
    blockedCountries,
    minAge,
    ...row
  }: ItemRow,
  own: string,
): KnownItem {
  return {
    ...row,
    face: money(faceMinor, faceCurrency),
    faceCurrency: productCurrency,
    free:
      freeMin === null || freeMax === null || freeStep === null
        ? null
        : { min: BigInt(freeMin), max: BigInt(freeMax), step: BigInt(freeStep) },
    limits: { buyerCountries, blockedCountries, minAge },
    isActive: status === 'active',
    isOwn: source === own,
    offer: offerOf(row),
  }
}

function offerOf(
  row: Pick<
    ItemRow,
    | 'offerProduct'
    | 'offerFaceMinor'
    | 'offerFaceCurrency'
    | 'offerCostMinor'
    | 'offerCostCurrency'
    | 'offerIsOn'
  >,
): KnownItem['offer'] {
  const cost = money(row.offerCostMinor, row.offerCostCurrency)
  if (row.offerProduct === null || cost === null) return null
  return {
    product: row.offerProduct,
    face: money(row.offerFaceMinor, row.offerFaceCurrency),
    cost,
    isOn: row.offerIsOn ?? false,
  }
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
      limits: row.sync_limits as SyncMode,
    },
    isLocked: row.is_locked,
    tookOff: row.took_off,
    held: money(row.held_minor, row.held_currency),
    heldAt: row.held_at,
    refused: money(row.refused_minor, row.refused_currency),
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
