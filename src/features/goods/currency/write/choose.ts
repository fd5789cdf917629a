import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import { chooseRate } from '../engine/choice.ts'
import {
  CATALOGUE_RATES,
  crossRate,
  rateOf,
  rateSourcesOf,
  rateSpreadOf,
  rateText,
  US_DOLLAR,
  type RateCandidate,
  type RatePolicy,
} from '../rules.ts'
import { QUOTE_SOURCES, ratePolicySetting } from '../schema.ts'

/** One number for "rates are being chosen", so that two take turns. */
const LOCK = 7_126_034

export interface RatesChosen {
  /** Currencies whose rate is another one now. */
  readonly changed: readonly string[]
  /** Those of which a rate waits for a person. */
  readonly held: readonly string[]
}

/** A candidate, and what a row of the history says of where it is from. */
interface Known extends RateCandidate {
  /** `catalogue:demo`, `ecb` … */
  readonly origin: string
  readonly isHeld: boolean
}

interface InForce extends Known {
  readonly observedAt: Date
  readonly spreadBasisPoints: number
}

/** From here to the end of the transaction nobody else writes quotes or chooses from them. */
export async function lockRates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

/**
 * Brings the rates in force to what the owner's order makes of what is known, under `lockRates`. What changes is a further row of the
 * history; what jumps is held.
 */
export async function chooseRates(tx: Tx, now: Date): Promise<RatesChosen> {
  const policy = await readSetting(tx, ratePolicySetting)
  const [inForce, known] = [await readInForce(tx), await readKnown(tx)]
  const [held, changed]: [Known[], { currency: string; rate: Known; before: InForce | null }[]] = [
    [],
    [],
  ]
  const heldNow = new Set<string>()
  for (const [currency, candidates] of known) {
    if (currency === US_DOLLAR.code) continue
    const before = inForce.get(currency) ?? null
    const choice = chooseRate(candidates, before, rateSourcesOf(policy, currency), policy, now)
    for (const { quoteId } of choice.held) {
      const rate = candidates.find((one) => one.quoteId === quoteId)
      if (rate) held.push(rate)
      heldNow.add(currency)
    }
    const chosen = choice.chosen === before ? before : findChosen(candidates, choice.chosen)
    if (chosen && !isInForce(chosen, before, rateSpreadOf(policy, currency, chosen.source)))
      changed.push({ currency, rate: chosen, before })
  }
  await markHeld(tx, [...known.values()].flat(), held)
  await addToHistory(tx, now, changed, policy)
  return { changed: changed.map(({ currency }) => currency), held: [...heldNow] }
}

function findChosen(candidates: readonly Known[], chosen: RateCandidate | null): Known | null {
  return candidates.find((one) => one === chosen) ?? null
}

function isInForce(rate: Known, before: InForce | null, spreadBasisPoints: number): boolean {
  return (
    before !== null &&
    before.spreadBasisPoints === spreadBasisPoints &&
    before.quoteId === rate.quoteId &&
    before.origin === rate.origin &&
    before.publishedAt.getTime() === rate.publishedAt.getTime() &&
    rateText(before.perUsd) === rateText(rate.perUsd)
  )
}

const sourceOf = (origin: string) => (QUOTE_SOURCES.includes(origin) ? origin : CATALOGUE_RATES)

async function readInForce(tx: Tx): Promise<ReadonlyMap<string, InForce>> {
  const { rows } = await sql<{
    currency: string
    perUsd: string
    origin: string
    observedAt: Date
    publishedAt: Date
    spreadBasisPoints: number
    quoteId: string | null
    perBase: string | null
    usdPerBase: string | null
  }>`select c.code as currency, r.per_usd::text as "perUsd", r.source as origin, r.observed_at as "observedAt",
      coalesce(r.published_at, r.observed_at) as "publishedAt", r.spread_basis_points as "spreadBasisPoints", r.quote_id as "quoteId",
      q.per_base::text as "perBase", q.usd_per_base::text as "usdPerBase"
    from currency c
    cross join lateral (select * from currency_rate r where r.currency = c.code order by r.observed_at desc limit 1) r
    left join rate_quote q on q.id = r.quote_id`.execute(tx)
  return new Map(
    rows.map(({ currency, perUsd, perBase, usdPerBase, ...row }) => [
      currency,
      {
        ...row,
        source: sourceOf(row.origin),
        perUsd: perBase && usdPerBase ? crossRate(perBase, usdPerBase) : rateOf(perUsd),
        isAccepted: true,
        isHeld: false,
      },
    ]),
  )
}

