import { sql } from 'kysely'
import { z } from 'zod'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Setting } from '#features/base/setting/rules.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { rateAgeSetting, ratePolicySetting } from '#features/goods/currency/schema.ts'
import { paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'
import type { Money } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import { priceOf } from './engine/chain.ts'
import { listRules, readPricing } from './read/pricing.ts'
import { isInForce, type Priced, type PricedItem, type PriceTerms, type Pricing } from './rules.ts'
import { priceTermsSetting } from './schema.ts'

export { listRules, pricingOf, readPricing, type PricingNow } from './read/pricing.ts'
export {
  lockPrices,
  readPriceVersion,
  readSoldUnits,
  readWorld,
  type PriceWorld,
} from './read/world.ts'

/** An item's price at a moment, with what it was made of. */
export interface ExplainedPrice {
  readonly code: string
  readonly currency: Currency
  readonly priced: Priced
}

/**
 * Works out what an item cost at a moment from what was recorded until then: the same chain as pages and orders. Null for an item or a currency that
 * the shop has not, or had not yet.
 */
export async function explainPrice(
  db: Db,
  code: string,
  { currency, level, at }: { readonly currency: string; readonly level: number; readonly at: Date },
): Promise<ExplainedPrice | null> {
  const item = await db
    .selectFrom('item as i')
    .innerJoin('product as p', 'p.code', 'i.product')
    .select(['i.id', 'p.brand', 'p.region'])
    .where('i.code', '=', code)
    .executeTakeFirst()
  const pricing = await readPricingAt(db, at)
  const to = pricing.currencies.get(currency)
  const then = item && (await readItemAt(db, item, at))
  if (!then || !to) return null
  const price = level === 0 ? null : await readLevelPriceAt(db, item.id, level, at)
  return { code, currency: to, priced: priceOf(pricing, then, to, { level, price }) }
}

/** What prices were worked out from at a moment of the past. */
async function readPricingAt(db: Db, at: Date): Promise<Pricing> {
  const settings = new Map(
    (await readInputs(db, 'setting', null, at)).map(({ subject, value }) => [subject, value]),
  )
  const settingAt = <T>({ key, schema, fallback }: Setting<T>): T => {
    const parsed = schema.safeParse(settings.get(key))
    return parsed.success ? parsed.data : fallback
  }
  const terms = new Map(
    (await readInputs(db, 'currency', null, at)).map(({ subject, value }) => [subject, value]),
  )
  const currencies = await listCurrencies(db, at, {
    maxAgeHours: settingAt(rateAgeSetting),
    days: settingAt(ratePolicySetting).stopDays,
  })
  return {
    at,
    currencies: new Map(
      currencies.map((currency) => [
        currency.code,
        { ...currency, ...currencyTerms(terms.get(currency.code)) },
      ]),
    ),
    rules: (await listRules(db, { all: true })).filter((rule) => isInForce(rule, at)),
    terms: settingAt(priceTermsSetting),
    methods: settingAt(paymentMethodsSetting),
  }
}

interface Input {
  readonly subject: string
  readonly value: unknown
}

/** The newest of each subject until a moment; those that were gone by then are left out. @param of all whose name begins so; null for every one */
async function readInputs(
  db: Db,
  kind: 'item' | 'cost' | 'level_price' | 'currency' | 'setting',
  of: string | null,
  at: Date,
): Promise<readonly Input[]> {
  const { rows } = await sql<Input>`
    select distinct on (subject) subject, value from price_input
    where kind = ${kind} and recorded_at <= ${at} and (${of}::text is null or subject = ${of} or starts_with(subject, ${of} || ':'))
    order by subject, recorded_at desc, id desc`.execute(db)
  return rows.filter(({ value }) => value !== null)
}

const money = { minor: z.string().transform(BigInt).nullable(), currency: z.string().nullable() }
const itemInput = z.object({
  price_minor: z.string().transform(BigInt),
  price_currency: z.string(),
  own_prices: z.record(z.string(), z.string().transform(BigInt)),
  cost_minor: money.minor,
  cost_currency: money.currency,
})
const costInput = z.object({
  cost_minor: z.string().transform(BigInt),
  cost_currency: z.string(),
  priority: z.int(),
  is_on: z.boolean(),
})
const levelInput = z.object({
  price_minor: z.string().transform(BigInt),
  price_currency: z.string(),
})
const currencyInput = z.object({
  minor_units: z.int(),
  rounding_increment: z.string().transform(BigInt),
  rounding_mode: z.enum(['half_up', 'up']),
  margin_basis_points: z.int(),
})

function currencyTerms(value: unknown): Partial<Currency> {
  if (value === undefined) return {}
  const row = currencyInput.parse(value)
  return {
    minorUnits: row.minor_units,
    roundingIncrement: row.rounding_increment,
    roundingMode: row.rounding_mode,
    marginBasisPoints: row.margin_basis_points,
  }
}

async function readItemAt(
  db: Db,
  { id, brand, region }: { readonly id: string; readonly brand: string; readonly region: string },
  at: Date,
): Promise<PricedItem | null> {
  const [input] = await readInputs(db, 'item', id, at)
  if (!input) return null
  const row = itemInput.parse(input.value)
  const [offer] = (await readInputs(db, 'cost', id, at))
    .map(({ subject, value }) => ({
      supplier: subject.slice(id.length + 1),
      ...costInput.parse(value),
    }))
    .filter((one) => one.is_on)
    .toSorted((a, b) => a.priority - b.priority || (a.supplier < b.supplier ? -1 : 1))
  const own =
    row.cost_minor === null || row.cost_currency === null
      ? null
      : { supplier: null, minor: row.cost_minor, currency: row.cost_currency }
  const owns = Object.entries(row.own_prices)
  return {
    priceMinor: row.price_minor,
    priceCurrency: row.price_currency,
    ownPrices: owns.length === 0 ? null : new Map(owns),
    cost: offer
      ? { supplier: offer.supplier, minor: offer.cost_minor, currency: offer.cost_currency }
      : own,
    brand,
    region,
  }
}

async function readLevelPriceAt(
  db: Db,
  item: string,
  level: number,
  at: Date,
): Promise<Money | null> {
  const [input] = await readInputs(db, 'level_price', `${item}:${level}`, at)
  if (!input) return null
  const row = levelInput.parse(input.value)
  return { minor: row.price_minor, currency: row.price_currency }
}

/** What the owner says of prices as a whole. */
export const readPriceTerms = (db: Db): Promise<PriceTerms> => readSetting(db, priceTermsSetting)

/** An item on sale that has no price in some currency it was priced in, as too little would remain over its cost. */
export interface WithheldPrice {
  readonly code: string
  readonly currencies: readonly string[]
}

/** Of prices that somebody has set: those the chain makes are raised to the floor. Nothing is read where no floor is set. */
export async function listWithheld(db: Db): Promise<readonly WithheldPrice[]> {
  if ((await readSetting(db, priceTermsSetting)).floor === null) return []
  const pricing = await readPricing(db)
  const { rows } = await sql<{
    code: string
    brand: string
    region: string
    priceMinor: string
    priceCurrency: string
    ownPrices: Record<string, string>
    supplier: string | null
    costMinor: string
    costCurrency: string
  }>`
    select i.code, p.brand, p.region, i.price_minor::text as "priceMinor", i.price_currency as "priceCurrency", i.own_prices as "ownPrices",
      c.supplier, coalesce(c.cost_minor, i.cost_minor)::text as "costMinor", coalesce(c.cost_currency, i.cost_currency) as "costCurrency"
    from item i join product p on p.code = i.product
    left join (
      select distinct on (o.item) o.item, o.supplier, o.cost_minor, o.cost_currency from supplier_offer o join supplier s on s.code = o.supplier
      where o.is_on and s.status = 'on' order by o.item, o.priority, o.supplier
    ) c on c.item = i.id
    where i.status = 'active' and coalesce(c.cost_minor, i.cost_minor) is not null order by i.code`.execute(
    db,
  )
  return rows.flatMap((row) => {
    const own = new Map(Object.entries(row.ownPrices).map(([code, minor]) => [code, BigInt(minor)]))
    const item: PricedItem = {
      priceMinor: BigInt(row.priceMinor),
      priceCurrency: row.priceCurrency,
      ownPrices: own,
      cost: { supplier: row.supplier, minor: BigInt(row.costMinor), currency: row.costCurrency },
      brand: row.brand,
      region: row.region,
    }
    const currencies = [row.priceCurrency, ...own.keys()].filter((code) => {
      const currency = pricing.currencies.get(code)
      return currency && priceOf(pricing, item, currency).withheld === 'below_floor'
    })
    return currencies.length === 0 ? [] : [{ code: row.code, currencies }]
  })
}
