import { sql } from 'kysely'
import { settingOf } from '#features/base/setting/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  affords,
  BALANCE_FRESH_MS,
  ranked,
  TROUBLE_FROM,
  type Offer,
  type RouteCriterion,
  type Routing,
} from './rules.ts'
import { inCurrency } from './read/convert.ts'
import { routingSetting } from './schema.ts'

export { inCurrency } from './read/convert.ts'
export {
  findRoutedItem,
  listOffers,
  readRouting,
  routeOf,
  tryRule,
} from './read/route.ts'

interface OfferRow {
  readonly supplier: string
  readonly priority: number
  readonly kind: Offer['kind']
  readonly product: string
  readonly face: string | null
  readonly faceCurrency: string | null
  readonly cost: string
  readonly costCurrency: string
  readonly fields: Record<string, string>
  readonly fixed: Record<string, string>
  readonly restsUntil: Date | null
  readonly hasFailed: boolean
  readonly priceRefusals: number
  readonly failures: number
  readonly p50Ms: number | null
  readonly available: string | null
  readonly itemRule: RouteCriterion[] | null
  readonly itemLoss: number | null
  readonly setting: unknown
}

/** What is paid waits for a supplier that is stopped, and is looked at again as often as that. */
const STOPPED_MS = 20_000

/** A unit that is to be bought, at the price that was paid for it. */
export interface PaidUnit {
  readonly id: string
  readonly item: string
  readonly priceMinor: bigint
}

/**
 * What a unit's item is at each of its suppliers, in the order in which they are asked; of an amount that was asked for, its share of what
 * the item's face costs.
 */
export async function listSupplyOffers(
  tx: Tx,
  { id: unitId, item, priceMinor }: PaidUnit,
  { currency }: { readonly currency: string },
  now: Date,
): Promise<Offer[]> {
  const price = { minor: priceMinor, currency }
  const { rows } = await sql<OfferRow>`
    select o.supplier, o.priority, o.kind, o.product, coalesce(l.amount_minor, o.face_minor)::text as face, coalesce(l.amount_currency, o.face_currency) as "faceCurrency",
      case when l.amount_minor is null or coalesce(i.face_minor, 0) = 0 then o.cost_minor else ceil(o.cost_minor * l.amount_minor / i.face_minor) end::text as cost,
      o.cost_currency as "costCurrency", o.fields, o.fixed, case when exists (select from sale_stop x where x.kind = 'supplier' and x.code = s.code and x.ended_at is null) then greatest(s.rests_until, ${new Date(now.getTime() + STOPPED_MS)}) else s.rests_until end as "restsUntil",
      exists (select from purchase p join purchase_unit n on n.purchase_id = p.id
        where n.unit_id = ${unitId} and p.supplier = o.supplier and p.status = 'failed' and ((p.failure_class = 'stock' and p.quantity = 1) or (p.failure_class = 'supplier' and p.failure_code <> 'not_sent'))) as "hasFailed",
      (select count(*)::integer from purchase p join purchase_unit n on n.purchase_id = p.id
        where n.unit_id = ${unitId} and p.supplier = o.supplier and p.status = 'failed' and p.failure_class = 'price') as "priceRefusals",
      s.failures, s.p50_ms as "p50Ms", b.available_minor::text as available, r.rule as "itemRule", r.loss_basis_points as "itemLoss",
      (select value from setting where key = ${routingSetting.key}) as setting
    from supplier_offer o join supplier s on s.code = o.supplier join item i on i.id = o.item
    left join (order_unit u join order_line l on l.id = u.line_id) on u.id = ${unitId} left join item_route r on r.item = o.item
    left join supplier_balance b on b.supplier = o.supplier and b.currency = o.cost_currency and b.asked_at > ${new Date(now.getTime() - BALANCE_FRESH_MS)}
    where o.item = ${item} and o.is_on and s.status = 'on' order by o.supplier`.execute(tx)
  const [first] = rows
  if (!first) return []
  const shop = settingOf(routingSetting, first.setting)
  const routing = {
    ...shop,
    rule: first.itemRule ?? shop.rule,
    lossBasisPoints: first.itemLoss ?? shop.lossBasisPoints,
  }
  const isCapped = routing.lossBasisPoints > 0 && routing.lossUsdMinor !== null
  const isForeign = rows.some(({ costCurrency }) => costCurrency !== price.currency)
  const currencies =
    isForeign || (isCapped && price.currency !== US_DOLLAR.code) ? await listCurrencies(tx) : []
  const limit = { ...price, minor: price.minor + lossOf(price, routing, currencies) }
  const offers = rows.map((row) => offerOf(row, { price, limit, currencies }))
  return ranked(offers, routing.rule)
}

