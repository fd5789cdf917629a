import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { readPayMethods } from '#features/goods/pay-method/queries.ts'
import type { PayMethod } from '#features/goods/pay-method/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { isInForce, type MarginRule, type Pricing } from '../rules.ts'
import { priceTermsSetting } from '../schema.ts'

/** What prices of now are worked out from, with when something of it changes by itself. */
export interface PricingNow extends Pricing {
  /** A rule begins or ends, or a rate becomes too old; null while nothing does. */
  readonly changesAt: Date | null
}

/** The database's moment is that of prices: every process works out the same ones. @param notBefore of what a transaction has just written by a clock of its own */
export async function readPricing(db: Db | Tx, notBefore: Date | null = null): Promise<PricingNow> {
  return pricingOf(db, await listCurrencies(db), await readPayMethods(db), notBefore)
}

/** The same of currencies and ways to pay that were read already. */
export async function pricingOf(
  db: Db | Tx,
  currencies: readonly Currency[],
  methods: readonly PayMethod[],
  notBefore: Date | null = null,
): Promise<PricingNow> {
  const [rules, terms, { rows }] = await Promise.all([
    listRules(db),
    readSetting(db, priceTermsSetting),
    sql<{ at: Date }>`select clock_timestamp() as at`.execute(db),
  ])
  const own = rows[0]?.at ?? new Date(0)
  const at = notBefore !== null && notBefore > own ? notBefore : own
  return {
    at,
    currencies: new Map(currencies.map((currency) => [currency.code, currency])),
    rules: rules.filter((rule) => isInForce(rule, at)),
    terms,
    methods,
    changesAt: soonest(at, [
      ...rules.flatMap(({ validFrom, validUntil }) => [validFrom, validUntil]),
      ...currencies.map(({ rateValidUntil }) => rateValidUntil),
    ]),
  }
}

function soonest(after: Date, moments: readonly (Date | null)[]): Date | null {
  let first: Date | null = null
  for (const moment of moments)
    if (moment !== null && moment > after && (first === null || moment < first)) first = moment
  return first
}

/** Rules that hold or will hold, and with `all` those that are over; the newest last. */
export async function listRules(
  db: Db | Tx,
  { all = false }: { readonly all?: boolean } = {},
): Promise<MarginRule[]> {
  const rows = await db
    .selectFrom('margin_rule')
    .selectAll()
    .$if(!all, (query) =>
      query.where((row) =>
        row.or([
          row('valid_until', 'is', null),
          row('valid_until', '>', sql<Date>`clock_timestamp()`),
        ]),
      ),
    )
    .orderBy('valid_from')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    brand: row.brand,
    supplier: row.supplier,
    region: row.region,
    currency: row.currency,
    basisPoints: row.basis_points,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
  }))
}