/** The newest that each source says of each currency, and the newest of a catalogue folder. */
async function readKnown(tx: Tx): Promise<ReadonlyMap<string, readonly Known[]>> {
  const quotes = await sql<{
    currency: string
    source: string
    id: string
    perBase: string
    usdPerBase: string
    publishedAt: Date
    state: string
  }>`select c.code as currency, s.source, q.id, q.per_base::text as "perBase", q.usd_per_base::text as "usdPerBase", q.published_at as "publishedAt", q.state
    from currency c cross join unnest(${[...QUOTE_SOURCES]}::text[]) as s (source)
    cross join lateral (
      select * from rate_quote q where q.currency = c.code and q.source = s.source and q.state not in ('refused', 'superseded')
      order by q.published_at desc, q.fetched_at desc limit 1
    ) q`.execute(tx)
  const folders = await sql<{
    currency: string
    origin: string
    perUsd: string
    publishedAt: Date
  }>`select c.code as currency, r.source as origin, r.per_usd::text as "perUsd", r.observed_at as "publishedAt"
    from currency c
    cross join lateral (select * from currency_rate r where r.currency = c.code and r.published_at is null order by r.observed_at desc limit 1) r`.execute(
    tx,
  )
  const known: readonly (Known & { readonly currency: string })[] = [
    ...quotes.rows.map(({ perBase, usdPerBase, id, state, ...row }) => ({
      ...row,
      origin: row.source,
      quoteId: id,
      perUsd: crossRate(perBase, usdPerBase),
      isAccepted: state === 'accepted',
      isHeld: state === 'held',
    })),
    ...folders.rows.map(({ perUsd, ...row }) => ({
      ...row,
      source: CATALOGUE_RATES,
      quoteId: null,
      perUsd: rateOf(perUsd),
      isAccepted: true,
      isHeld: false,
    })),
  ]
  return Map.groupBy(known, ({ currency }) => currency)
}

/** A quote waits for a person while it jumps, and no longer. */
async function markHeld(tx: Tx, known: readonly Known[], held: readonly Known[]): Promise<void> {
  const ids = (rates: readonly Known[]) => rates.flatMap(({ quoteId }) => quoteId ?? [])
  const freed = ids(known.filter((rate) => rate.isHeld && !held.includes(rate)))
  const caught = ids(held.filter(({ isHeld }) => !isHeld))
  if (freed.length > 0)
    await tx.updateTable('rate_quote').set({ state: 'usable' }).where('id', 'in', freed).execute()
  if (caught.length > 0)
    await tx.updateTable('rate_quote').set({ state: 'held' }).where('id', 'in', caught).execute()
}

async function addToHistory(
  tx: Tx,
  now: Date,
  changed: readonly {
    readonly currency: string
    readonly rate: Known
    readonly before: InForce | null
  }[],
  policy: RatePolicy,
): Promise<void> {
  if (changed.length === 0) return
  await tx
    .insertInto('currency_rate')
    .values(
      changed.map(({ currency, rate, before }) => ({
        currency,
        // The newest row is in force, whatever date a folder has given its own.
        observed_at: new Date(Math.max(now.getTime(), (before?.observedAt.getTime() ?? 0) + 1)),
        recorded_at: now,
        per_usd: rateText(rate.perUsd),
        source: rate.origin,
        published_at: rate.publishedAt,
        quote_id: rate.quoteId,
        spread_basis_points: rateSpreadOf(policy, currency, rate.source),
      })),
    )
    .execute()
}
