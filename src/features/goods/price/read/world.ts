import { sql } from 'kysely'
import { isOffered } from '#features/goods/currency/rules.ts'
import { idAt } from '#kernel/uuid.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { createTurns } from '#platform/turns.ts'
import type { SoldUnits, TrialItem } from '../engine/trial.ts'
import type { Pricing } from '../rules.ts'
import { readPricing } from './pricing.ts'

/** Everything that prices of now are made of, as far as a change is tried on it. */
export interface PriceWorld {
  readonly pricing: Pricing
  readonly items: readonly TrialItem[]
  /** Codes of the currencies that something is sold in, in the shop's order. */
  readonly currencies: readonly string[]
  /** Is another one as soon as a price is made of something else. */
  readonly version: string
}

/**
 * Reads what prices are made of. @param of codes, where only some are tried; null for all that are on sale
 * @param all what is not on sale as well
 */
export async function readWorld(
  db: Db | Tx,
  of: readonly string[] | null = null,
  { all = false }: { readonly all?: boolean } = {},
): Promise<PriceWorld> {
  const version = await readPriceVersion(db)
  const [pricing, items] = [await readPricing(db), await readItems(db, of, all)]
  const currencies = [...pricing.currencies.values()].filter(isOffered).map(({ code }) => code)
  return { pricing, items, currencies, version }
}

interface ItemRow {
  readonly id: string
  readonly code: string
  readonly product: string
  readonly brand: string
  readonly region: string
  readonly priceMinor: string
  readonly priceCurrency: string
  readonly ownPrices: Readonly<Record<string, string>>
  readonly airtimeFace: string | null
  readonly supplier: string | null
  readonly costMinor: string | null
  readonly costCurrency: string | null
  readonly levels: Readonly<Record<string, readonly [string, string]>> | null
  readonly isOnSale: boolean
}

async function readItems(
  db: Db | Tx,
  of: readonly string[] | null,
  all: boolean,
): Promise<TrialItem[]> {
  const codes = of && [...of]
  const { rows } = await sql<ItemRow>`
    select i.id, i.code, i.product, p.brand, p.region, i.price_minor::text as "priceMinor", i.price_currency as "priceCurrency", i.own_prices as "ownPrices",
      case when i.kind = 'airtime' then i.face_minor::text end as "airtimeFace", c.supplier, coalesce(c.cost_minor, i.cost_minor)::text as "costMinor", coalesce(c.cost_currency, i.cost_currency) as "costCurrency", l.levels,
      (${codes}::text[] is not null or i.status = 'active') as "isOnSale"
    from item i join product p on p.code = i.product
    left join (
      select distinct on (o.item) o.item, o.supplier, o.cost_minor, o.cost_currency from supplier_offer o join supplier s on s.code = o.supplier
      where o.is_on and s.status = 'on' order by o.item, o.priority, o.supplier
    ) c on c.item = i.id
    left join (
      select item, jsonb_object_agg(level, jsonb_build_array(price_minor::text, price_currency)) as levels from item_level_price group by item
    ) l on l.item = i.id
    where case when ${codes}::text[] is null then ${all} or i.status = 'active' else i.code = any(${codes}::text[]) end order by i.code`.execute(
    db,
  )
  const giveWay = createTurns()
  const items: TrialItem[] = []
  for (const row of rows) {
    items.push(itemOf(row))
    await giveWay()
  }
  return items
}

function itemOf(row: ItemRow): TrialItem {
  const own = Object.entries(row.ownPrices)
  const { costMinor, costCurrency } = row
  return {
    id: row.id,
    code: row.code,
    product: row.product,
    brand: row.brand,
    region: row.region,
    priceMinor: BigInt(row.priceMinor),
    priceCurrency: row.priceCurrency,
    ownPrices: own.length === 0 ? null : new Map(own.map(([key, minor]) => [key, BigInt(minor)])),
    cost:
      costMinor === null || costCurrency === null
        ? null
        : { supplier: row.supplier, minor: BigInt(costMinor), currency: costCurrency },
    levels: new Map(
      Object.entries(row.levels ?? {}).map(([level, [minor, currency]]) => [
        Number(level),
        { minor: BigInt(minor), currency },
      ]),
    ),
    airtimeFace: row.airtimeFace === null ? null : BigInt(row.airtimeFace),
    isOnSale: row.isOnSale,
  }
}

