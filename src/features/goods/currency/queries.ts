import { readSetting } from '#features/base/setting/queries.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { rateOf, rateValidUntil, usdMinorOf, type Currency } from './rules.ts'
import { rateAgeSetting } from './schema.ts'

/** Every currency with the newest rate, in the shop's order. */
export async function listCurrencies(db: Db | Tx): Promise<Currency[]> {
  const maxAgeHours = await readSetting(db, rateAgeSetting)
  const rows = await db
    .selectFrom('currency as c')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('currency_rate as r')
          .select(['r.per_usd', 'r.observed_at', 'r.source'])
          .whereRef('r.currency', '=', 'c.code')
          .orderBy('r.observed_at', 'desc')
          .limit(1)
          .as('rate'),
      (join) => join.onTrue(),
    )
    .selectAll('c')
    .select(['rate.per_usd', 'rate.observed_at', 'rate.source'])
    .orderBy('c.position')
    .execute()
  return rows.map((row) => ({
    code: row.code,
    name: row.name,
    symbol: row.symbol,
    minorUnits: row.minor_units,
    roundingIncrement: BigInt(row.rounding_increment),
    roundingMode: row.rounding_mode === 'up' ? 'up' : 'half_up',
    marginBasisPoints: row.margin_basis_points,
    isCheckout: row.is_checkout,
    perUsd: row.per_usd === null ? null : rateOf(row.per_usd),
    rateObservedAt: row.observed_at,
    rateValidUntil:
      row.observed_at === null || row.source === null
        ? null
        : rateValidUntil(
            row.code,
            { observedAt: row.observed_at, source: row.source },
            maxAgeHours,
          ),
  }))
}

/** What an amount counts against limits, in US cents; null where no rate is known. */
export async function readUsdMinor(db: Db | Tx, money: Money): Promise<bigint | null> {
  return usdMinorOf(money, await listCurrencies(db))
}
