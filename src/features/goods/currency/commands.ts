import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { crossRate, RATES_BY_HAND, rateText, US_DOLLAR } from './rules.ts'
import { chooseRates, lockRates, type RatesChosen } from './write/choose.ts'

/** What a source said at one moment, as `providers/rates` reads it. */
export interface PublishedRates {
  readonly base: string
  readonly publishedAt: Date
  /** Plain decimals, without the base itself. */
  readonly rates: ReadonlyMap<string, string>
}

export interface RatesRecorded extends RatesChosen {
  /** Quotes that were not known before. */
  readonly quotes: number
}

/** Brings the rates in force to what is known and what the owner wants: by age, a source gives way to another without anybody saying so. */
export async function followRates(ctx: Ctx): Promise<RatesChosen> {
  return transaction(ctx, followRatesIn)
}

/** The same in the transaction of what changed them. */
export async function followRatesIn(tx: Tx, now: Date): Promise<RatesChosen> {
  await lockRates(tx)
  return chooseRates(tx, now)
}

/** Keeps what a source said of the shop's currencies, once, and chooses anew. What is older than what is known is left out. */
export async function recordRates(
  ctx: Ctx,
  source: string,
  table: PublishedRates,
): Promise<RatesRecorded> {
  return transaction(ctx, async (tx, now) => {
    await lockRates(tx)
    const quotes = await addQuotes(tx, ctx, now, source, table)
    return { quotes, ...(await chooseRates(tx, now)) }
  })
}

/** An operator has asked a source: what it said is kept, and who asked. */
export async function recordRatesByOperator(
  ctx: OperatorCtx,
  source: string,
  table: PublishedRates,
): Promise<RatesRecorded> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, async (tx, now) => {
    await lockRates(tx)
    const quotes = await addQuotes(tx, ctx, now, source, table)
    await recordAudit(tx, ctx, now, [
      {
        action: 'fetch',
        subject: 'rate_quote',
        subjectCode: source,
        before: null,
        after: { published_at: table.publishedAt.toISOString(), quotes },
      },
    ])
    return { quotes, ...(await chooseRates(tx, now)) }
  })
}

async function addQuotes(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  source: string,
  { base, publishedAt, rates }: PublishedRates,
): Promise<number> {
  const told = new Map(rates).set(base, '1')
  const usdPerBase = told.get(US_DOLLAR.code)
  if (usdPerBase === undefined) throw new Error(`${source} says nothing of the US dollar`)
  const shop = await tx.selectFrom('currency').select('code').execute()
  const newest = await readNewest(tx, source)
  const fresh = shop.flatMap(({ code }) => {
    const perBase = told.get(code)
    if (perBase === undefined || code === US_DOLLAR.code) return []
    const known = newest.get(code)
    const isOlder = known !== undefined && known.publishedAt > publishedAt
    const isKnown =
      known?.publishedAt.getTime() === publishedAt.getTime() &&
      isSameRate(known, { perBase, usdPerBase })
    if (isOlder || isKnown) return []
    return {
      id: ctx.newId(),
      source,
      currency: code,
      published_at: publishedAt,
      fetched_at: new Date(Math.max(now.getTime(), (known?.fetchedAt.getTime() ?? 0) + 1)),
      base,
      per_base: perBase,
      usd_per_base: usdPerBase,
    }
  })
  if (fresh.length === 0) return 0
  await tx
    .updateTable('rate_quote')
    .set({ state: 'superseded' })
    .where('source', '=', source)
    .where('state', '=', 'held')
    .where(
      'currency',
      'in',
      fresh.map(({ currency }) => currency),
    )
    .execute()
  await tx.insertInto('rate_quote').values(fresh).execute()
  return fresh.length
}

interface Newest {
  readonly publishedAt: Date
  readonly fetchedAt: Date
  readonly perBase: string
  readonly usdPerBase: string
}

async function readNewest(tx: Tx, source: string): Promise<ReadonlyMap<string, Newest>> {
  const rows = await tx
    .selectFrom('currency as c')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('rate_quote as q')
          .select(['q.published_at', 'q.fetched_at', 'q.per_base', 'q.usd_per_base'])
          .whereRef('q.currency', '=', 'c.code')
          .where('q.source', '=', source)
          .orderBy('q.published_at', 'desc')
          .orderBy('q.fetched_at', 'desc')
          .limit(1)
          .as('q'),
      (join) => join.onTrue(),
    )
    .select(['c.code', 'q.published_at', 'q.fetched_at', 'q.per_base', 'q.usd_per_base'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.code,
      {
        publishedAt: row.published_at,
        fetchedAt: row.fetched_at,
        perBase: row.per_base,
        usdPerBase: row.usd_per_base,
      },
    ]),
  )
}