/** @param limit the most that it may cost, in the currency of its price */
function offerOf(
  row: OfferRow,
  {
    price,
    limit,
    currencies,
  }: { readonly price: Money; readonly limit: Money; readonly currencies: readonly Currency[] },
): Omit<Offer, 'place'> {
  const cost = { minor: BigInt(row.cost), currency: row.costCurrency }
  return {
    supplier: row.supplier,
    priority: row.priority,
    kind: row.kind,
    product: row.product,
    face:
      row.face === null || row.faceCurrency === null
        ? null
        : { minor: BigInt(row.face), currency: row.faceCurrency },
    costMinor: cost.minor,
    costCurrency: cost.currency,
    maxMinor: inCurrency(limit, cost.currency, currencies),
    fields: row.fields,
    fixed: row.fixed,
    restsUntil: row.restsUntil,
    hasFailed: row.hasFailed,
    priceRefusals: row.priceRefusals,
    measures: {
      costMinor: inCurrency(cost, price.currency, currencies),
      failures: row.failures,
      p50Ms: row.p50Ms,
      affords: affords(row.available === null ? null : BigInt(row.available), cost.minor),
    },
  }
}

/** How much more than its price a unit may cost. No more than the share where the other bound cannot be counted. */
function lossOf(
  price: Money,
  { lossBasisPoints, lossUsdMinor }: Routing,
  currencies: readonly Currency[],
): bigint {
  const share = (price.minor * BigInt(lossBasisPoints)) / 10_000n
  if (share === 0n || lossUsdMinor === null) return share
  const most = inCurrency(
    { minor: lossUsdMinor, currency: US_DOLLAR.code },
    price.currency,
    currencies,
  )
  return most !== null && most < share ? most : share
}

export interface SupplierState {
  readonly code: string
  readonly status: 'on' | 'off'
  readonly failures: number
  readonly restsUntil: Date | null
  readonly restsFor: 'trouble' | 'ours' | null
  readonly restsCode: string | null
  readonly offers: number
  readonly queued: number
  readonly open: number
  readonly inDoubt: number
}

/** The shop's suppliers, with what waits for each. */
export async function listSuppliers(db: Db): Promise<SupplierState[]> {
  const { rows } = await sql<SupplierState>`
    select s.code, s.status, s.failures, s.rests_until as "restsUntil", s.rests_for as "restsFor", s.rests_code as "restsCode",
      (select count(*)::integer from supplier_offer o where o.supplier = s.code and o.is_on) as offers,
      (select count(*)::integer from supply_queue q where q.supplier = s.code) as queued,
      (select count(*)::integer from purchase p where p.supplier = s.code and p.next_ask_at is not null) as open,
      (select count(*)::integer from purchase p where p.supplier = s.code and p.status = 'doubt') as "inDoubt"
    from supplier s order by s.code`.execute(db)
  return rows
}

/** How many purchases may be under way with a supplier: one that has failed for long is tried with one. */
export async function findPlaces(
  db: Db,
  supplier: string,
  most: number,
  now: Date,
): Promise<number> {
  const row = await db
    .selectFrom('supplier')
    .select(['failures', 'rests_until', 'rests_for'])
    .where('code', '=', supplier)
    .executeTakeFirst()
  if (!row) return 0
  const isResting = row.rests_until !== null && row.rests_until > now
  const isOnTrial = row.rests_for === 'ours' || row.failures >= TROUBLE_FROM
  // While it rests nothing is bought there: what waits is led to others, or put off.
  return isOnTrial && !isResting ? Math.min(1, most) : most
}
