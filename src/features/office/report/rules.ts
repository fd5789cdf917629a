import {
  mayDo,
  requirePermission,
  type Operator,
  type Permission,
  type Powers,
} from '#features/team/operator/rules.ts'
import { dayIn, isDay } from '#kernel/day.ts'

/** What can be reported, in the order of its tabs. */
export const REPORTS = [
  'sales',
  'margin',
  'refunds',
  'disputes',
  'suppliers',
  'keys',
  'credit',
  'tax',
  'delivery',
  'searches',
] as const
export type Report = (typeof REPORTS)[number]

/** All of these are needed: whoever lacks one sees no tab of it, and gets no mail. */
export const REPORT_NEEDS: Readonly<Record<Report, readonly Permission[]>> = {
  sales: ['ledger.read'],
  // What goods cost is told to those who may see costs.
  margin: ['ledger.read', 'price.read'],
  refunds: ['ledger.read'],
  disputes: ['case.read'],
  suppliers: ['supplier.read'],
  keys: ['key.read', 'price.read'],
  credit: ['ledger.read'],
  tax: ['ledger.read'],
  delivery: ['order.read'],
  searches: ['product.read'],
}

export const mayReport = (powers: Powers, report: Report): boolean =>
  REPORT_NEEDS[report].every((permission) => mayDo(powers, permission))

/** Throws 'forbidden', with the permission that is lacking. */
export function requireReport(ctx: { readonly operator: Operator }, report: Report): void {
  for (const permission of REPORT_NEEDS[report]) requirePermission(ctx, permission)
}

/** By what a report is told apart. */
export const SPLITS = [
  'time',
  'currency',
  'method',
  'country',
  'brand',
  'supplier',
  'rate',
  'words',
] as const
export type Split = (typeof SPLITS)[number]

const ALL_SPLITS = ['time', 'currency', 'method', 'country', 'brand', 'supplier'] as const

/** What each can be told apart by. */
export const REPORT_SPLITS: Readonly<Record<Report, readonly Split[]>> = {
  sales: ALL_SPLITS,
  margin: ALL_SPLITS,
  // What is given back is money of an order: no supplier's.
  refunds: ALL_SPLITS.filter((split) => split !== 'supplier'),
  disputes: ['time', 'currency', 'method', 'country'],
  suppliers: ['time', 'supplier', 'currency'],
  keys: ['time', 'brand', 'currency'],
  credit: ['time', 'currency'],
  tax: ['time', 'rate', 'currency'],
  delivery: ALL_SPLITS,
  searches: ['time', 'words'],
}

/** Whether it can be read in one currency alone. */
export const hasCurrencies = (report: Report): boolean => report !== 'searches'

/** What of a report can be told apart by: one currency is not told apart by currency. */
export const splitsOf = (report: Report, currency: string | null): readonly Split[] =>
  REPORT_SPLITS[report].filter((split) => split !== 'currency' || currency === null)

export const REPORT_PERIODS = ['day', 'week', 'month', 'quarter', 'year', 'span'] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]

export const COMPARED = ['before', 'year', 'none'] as const
export type Compared = (typeof COMPARED)[number]

/** What is chosen of a report. A period is told by how many ago it is, so that what is kept of it goes on being last month's. */
export interface ReportChoice {
  readonly report: Report
  readonly period: ReportPeriod
  readonly ago: number
  /** Days of the shop; of a span alone. */
  readonly from: string | null
  readonly until: string | null
  readonly compare: Compared
  /** Null for all of them, told in the shop's. */
  readonly currency: string | null
  readonly by: Split
}

/** So far back periods are counted. */
export const AGO_MAX = 500
/** The longest span from one day to another. */
export const SPAN_DAYS_MAX = 1_100
/** Between these days the ones that a span is compared with are days of the database, too. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']
const DAY_MS = 86_400_000
const CURRENCY = /^[A-Z]{3}$/

/** What is wrong about the days of a span, by its field. */
export type SpanFaults = Readonly<Partial<Record<'from' | 'until', 'required' | 'not_allowed'>>>

export interface ReadChoice {
  readonly choice: ReportChoice
  readonly faults: SpanFaults
}

