import { sql } from 'kysely'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Db } from '#platform/db.ts'
import { COVER_DAYS, hoursOfCover, isLow, offBy } from './rules.ts'
import { coverSetting } from './schema.ts'

const HOUR_MS = 3_600_000

export interface BalanceCover {
  readonly supplier: string
  readonly currency: string
  readonly availableMinor: bigint
  readonly askedAt: Date
  readonly prepaidMinor: bigint
  readonly reservedMinor: bigint
  /** Of the last days. */
  readonly spentMinor: bigint
  readonly spentHours: number
  readonly isBooked: boolean
  readonly hours: number | null
  readonly isLow: boolean
  readonly offMinor: bigint | null
}

/** What each supplier holds for the shop beside what the books say, and how long it lasts. Reads all that was moved there: for operators and the schedule. */
export async function listCover(db: Db, now: Date): Promise<BalanceCover[]> {
  const settings = await readSetting(db, coverSetting)
  const since = new Date(now.getTime() - COVER_DAYS * 24 * HOUR_MS)
  const { rows } = await sql<{
    supplier: string
    currency: string
    available: string
    askedAt: Date
    prepaid: string
    reserved: string
    spent: string
    firstAt: Date | null
    isBooked: boolean
  }>`
    select b.supplier, b.currency, b.available_minor::text as available, b.asked_at as "askedAt",
      coalesce((select -moved_in_all(a.id) from ledger_account a where a.code = 'supplier:' || b.supplier and a.currency = b.currency), 0)::text as prepaid,
      coalesce((select -moved_in_all(a.id) from ledger_account a where a.code = 'supplier_reserved:' || b.supplier and a.currency = b.currency), 0)::text as reserved,
      coalesce(spent.minor, 0)::text as spent, spent.first_at as "firstAt",
      exists (select from supplier_deposit d where d.supplier = b.supplier and d.currency = b.currency) as "isBooked"
    from supplier_balance b
    cross join lateral (
      select sum(p.actual_minor) as minor, min(p.ended_at) as first_at from purchase p
      where p.supplier = b.supplier and p.currency = b.currency and p.status in ('done', 'late') and p.ended_at > ${since}
    ) as spent
    order by b.supplier, b.currency`.execute(db)
  return rows.map((row) => {
    const facts = {
      availableMinor: BigInt(row.available),
      prepaidMinor: BigInt(row.prepaid),
      reservedMinor: BigInt(row.reserved),
      spentMinor: BigInt(row.spent),
      // A shop that began to buy there an hour ago has not had three days to spend in.
      spentHours: row.firstAt === null ? 0 : (now.getTime() - row.firstAt.getTime()) / HOUR_MS,
      isBooked: row.isBooked,
    }
    return {
      supplier: row.supplier,
      currency: row.currency,
      askedAt: row.askedAt,
      ...facts,
      hours: hoursOfCover(facts),
      // What nobody tells any more says nothing.
      isLow: now.getTime() - row.askedAt.getTime() < 24 * HOUR_MS && isLow(facts, settings),
      offMinor: offBy(facts),
    }
  })
}

export type StandingBalance = Pick<
  BalanceCover,
  'supplier' | 'currency' | 'availableMinor' | 'askedAt' | 'hours' | 'isLow' | 'offMinor'
>

/** The pace of a balance is taken from so many purchases, the latest of the days that count. */
const PACE_MOST = 2_000

/**
 * The same for pages, at whatever size of the books: the books are those of the moment in which the supplier was asked, and the pace is that of
 * its latest purchases.
 */
export async function listStanding(db: Db, now: Date): Promise<StandingBalance[]> {
  const settings = await readSetting(db, coverSetting)
  const since = new Date(now.getTime() - COVER_DAYS * 24 * HOUR_MS)
  const { rows } = await sql<{
    supplier: string
    currency: string
    available: string
    askedAt: Date
    booked: string
    reserved: string
    spent: string
    firstAt: Date | null
    isBooked: boolean
  }>`
    select b.supplier, b.currency, b.available_minor::text as available, b.asked_at as "askedAt", coalesce(r.booked_minor, 0)::text as booked,
      coalesce(reserved.minor, 0)::text as reserved,
      coalesce(spent.minor, 0)::text as spent, spent.first_at as "firstAt",
      r.at is not null and exists (select from supplier_deposit d where d.supplier = b.supplier and d.currency = b.currency) as "isBooked"
    from supplier_balance b cross join lateral (
      select sum(p.expected_minor) as minor from (
        select expected_minor, currency, created_at from purchase where supplier = b.supplier and next_ask_at is not null
        union all select expected_minor, currency, created_at from purchase where supplier = b.supplier and status = 'doubt' and next_ask_at is null
        union all select expected_minor, currency, created_at from purchase where supplier = b.supplier and ended_at > b.asked_at
      ) as p where p.currency = b.currency and p.created_at <= b.asked_at
    ) as reserved left join supplier_balance_reading r on r.supplier = b.supplier and r.currency = b.currency and r.at = b.asked_at
    cross join lateral (
      select sum(latest.actual_minor) as minor, min(latest.ended_at) as first_at from (
        select p.actual_minor, p.ended_at from purchase p
        where p.supplier = b.supplier and p.currency = b.currency and p.status in ('done', 'late') and p.ended_at > ${since} order by p.ended_at desc limit ${PACE_MOST}
      ) as latest
    ) as spent
    order by b.supplier, b.currency`.execute(db)
  return rows.map(({ supplier, currency, askedAt, isBooked, ...row }) => {
    const [booked, reserved] = [BigInt(row.booked), BigInt(row.reserved)]
    const facts = {
      availableMinor: BigInt(row.available),
      prepaidMinor: booked - reserved,
      reservedMinor: reserved,
      spentMinor: BigInt(row.spent),
      spentHours: row.firstAt === null ? 0 : (now.getTime() - row.firstAt.getTime()) / HOUR_MS,
      isBooked,
    }
    return {
      supplier,
      currency,
      askedAt,
      availableMinor: facts.availableMinor,
      hours: hoursOfCover(facts),
      isLow: now.getTime() - askedAt.getTime() < 24 * HOUR_MS && isLow(facts, settings),
      offMinor: offBy(facts),
    }
  })
}

/** Balances that run out, or are another than the books say. */
export async function countBalanceWork(db: Db, now: Date): Promise<number> {
  const cover = await listCover(db, now)
  return cover.filter(({ isLow: low, offMinor }) => low || (offMinor !== null && offMinor !== 0n))
    .length
}

export interface BalanceReading {
  readonly at: Date
  readonly available: string
  readonly booked: string
  readonly currency: string
}

const LISTED_MAX = 500

/** What a supplier said of its balance, newest first. */
export async function listReadings(db: Db, supplier: string): Promise<BalanceReading[]> {
  const { rows } = await sql<BalanceReading>`
    select at, currency, available_minor::text as available, booked_minor::text as booked from supplier_balance_reading
    where supplier = ${supplier} order by at desc, currency limit ${LISTED_MAX}`.execute(db)
  return rows
}
