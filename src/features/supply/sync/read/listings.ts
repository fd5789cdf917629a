import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { ListingStatus, SyncMode } from '../rules.ts'

/** What of a supplier's list waits for somebody, or is shown by its state. */
export const LISTING_VIEWS = [
  'jumps',
  'matches',
  'draft',
  'unmatched',
  'mapped',
  'excluded',
  'gone',
] as const
export type ListingView = (typeof LISTING_VIEWS)[number]

/** Where a page begins: behind that listing. */
export interface ListingPlace {
  readonly product: string
  readonly face: string
}

export interface ListedEntry extends ListingPlace {
  readonly name: string
  readonly kind: string
  readonly brand: string | null
  readonly country: string | null
  readonly status: ListingStatus
  readonly matchedBy: string | null
  readonly score: number | null
  readonly isLocked: boolean
  readonly modes: Readonly<Record<'cost' | 'stock' | 'name' | 'faces' | 'limits', SyncMode>>
  readonly stock: number | null
  readonly cost: string | null
  readonly costCurrency: string | null
  readonly held: string | null
  readonly heldCurrency: string | null
  /** Of ours, where it is one. */
  readonly item: string | null
  readonly itemName: string | null
  readonly ourProduct: string | null
  readonly productName: string | null
  readonly price: string | null
  readonly priceCurrency: string | null
  readonly offerCost: string | null
  readonly offerCurrency: string | null
}

const where = (view: ListingView) => {
  if (view === 'jumps') return sql`l.held_at is not null`
  if (view === 'matches') return sql`l.matched_by = 'name' and l.status in ('mapped','draft')`
  return sql`l.status = ${view}`
}

/** What a supplier lists, a page at a time, by the supplier's own names. */
export async function listEntries(
  db: Db,
  {
    supplier,
    view,
    after,
    limit,
  }: {
    readonly supplier: string
    readonly view: ListingView
    readonly after: ListingPlace | null
    readonly limit: number
  },
): Promise<ListedEntry[]> {
  const { rows } = await sql<ListedEntry>`
    select l.product, l.face, l.name, l.kind, l.brand, l.country, l.status, l.matched_by as "matchedBy", l.score, l.is_locked as "isLocked", l.stock,
      json_build_object('cost', l.sync_cost, 'stock', l.sync_stock, 'name', l.sync_name, 'faces', l.sync_faces, 'limits', l.sync_limits) as modes,
      l.cost_minor::text as cost, l.cost_currency as "costCurrency", l.held_minor::text as held, l.held_currency as "heldCurrency",
      i.code as item, i.name as "itemName", p.code as "ourProduct", b.name as "productName", i.price_minor::text as price, i.price_currency as "priceCurrency",
      o.cost_minor::text as "offerCost", o.cost_currency as "offerCurrency"
    from supplier_product l left join item i on i.id = l.item left join product p on p.code = i.product left join brand b on b.code = p.brand
    left join supplier_offer o on o.item = l.item and o.supplier = l.supplier
    where l.supplier = ${supplier} and ${where(view)} and (l.product, l.face) > (${after?.product ?? ''}, ${after?.face ?? ''})
    order by l.product, l.face limit ${limit}`.execute(db)
  return rows
}

const COUNTED_MOST = 1_000

/** How many there are of each; up to a thousand. */
export async function countEntries(
  db: Db,
  supplier: string,
): Promise<Readonly<Record<ListingView, number>>> {
  const counts = LISTING_VIEWS.map(
    (view) =>
      sql`(select count(*)::integer from (select from supplier_product l where l.supplier = ${supplier} and ${where(view)} limit ${COUNTED_MOST}) as counted) as ${sql.ref(view)}`,
  )
  const { rows } = await sql<Record<ListingView, number>>`select ${sql.join(counts)}`.execute(db)
  return (
    rows[0] ?? { jumps: 0, matches: 0, draft: 0, unmatched: 0, mapped: 0, excluded: 0, gone: 0 }
  )
}