/** Days from the first one of all. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
export const dayText = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, 10)

/** What an address does not say, or says wrongly, is as it is at first; of days it is told. */
export function readChoice(query: URLSearchParams, report: Report): ReadChoice {
  const period = REPORT_PERIODS.find((each) => each === query.get('period')) ?? 'month'
  const ago = Number(query.get('ago') ?? 0)
  const [from, until] = [query.get('from'), query.get('until')]
  const faults = period === 'span' ? faultsOf(from, until) : {}
  const named = query.get('currency')
  const currency = hasCurrencies(report) && named && CURRENCY.test(named) ? named : null
  const splits = splitsOf(report, currency)
  const isSpan = period === 'span' && Object.keys(faults).length === 0
  return {
    choice: {
      report,
      period: period === 'span' && !isSpan ? 'month' : period,
      ago: !isSpan && Number.isInteger(ago) && ago >= 0 && ago <= AGO_MAX ? ago : 0,
      from: isSpan ? from : null,
      until: isSpan ? until : null,
      compare: COMPARED.find((each) => each === query.get('compare')) ?? 'before',
      currency,
      by: splits.find((each) => each === query.get('by')) ?? splits[1] ?? 'time',
    },
    faults,
  }
}

function faultsOf(from: string | null, until: string | null): SpanFaults {
  if (!isDay(from)) return { from: from ? 'not_allowed' : 'required' }
  if (!isDay(until)) return { until: until ? 'not_allowed' : 'required' }
  if (from < FIRST_DAY) return { from: 'not_allowed' }
  if (until > LAST_DAY) return { until: 'not_allowed' }
  const days = dayNumber(until) - dayNumber(from)
  return days < 0 || days >= SPAN_DAYS_MAX ? { until: 'not_allowed' } : {}
}

/** A choice as the address of its page says it. */
export function choiceQuery(choice: ReportChoice): URLSearchParams {
  const { report, period, ago, from, until, compare, currency, by } = choice
  return new URLSearchParams({
    report,
    period,
    ...(period === 'span' ? { from: from ?? '', until: until ?? '' } : { ago: String(ago) }),
    compare,
    ...(currency === null ? {} : { currency }),
    by,
  })
}

export const isReport = (text: string | null): text is Report =>
  REPORTS.some((report) => report === text)

/** How often one is mailed. */
export const RHYTHMS = ['daily', 'weekly', 'monthly'] as const
export type Rhythm = (typeof RHYTHMS)[number]
/** The hour of the shop at which mails go out. */
export const MAIL_HOUR = 7

const WEEK = 7

/** The day of the shop on which a mail comes next: before its hour that may be this day's, so that one sent late takes no other away. */
export function nextMailFrom(rhythm: Rhythm, now: Date, timeZone: string): string {
  const hour = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  const today = dayIn(timeZone, now)
  const isEarly = Number(hour.format(now)) < MAIL_HOUR
  return nextMailDay(rhythm, isEarly ? dayText(dayNumber(today) - 1) : today)
}

/** After the mail of a day: the next one, the next Monday, or the first of the next month. */
function nextMailDay(rhythm: Rhythm, day: string): string {
  const number = dayNumber(day)
  switch (rhythm) {
    case 'daily':
      return dayText(number + 1)
    case 'weekly':
      // The first day of all was a Thursday.
      return dayText(number + WEEK - ((((number - 4) % WEEK) + WEEK) % WEEK))
    case 'monthly': {
      const [year = 0, month = 1] = day.split('-').map(Number)
      return dayText(Date.UTC(year, month, 1) / DAY_MS)
    }
  }
}

/** Reports that one operator keeps. */
export const SAVED_MAX = 50
/** Rows of a file, and of what is shown of them. */
export const FILE_ROWS_MAX = 10_000
export const SHOWN_ROWS = 50

export const TALLY_SWEEP = 'add_up_tallies'
export const REPORT_MAIL_SWEEP = 'mail_reports'
/** What is added up by days: one more begins anew whatever was added up before. */
export const TALLIES_EDITION = 1
/** The value of all values together. */
export const TALLY_TOTAL = '*'
/** Words that a report tells at most, the most looked for. */
export const WORDS_MAX = 1_000
/** Days that one turn adds up at most. */
export const TALLY_DAYS_A_TURN = 40
/** So far back it is looked for what was written since. */
export const TALLY_OVERLAP_MINUTES = 150
