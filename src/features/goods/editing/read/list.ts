import { sql, type RawBuilder } from 'kysely'
import { brandNameIn, regionNameIn } from '#features/goods/region/queries.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { matchesWords } from './words.ts'

export const STOCK_STATES = ['in', 'out', 'to_order'] as const
export type StockState = (typeof STOCK_STATES)[number]

/** What the list of goods is narrowed to; what is not said holds for all. */
export interface GoodsFilter {
  readonly find?: string
  readonly brand?: string
  readonly product?: string
  readonly kind?: string
  readonly region?: string
  readonly supplier?: string
  readonly status?: 'active' | 'suspended'
  readonly stock?: StockState
  readonly withoutCost?: true
  /** The price that is set is less than the cost of the same currency with the floor on it. */
  readonly belowFloor?: true
  readonly locked?: true
  /** By people, within the last days. */
  readonly changed?: true
}

const CHANGED_DAYS = 7

/** An item as the list shows it. */
export interface ListedItem {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly product: string
  readonly regionName: string
  readonly brand: string
  readonly brandName: string
  readonly kind: string
  readonly priceMinor: string
  readonly priceCurrency: string
  readonly costMinor: string | null
  readonly costCurrency: string | null
  readonly supplier: string | null
  readonly status: 'active' | 'suspended'
  /** Whether product and brand are sold as well. */
  readonly isAboveActive: boolean
  readonly position: number
  /** As the folder or an operator says it; null for goods that are not counted so. */
  readonly stock: number | null
  /** Keys on the shelf; null where nothing is counted. */
  readonly free: string | null
  readonly isToOrder: boolean
  readonly delivery: string
  readonly sold: string
  readonly locked: readonly string[]
}

/** Where a page begins: after that item, or before it. */
interface ListEdge {
  readonly key: string
  readonly direction: 'older' | 'newer'
}

/** The supplier that is asked first, and what it takes: the cost that prices are made of. */
const COST = sql`left join lateral (select o.supplier, o.cost_minor, o.cost_currency from supplier_offer o join supplier s on s.code = o.supplier
    where o.item = i.id and o.is_on and s.status = 'on' order by o.priority, o.supplier limit 1) c on true`

/** What the conditions of a filter speak of, and no more: a list is looked through quickly by what it does not read. */
function fromOf({ stock, withoutCost, belowFloor }: GoodsFilter): RawBuilder<unknown> {
  return sql`item i join product p on p.code = i.product join brand b on b.code = p.brand
    ${stock === undefined ? sql`` : sql`left join stock_level l on l.item = i.id`}
    ${withoutCost || belowFloor ? COST : sql``}`
}

function conditionsOf(filter: GoodsFilter, floorBasisPoints: number, since: Date) {
  const all: RawBuilder<unknown>[] = []
  if (filter.find !== undefined) all.push(matchesWords(filter.find))
  if (filter.brand !== undefined) all.push(sql`p.brand = ${filter.brand}`)
  if (filter.product !== undefined) all.push(sql`i.product = ${filter.product}`)
  if (filter.kind !== undefined) all.push(sql`b.kind = ${filter.kind}`)
  if (filter.region !== undefined) all.push(sql`p.region = ${filter.region}`)
  if (filter.supplier !== undefined)
    all.push(
      sql`i.id in (select o.item from supplier_offer o where o.supplier = ${filter.supplier} and o.is_on)`,
    )
  // Word by word, as the index on what is off says it.
  if (filter.status === 'suspended') all.push(sql`i.status = 'suspended'`)
  if (filter.status === 'active') all.push(sql`i.status = 'active'`)
  if (filter.stock === 'in') all.push(sql`(${IN_STOCK})`)
  if (filter.stock === 'out')
    all.push(sql`not (${IN_STOCK}) and not coalesce(l.is_to_order, false)`)
  if (filter.stock === 'to_order') all.push(sql`coalesce(l.is_to_order, false)`)
  if (filter.withoutCost) all.push(sql`i.cost_minor is null and c.cost_minor is null`)
  if (filter.belowFloor)
    all.push(sql`coalesce(c.cost_currency, i.cost_currency) = i.price_currency
      and i.price_minor * 10000 < coalesce(c.cost_minor, i.cost_minor) * ${10_000 + floorBasisPoints}::integer`)
  if (filter.locked) all.push(sql`i.locked_fields <> '{}'`)
  if (filter.changed)
    all.push(sql`i.code in (select r.code from goods_change g join goods_change_row r on r.change_id = g.id
      where g.made_at > ${since} and r.subject = 'item')`)
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}

/** Keys that are free, what a folder counts, or what is not counted at all. */
const IN_STOCK = sql`case when b.delivery = 'card_key' then coalesce(l.free, 0) + coalesce(i.stock, 0) > 0 else coalesce(i.stock, 1) > 0 end`

const rowIn = (
  language: LanguageCode,
) => sql`i.id, i.code, i.name, i.product, ${regionNameIn(language)} as "regionName", p.brand, ${brandNameIn(language)} as "brandName", b.kind,
  i.price_minor::text as "priceMinor", i.price_currency as "priceCurrency", coalesce(c.cost_minor, i.cost_minor)::text as "costMinor",
  coalesce(c.cost_currency, i.cost_currency) as "costCurrency", c.supplier, i.status, p.status = 'active' and b.status = 'active' as "isAboveActive",
  i.position, i.stock, l.free::text as free, coalesce(l.is_to_order, false) as "isToOrder", b.delivery, (i.sold + coalesce(l.sold, 0))::text as sold,
  i.locked_fields as locked`

export interface ListQuery {
  readonly filter: GoodsFilter
  readonly floorBasisPoints: number
  readonly now: Date
  readonly from: ListEdge | null
  readonly limit: number
  /** That regions are named in. */
  readonly language: LanguageCode
}

/**
 * Items of the list from an edge on, product by product and each in its order; always in that order, whichever way is gone. The page begins at
 * an item that the index finds, so that the thousandth costs what the first does.
 */
export async function listGoods(db: Db | Tx, query: ListQuery): Promise<readonly ListedItem[]> {
  const { from, limit } = query
  const isBack = from?.direction === 'newer'
  const order = isBack
    ? sql`i.product desc, i.position desc, i.id desc`
    : sql`i.product, i.position, i.id`
  const at = from
    ? sql`(i.product, i.position, i.id) ${isBack ? sql`<` : sql`>`} (select e.product, e.position, e.id from item e where e.code = ${from.key})`
    : sql`true`
  const { rows } = await sql<ListedItem>`
    with page as (
      select i.id from ${fromOf(query.filter)} where ${at} and ${conditions(query)} order by ${order} limit ${limit}
    )
    select ${rowIn(query.language)} from page join item i using (id) join product p on p.code = i.product join brand b on b.code = p.brand join region r on r.code = p.region
      left join stock_level l on l.item = i.id
      ${COST}
    order by i.product, i.position, i.id`.execute(db)
  return rows
}

const conditions = ({
  filter,
  floorBasisPoints,
  now,
}: Pick<ListQuery, 'filter' | 'floorBasisPoints' | 'now'>) =>
  conditionsOf(filter, floorBasisPoints, new Date(now.getTime() - CHANGED_DAYS * 86_400_000))

/** Codes of all that a filter reaches, one more than is asked for where there are more. */
export async function listGoodsCodes(
  db: Db | Tx,
  query: Omit<ListQuery, 'from' | 'language'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ code: string }>`
    select i.code from ${fromOf(query.filter)} where ${conditions(query)} order by i.product, i.position, i.id limit ${query.limit}`.execute(
    db,
  )
  return rows.map(({ code }) => code)
}