function isSameRate(
  one: Pick<Newest, 'perBase' | 'usdPerBase'>,
  other: Pick<Newest, 'perBase' | 'usdPerBase'>,
): boolean {
  const [a, b] = [
    crossRate(one.perBase, one.usdPerBase),
    crossRate(other.perBase, other.usdPerBase),
  ]
  return a.numerator === b.numerator && a.denominator === b.denominator
}

/** What has become of a rate that an operator spoke of. */
export type RateOutcome = 'in_force' | 'held' | 'not_chosen'

const outcomeOf = ({ changed, held }: RatesChosen, currency: string): RateOutcome =>
  held.includes(currency) ? 'held' : changed.includes(currency) ? 'in_force' : 'not_chosen'

/**
 * An operator types a rate: units of a currency for one US dollar. One that jumps waits for `acceptRate`, as a slip of the hand does.
 * Throws 'not_found' for a currency that the shop has not, and for the US dollar.
 * @param perUsd a plain decimal above zero
 */
export async function setRateByHand(
  ctx: OperatorCtx,
  currency: string,
  perUsd: string,
): Promise<RateOutcome> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, (tx, now) => setRateByHandIn(tx, ctx, now, { currency, perUsd }))
}

/** The same in a transaction that has counted what it does to prices. */
export async function setRateByHandIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { currency, perUsd }: { readonly currency: string; readonly perUsd: string },
): Promise<RateOutcome> {
  await lockRates(tx)
  const quotes = await addQuotes(tx, ctx, now, RATES_BY_HAND, {
    base: US_DOLLAR.code,
    publishedAt: now,
    rates: new Map([[currency, perUsd]]),
  })
  if (quotes === 0) throw new AppError('not_found')
  await recordAudit(tx, ctx, now, [
    {
      action: 'create',
      subject: 'rate_quote',
      subjectCode: `${RATES_BY_HAND} ${currency}`,
      before: null,
      after: { per_usd: perUsd },
    },
  ])
  return outcomeOf(await chooseRates(tx, now), currency)
}

/** Lets a rate be used that was held back. Throws 'not_found' for one that waits for nobody (any more). */
export async function acceptRate(ctx: OperatorCtx, id: string): Promise<RateOutcome> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, (tx, now) => acceptRateIn(tx, ctx, now, id))
}

/** The same in a transaction that has counted what it does to prices. */
export const acceptRateIn = (
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  id: string,
): Promise<RateOutcome> => decideRate(tx, ctx, now, id, 'accepted')

/** Has a rate that was held back never be used; the next one of its source is looked at anew. Throws 'not_found' as `acceptRate` does. */
export async function refuseRate(ctx: OperatorCtx, id: string): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, (tx, now) => decideRate(tx, ctx, now, id, 'refused'))
}

async function decideRate(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  id: string,
  state: 'accepted' | 'refused',
): Promise<RateOutcome> {
  await lockRates(tx)
  const quote = await tx
    .updateTable('rate_quote')
    .set({ state, decided_at: now, decided_by: ctx.actor })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .returningAll()
    .executeTakeFirst()
  if (!quote) throw new AppError('not_found')
  await recordAudit(tx, ctx, now, [
    {
      action: state === 'accepted' ? 'accept' : 'refuse',
      subject: 'rate_quote',
      subjectCode: `${quote.source} ${quote.currency}`,
      before: { state: 'held' },
      after: {
        state,
        per_usd: rateText(crossRate(quote.per_base, quote.usd_per_base)),
        published_at: quote.published_at.toISOString(),
      },
    },
  ])
  return outcomeOf(await chooseRates(tx, now), quote.currency)
}

const QUOTE_DAYS = 90
const DAY_MS = 86_400_000
/** In one statement: locks are held shortly. */
const QUOTES_A_CALL = 2_000

/** Forgets what sources said that was never in force, after its term; what prices were made by stays. @returns how many */
export async function forgetQuotes(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.now().getTime() - QUOTE_DAYS * DAY_MS)
  let count = 0
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from rate_quote where id in (
        select q.id from rate_quote q
        where q.fetched_at < ${before} and q.state in ('usable', 'superseded') and not exists (select from currency_rate r where r.quote_id = q.id)
          and exists (select from rate_quote n where n.currency = q.currency and n.source = q.source and (n.published_at, n.fetched_at) > (q.published_at, q.fetched_at))
        limit ${QUOTES_A_CALL}
      )`.execute(ctx.db)
    count += Number(numAffectedRows ?? 0n)
    if (Number(numAffectedRows ?? 0n) < QUOTES_A_CALL) return count
  }
}
