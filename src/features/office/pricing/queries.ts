import { sql } from 'kysely'
import { isInForce, type MarginRule } from '#features/goods/price/rules.ts'
import type { Db } from '#platform/db.ts'

export interface ListedRule extends MarginRule {
  readonly createdAt: Date
  readonly createdBy: string
  readonly endedBy: string | null
  readonly state: 'in_force' | 'to_come' | 'over'
}

const OVER_LISTED = 20

/** Rules that hold or will hold in the order in which they win, and then the newest of those that are over. */
export async function listRulesInOrder(db: Db, now: Date): Promise<ListedRule[]> {
  const rows = await db
    .selectFrom('margin_rule')
    .selectAll()
    .where((row) => row.or([row('valid_until', 'is', null), row('valid_until', '>', now)]))
    .unionAll(
      db
        .selectFrom('margin_rule')
        .selectAll()
        .where('valid_until', '<=', now)
        .orderBy('valid_until', 'desc')
        .limit(OVER_LISTED),
    )
    .execute()
  const listed = rows.map((row): ListedRule => {
    const rule = {
      id: row.id,
      brand: row.brand,
      supplier: row.supplier,
      region: row.region,
      currency: row.currency,
      basisPoints: row.basis_points,
      validFrom: row.valid_from,
      validUntil: row.valid_until,
    }
    const isOver = row.valid_until !== null && row.valid_until <= now
    return {
      ...rule,
      createdAt: row.created_at,
      createdBy: row.created_by,
      endedBy: row.ended_by,
      state: isOver ? 'over' : isInForce(rule, now) ? 'in_force' : 'to_come',
    }
  })
  return listed.toSorted(byRank)
}

const RANKS = { in_force: 0, to_come: 1, over: 2 } as const

function byRank(one: ListedRule, other: ListedRule): number {
  if (one.state !== other.state) return RANKS[one.state] - RANKS[other.state]
  if (one.state === 'over')
    return (other.validUntil?.getTime() ?? 0) - (one.validUntil?.getTime() ?? 0)
  const [a, b] = [weightOf(one), weightOf(other)]
  return (
    b - a || other.validFrom.getTime() - one.validFrom.getTime() || (one.id > other.id ? -1 : 1)
  )
}

/** As `findRule` chooses: more conditions first; of as many a brand's before a supplier's, a region's and a currency's. */
function weightOf({ brand, supplier, region, currency }: MarginRule): number {
  const conditions = [brand, supplier, region, currency].map((value) => Number(value !== null))
  const count = conditions.reduce((sum, one) => sum + one, 0)
  return conditions.reduce((sum, one) => sum * 2 + one, count * 16)
}

export interface RatePoint {
  readonly at: Date
  readonly perUsd: string
  readonly source: string
}

const POINTS = 60

/** The rates that were in force of a currency, the newest first. */
export async function listRateHistory(db: Db, currency: string): Promise<RatePoint[]> {
  const rows = await db
    .selectFrom('currency_rate')
    .select(['observed_at', 'per_usd', 'source'])
    .where('currency', '=', currency)
    .orderBy('observed_at', 'desc')
    .limit(POINTS)
    .execute()
  return rows.map((row) => ({ at: row.observed_at, perUsd: row.per_usd, source: row.source }))
}

export interface ListedPrice {
  readonly item: string
  readonly name: string
  readonly currency: string
  readonly minor: string
  /** Null for an own price. */
  readonly level: number | null
}

const A_PAGE = 50

interface PricePage {
  readonly prices: readonly ListedPrice[]
  /** What the next page begins behind; null for the last. */
  readonly next: string | null
}

/** Prices that were set for items in a currency, or in any, by the items' codes. @param after a code */
export async function listOwnPrices(
  db: Db,
  currency: string | null,
  after: string,
): Promise<PricePage> {
  const { rows } = await sql<{ code: string; name: string; own: Record<string, string> }>`
    select i.code, b.name || ', ' || i.name as name, i.own_prices as own from item i join product p on p.code = i.product join brand b on b.code = p.brand
    where i.code > ${after} and case when ${currency}::text is null then i.own_prices <> '{}' else jsonb_exists(i.own_prices, ${currency}::text) end
    order by i.code limit ${A_PAGE + 1}`.execute(db)
  const listed = rows.slice(0, A_PAGE)
  return {
    next: rows.length > A_PAGE ? (listed.at(-1)?.code ?? null) : null,
    prices: listed.flatMap(({ code, name, own }) =>
      Object.entries(own)
        .filter(([of]) => currency === null || of === currency)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([of, minor]) => ({ item: code, name, currency: of, minor, level: null })),
    ),
  }
}

/** Prices that were set for items and customer levels, by the items' codes. @param after a code */
export async function listLevelPrices(db: Db, after: string): Promise<PricePage> {
  const { rows } = await sql<{
    code: string
    name: string
    level: number
    minor: string
    currency: string
  }>`
    select i.code, b.name || ', ' || i.name as name, l.level, l.price_minor::text as minor, l.price_currency as currency
    from (
      select i.id, i.code, i.name, i.product from item i where i.code > ${after} and exists (select from item_level_price l where l.item = i.id)
      order by i.code limit ${A_PAGE + 1}
    ) i join product p on p.code = i.product join brand b on b.code = p.brand join item_level_price l on l.item = i.id order by i.code, l.level`.execute(
    db,
  )
  const codes = [...new Set(rows.map(({ code }) => code))]
  const last = codes.length > A_PAGE ? (codes[A_PAGE - 1] ?? null) : null
  return {
    next: last,
    prices: rows
      .filter(({ code }) => last === null || code <= last)
      .map(({ code, ...row }) => ({ item: code, ...row })),
  }
}

export interface FoundItem {
  readonly code: string
  readonly name: string
}

const FOUND = 20

/** Items whose code or name holds what was typed. */
export async function findItems(db: Db, text: string): Promise<FoundItem[]> {
  const like = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = await sql<FoundItem>`
    select i.code, b.name || ', ' || i.name as name from item i join product p on p.code = i.product join brand b on b.code = p.brand
    where i.code ilike ${like} or b.name || ', ' || i.name ilike ${like} order by i.status, i.code limit ${FOUND}`.execute(
    db,
  )
  return rows
}

/** Codes that a rule may name. */
export async function listCodes(
  db: Db,
  table: 'brand' | 'supplier' | 'region' | 'currency',
): Promise<string[]> {
  const rows = await db.selectFrom(table).select('code').execute()
  return rows.map(({ code }) => code)
}
