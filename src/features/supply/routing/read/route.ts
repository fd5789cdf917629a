import { sql } from 'kysely'
import { settingOf } from '#features/base/setting/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  affords,
  BALANCE_FRESH_MS,
  ranked,
  type Offer,
  type RouteCriterion,
  type Routing,
} from '../rules.ts'
import { routingSetting } from '../schema.ts'
import { inCurrency } from './convert.ts'

/** An item that is bought, with what is said of it alone. */
export interface RoutedItem {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly product: string
  readonly productName: string
  readonly delivery: string
  readonly price: Money
  /** Null: the shop's rule holds. */
  readonly rule: readonly RouteCriterion[] | null
  readonly lossBasisPoints: number | null
  /** Of cards: own keys, bought, or both. */
  readonly source: 'stock' | 'order' | 'both' | null
}

export async function findRoutedItem(db: Db, code: string): Promise<RoutedItem | null> {
  const { rows } = await sql<
    Omit<RoutedItem, 'price'> & { readonly price: string; readonly currency: string }
  >`
    select i.id, i.code, i.name, p.code as product, b.name as "productName", b.delivery, i.price_minor::text as price, i.price_currency as currency, r.rule,
      r.loss_basis_points as "lossBasisPoints", case when b.delivery = 'card_key' then coalesce(c.source, 'both') end as source
    from item i join product p on p.code = i.product join brand b on b.code = p.brand left join item_route r on r.item = i.id
    left join card_source c on c.item = i.id where i.code = ${code}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { price, currency, ...rest } = row
  return { ...rest, price: { minor: BigInt(price), currency } }
}

interface Row {
  readonly item: string
  readonly code: string
  readonly name: string
  readonly price: string
  readonly currency: string
  readonly supplier: string
  readonly priority: number
  readonly kind: Offer['kind']
  readonly product: string
  readonly cost: string
  readonly costCurrency: string
  readonly restsUntil: Date | null
  readonly isStopped: boolean
  readonly failures: number
  readonly p50Ms: number | null
  readonly available: string | null
  readonly rule: RouteCriterion[] | null
  readonly loss: number | null
}

const OFFERS = (now: Date) => sql`
  select o.item, i.code, i.name, i.price_minor::text as price, i.price_currency as currency, o.supplier, o.priority, o.kind, o.product, o.cost_minor::text as cost,
    o.cost_currency as "costCurrency", s.rests_until as "restsUntil", s.failures, s.p50_ms as "p50Ms", b.available_minor::text as available, r.rule, r.loss_basis_points as loss,
    exists (select from sale_stop x where x.kind = 'supplier' and x.code = s.code and x.ended_at is null) as "isStopped"
  from supplier_offer o join supplier s on s.code = o.supplier and s.status = 'on' join item i on i.id = o.item left join item_route r on r.item = o.item
  left join supplier_balance b on b.supplier = o.supplier and b.currency = o.cost_currency and b.asked_at > ${new Date(now.getTime() - BALANCE_FRESH_MS)}`

const STOPPED_MS = 20_000

function offerOf(
  row: Row,
  currencies: readonly Currency[],
  lossBasisPoints: number,
  now: Date,
): Omit<Offer, 'place'> {
  const cost = { minor: BigInt(row.cost), currency: row.costCurrency }
  const price = BigInt(row.price)
  const limit = {
    minor: price + (price * BigInt(lossBasisPoints)) / 10_000n,
    currency: row.currency,
  }
  return {
    supplier: row.supplier,
    priority: row.priority,
    kind: row.kind,
    product: row.product,
    face: null,
    costMinor: cost.minor,
    costCurrency: cost.currency,
    maxMinor: inCurrency(limit, cost.currency, currencies),
    fields: {},
    fixed: {},
    restsUntil: row.isStopped ? new Date(now.getTime() + STOPPED_MS) : row.restsUntil,
    hasFailed: false,
    priceRefusals: 0,
    measures: {
      costMinor: inCurrency(cost, row.currency, currencies),
      failures: row.failures,
      p50Ms: row.p50Ms,
      affords: affords(row.available === null ? null : BigInt(row.available), cost.minor),
    },
  }
}

/** The offers of one item in the order in which they would be asked for a unit at its price. @param tried rule and loss that are tried; left out, those that hold */
export async function routeOf(
  db: Db | Tx,
  item: Pick<RoutedItem, 'id'>,
  now: Date,
  tried?: Pick<ItemTrial, 'rule' | 'lossBasisPoints'>,
): Promise<{ readonly offers: Offer[]; readonly rule: readonly RouteCriterion[] }> {
  const { rows } =
    await sql<Row>`${OFFERS(now)} where o.item = ${item.id} and o.is_on order by o.supplier`.execute(
      db,
    )
  const shop = await readRouting(db)
  const [first] = rows
  const own = tried ?? { rule: first?.rule ?? null, lossBasisPoints: first?.loss ?? null }
  const rule = own.rule ?? shop.rule
  const currencies = await listCurrencies(db)
  const loss = own.lossBasisPoints ?? shop.lossBasisPoints
  return {
    offers: ranked(
      rows.map((row) => offerOf(row, currencies, loss, now)),
      rule,
    ),
    rule,
  }
}

interface ItemTrial {
  readonly rule: readonly RouteCriterion[] | null
  readonly lossBasisPoints: number | null
}

export async function readRouting(db: Db | Tx): Promise<Routing> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', routingSetting.key)
    .executeTakeFirst()
  return settingOf(routingSetting, row?.value)
}

/** An item that another supplier would be asked first for. */
export interface Moved {
  readonly item: string
  readonly name: string
  readonly from: string
  readonly to: string
}

export interface RuleEffect {
  /** Items that more than one supplier sells, and that go by the shop's rule. */
  readonly looked: number
  readonly moved: number
  /** The first of them. */
  readonly examples: readonly Moved[]
}

const TRIED_MOST = 60_000
const EXAMPLES = 20

/** What another rule of the shop would do, by what is known of suppliers now. */
export async function tryRule(
  db: Db,
  now: Date,
  rule: readonly RouteCriterion[],
): Promise<RuleEffect> {
  const { rows } = await sql<Row>`
    ${OFFERS(now)} where o.is_on and r.rule is null and o.item in (select x.item from supplier_offer x join supplier y on y.code = x.supplier and y.status = 'on'
      where x.is_on group by x.item having count(*) > 1) order by o.item, o.supplier limit ${TRIED_MOST}`.execute(
    db,
  )
  const [shop, currencies] = [await readRouting(db), await listCurrencies(db)]
  const moved: Moved[] = []
  let looked = 0
  for (const [row, ...others] of Map.groupBy(rows, ({ item }) => item).values()) {
    if (!row) continue
    looked += 1
    const offers = [row, ...others].map((each) => offerOf(each, currencies, 0, now))
    const [from, to] = [ranked(offers, shop.rule)[0], ranked(offers, rule)[0]]
    if (from && to && from.supplier !== to.supplier)
      moved.push({ item: row.code, name: row.name, from: from.supplier, to: to.supplier })
  }
  return { looked, moved: moved.length, examples: moved.slice(0, EXAMPLES) }
}

export interface OfferRow {
  readonly item: string
  readonly name: string
  readonly productName: string
  readonly priority: number
  readonly isOn: boolean
  readonly theirs: string
  readonly cost: string
  readonly costCurrency: string
  readonly price: string
  readonly priceCurrency: string
  /** How many suppliers sell it. */
  readonly suppliers: number
  readonly hasRule: boolean
}

/** What is bought at a supplier, by the items' codes, a page at a time. @param search the beginning of a code */
export async function listOffers(
  db: Db,
  {
    supplier,
    search,
    after,
    limit,
  }: {
    readonly supplier: string
    readonly search: string
    readonly after: string
    readonly limit: number
  },
): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    select i.code as item, i.name, br.name as "productName", o.priority, o.is_on as "isOn", o.product as theirs, o.cost_minor::text as cost, o.cost_currency as "costCurrency",
      i.price_minor::text as price, i.price_currency as "priceCurrency", r.rule is not null as "hasRule",
      (select count(*)::integer from supplier_offer x where x.item = o.item and x.is_on) as suppliers
    from supplier_offer o join item i on i.id = o.item join product p on p.code = i.product join brand br on br.code = p.brand left join item_route r on r.item = o.item
    where o.supplier = ${supplier} and i.code > ${after} and (${search} = '' or starts_with(i.code, ${search}))
    order by i.code limit ${limit}`.execute(db)
  return rows
}