/** One number for "prices are being changed by an operator", so that two take turns. */
const LOCK = 7_126_036

/** From here to the end of the transaction no other operator changes prices. */
export async function lockPrices(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

/** Changes as soon as any price is made of something else: an input, a rule, a rate. */
export async function readPriceVersion(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select md5(concat_ws('|',
      (select max(id) from price_input),
      (select string_agg(id::text, ',' order by id) from margin_rule
        where valid_from <= clock_timestamp() and (valid_until is null or valid_until > clock_timestamp())),
      (select string_agg(c.code || ' ' || r.observed_at, ',' order by c.code) from currency c
        cross join lateral (select observed_at from currency_rate r where r.currency = c.code order by r.observed_at desc limit 1) r),
      (select string_agg(code || ' ' || is_checkout, ',' order by code) from currency)
    )) as version`.execute(db)
  return rows[0]?.version ?? ''
}

const SOLD_DAYS = 30
/** Whoever tries a change waits no longer for what was sold: it is told without. */
const SOLD_MS = 2_000
const CANCELLED = '57014'
const DAY_MS = 86_400_000

/** What was delivered in the last thirty days, by item and currency, with what each unit cost: of its purchase, of the batch of its key, or as the catalogue has it. */
export async function readSoldUnits(db: Db, now: Date): Promise<readonly SoldUnits[]> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(SOLD_MS)}, true)`.execute(tx)
      return await soldIn(tx, now)
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === CANCELLED) return []
    throw error
  }
}

async function soldIn(db: Tx, now: Date): Promise<SoldUnits[]> {
  const since = new Date(now.getTime() - SOLD_DAYS * DAY_MS)
  const { rows } = await sql<{
    item: string
    currency: string
    units: string
    costMinor: string | null
  }>`
    with rates as materialized (select code, minor_per_dollar(code) as per_dollar from currency)
    select u.item, o.currency, count(*)::text as units,
      case when count(*) = count(c.minor) then round(sum(c.minor * t.per_dollar / f.per_dollar))::text end as "costMinor"
    from order_unit u join shop_order o on o.id = u.order_id
    left join lateral (
      select p.actual_minor::numeric / p.quantity as minor, p.currency from purchase_unit d join purchase p on p.id = d.purchase_id
      where d.unit_id = u.id and d.is_done and p.actual_minor is not null limit 1
    ) b on u.delivery = 'direct_charge' or u.to_order
    left join lateral (
      select k.cost_minor::numeric as minor, k.cost_currency as currency from card_key c join key_batch k on k.id = c.batch_id
      where c.unit_id = u.id and k.cost_minor is not null
    ) k on u.delivery = 'card_key'
    left join item i on i.id = u.item
    cross join lateral (
      select coalesce(b.minor, k.minor, i.cost_minor::numeric) as minor,
        case when b.minor is not null then b.currency when k.minor is not null then k.currency else i.cost_currency end::text as currency
    ) c
    left join rates t on t.code = o.currency left join rates f on f.code = c.currency
    where u.id >= ${idAt(since.getTime() - DAY_MS)}::uuid and u.status = 'delivered' and u.delivered_at > ${since} and u.item is not null
    group by u.item, o.currency`.execute(db)
  return rows.map(({ item, currency, units, costMinor }) => ({
    item,
    currency,
    units: BigInt(units),
    costMinor: costMinor === null ? null : BigInt(costMinor),
  }))
}
