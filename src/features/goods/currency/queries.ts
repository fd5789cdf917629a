import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { rateValidUntil } from './engine/choice.ts'
import { changeOf, crossRate, rateOf, usdMinorOf, type Currency, type DatedRate } from './rules.ts'
import { rateAgeSetting, ratePolicySetting } from './schema.ts'
import type { Ratio } from '#kernel/money.ts'

interface StoredRate extends DatedRate {
  readonly perUsd: Ratio
  readonly spreadBasisPoints: number
}

/** How old rates may become, as the owner wants it now. */
async function readAgeTerms(db: Db | Tx): Promise<AgeTerms> {
  return {
    maxAgeHours: await readSetting(db, rateAgeSetting),
    days: (await readSetting(db, ratePolicySetting)).stopDays,
  }
}

interface AgeTerms {
  readonly maxAgeHours: number
  readonly days: number
}

/**
 * Every currency with the rate in force, in the shop's order.
 * @param at the rates as they were then, where it is not now
 * @param age how old they might become then
 */
export async function listCurrencies(
  db: Db | Tx,
  at: Date | null = null,
  age: AgeTerms | null = null,
): Promise<Currency[]> {
  const terms = age ?? (await readAgeTerms(db))
  const [rows, rates] = [
    await db.selectFrom('currency').selectAll().orderBy('position').execute(),
    await readRates(db, at),
  ]
  return rows.map((row) => {
    const rate = rates.get(row.code)
    return {
      code: row.code,
      name: row.name,
      symbol: row.symbol,
      minorUnits: row.minor_units,
      roundingIncrement: BigInt(row.rounding_increment),
      roundingMode: row.rounding_mode === 'up' ? 'up' : 'half_up',
      marginBasisPoints: row.margin_basis_points,
      spreadBasisPoints: rate?.spreadBasisPoints ?? 0,
      isCheckout: row.is_checkout,
      perUsd: rate?.perUsd ?? null,
      rateObservedAt: rate?.observedAt ?? null,
      rateValidUntil: rate ? rateValidUntil(row.code, rate, terms) : null,
    }
  })
}

/** The newest row of each currency: those that came of quotes are worked out anew from what the source said, to the last digit. */
async function readRates(db: Db | Tx, at: Date | null): Promise<ReadonlyMap<string, StoredRate>> {
  const { rows } = await sql<{
    currency: string
    perUsd: string
    source: string
    observedAt: Date
    publishedAt: Date | null
    spreadBasisPoints: number
    perBase: string | null
    usdPerBase: string | null
  }>`select c.code as currency, r.per_usd::text as "perUsd", r.source, r.observed_at as "observedAt", r.published_at as "publishedAt",
      r.spread_basis_points as "spreadBasisPoints", q.per_base::text as "perBase", q.usd_per_base::text as "usdPerBase"
    from currency c
    cross join lateral (
      select * from currency_rate r where r.currency = c.code and (${at}::timestamptz is null or coalesce(r.recorded_at, r.observed_at) <= ${at})
      order by r.observed_at desc limit 1
    ) r left join rate_quote q on q.id = r.quote_id`.execute(db)
  return new Map(
    rows.map(({ currency, perUsd, perBase, usdPerBase, ...rate }) => [
      currency,
      {
        ...rate,
        perUsd:
          perBase === null || usdPerBase === null ? rateOf(perUsd) : crossRate(perBase, usdPerBase),
      },
    ]),
  )
}

/** What an amount counts against limits, in US cents; null where no rate is known. */
export async function readUsdMinor(db: Db | Tx, money: Money): Promise<bigint | null> {
  return usdMinorOf(money, await listCurrencies(db))
}

/** A rate of exchange as operators read it. */
export interface ListedRate {
  readonly currency: string
  readonly perUsd: Ratio
  readonly source: string
  readonly publishedAt: Date
  readonly inForceSince: Date
  readonly spreadBasisPoints: number
  /** From when on somebody is told, and from when on nothing is sold by it; null for one that stands until it is replaced. */
  readonly staleAt: Date | null
  readonly stopsAt: Date | null
}

/** The rates in force, now or at an earlier moment. */
export async function listRates(db: Db, at: Date | null = null): Promise<ListedRate[]> {
  const maxAgeHours = await readSetting(db, rateAgeSetting)
  const { staleDays, stopDays } = await readSetting(db, ratePolicySetting)
  const rates = await readRates(db, at)
  return [...rates]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, rate]) => ({
      currency,
      perUsd: rate.perUsd,
      source: rate.source,
      publishedAt: rate.publishedAt ?? rate.observedAt,
      inForceSince: rate.observedAt,
      spreadBasisPoints: rate.spreadBasisPoints,
      staleAt: rateValidUntil(currency, rate, { maxAgeHours, days: staleDays }),
      stopsAt: rateValidUntil(currency, rate, { maxAgeHours, days: stopDays }),
    }))
}

/** Rates too old to be trusted, of currencies that something is sold in or priced in. */
export async function listStaleRates(
  db: Db,
  now: Date,
): Promise<readonly (ListedRate & { readonly isStopped: boolean })[]> {
  const { rows } = await sql<{ code: string }>`
    select code from currency c where is_checkout or exists (select from item where price_currency = c.code and status = 'active')`.execute(
    db,
  )
  const used = new Set(rows.map(({ code }) => code))
  return (await listRates(db)).flatMap((rate) =>
    used.has(rate.currency) && rate.staleAt !== null && rate.staleAt < now
      ? [{ ...rate, isStopped: rate.stopsAt !== null && rate.stopsAt < now }]
      : [],
  )
}

/** A rate that is too far from the one in force to be used unseen. */
export interface HeldRate {
  readonly id: string
  readonly currency: string
  readonly source: string
  readonly perUsd: Ratio
  readonly publishedAt: Date
  readonly fetchedAt: Date
  /** Of the rate in force; null where there is none any more. */
  readonly inForce: Ratio | null
  /** How far it is from that one. */
  readonly changeBasisPoints: bigint | null
}

export async function listHeldRates(db: Db): Promise<HeldRate[]> {
  const rates = await readRates(db, null)
  const rows = await db
    .selectFrom('rate_quote')
    .selectAll()
    .where('state', '=', 'held')
    .orderBy('fetched_at')
    .orderBy('currency')
    .execute()
  return rows.map((row) => {
    const perUsd = crossRate(row.per_base, row.usd_per_base)
    const inForce = rates.get(row.currency)?.perUsd ?? null
    return {
      id: row.id,
      currency: row.currency,
      source: row.source,
      perUsd,
      publishedAt: row.published_at,
      fetchedAt: row.fetched_at,
      inForce,
      changeBasisPoints: inForce && changeOf(inForce, perUsd).basisPoints,
    }
  })
}

export async function countHeldRates(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('rate_quote')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** When a source published the newest of what is known of it; null while nothing is. */
export async function findNewestPublication(db: Db, source: string): Promise<Date | null> {
  const row = await db
    .selectFrom('rate_quote')
    .select((eb) => eb.fn.max('published_at').as('at'))
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.at ?? null
}
