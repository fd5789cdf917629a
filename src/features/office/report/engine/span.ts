import { dayNumber, dayText, type ReportChoice } from '../rules.ts'

/** Days of the shop, the last one with them. */
export interface Days {
  readonly from: string
  readonly until: string
}

export interface Spans {
  readonly now: Days
  /** Whether today is among them, which is not over. */
  readonly isRunning: boolean
  /** As many days of the period before, or of a year ago; null where nothing is compared with. */
  readonly before: Days | null
  readonly unit: Unit
}

/** What one point of a chart is. */
export type Unit = 'day' | 'month'

/** Longer spans are drawn by months. */
const DAYS_BY_DAY = 190
/** A year of whole weeks: each day is compared with its like. */
const WEEKS_OF_A_YEAR = 364
const WEEK = 7
/** The first day of all was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = 4

/** The days of a choice as of today, both days of the shop. */
export function spansOf(choice: ReportChoice, today: string): Spans {
  const whole = wholeOf(choice, today)
  const until = choice.period === 'span' || whole.until <= today ? whole.until : today
  const now = { from: whole.from, until: until < whole.from ? whole.from : until }
  const days = lengthOf(now)
  return {
    now,
    isRunning: now.until >= today && now.from <= today,
    before: beforeOf(choice, whole, now),
    unit: days <= DAYS_BY_DAY ? 'day' : 'month',
  }
}

export const lengthOf = ({ from, until }: Days) => dayNumber(until) - dayNumber(from) + 1

function wholeOf({ period, ago, from, until }: ReportChoice, today: string): Days {
  const day = dayNumber(today)
  switch (period) {
    case 'day':
      return { from: dayText(day - ago), until: dayText(day - ago) }
    case 'week': {
      const monday = day - ((((day - FIRST_MONDAY) % WEEK) + WEEK) % WEEK) - WEEK * ago
      return { from: dayText(monday), until: dayText(monday + WEEK - 1) }
    }
    case 'month':
      return monthsFrom(startOfMonth(today), -ago, 1)
    case 'quarter': {
      const month = Number(today.slice(5, 7)) - 1
      return monthsFrom(addMonths(startOfMonth(today), -(month % 3)), -3 * ago, 3)
    }
    case 'year':
      return monthsFrom(`${today.slice(0, 4)}-01-01`, -12 * ago, 12)
    case 'span':
      return { from: from ?? today, until: until ?? today }
  }
}

function beforeOf({ period, compare }: ReportChoice, whole: Days, now: Days): Days | null {
  if (compare === 'none') return null
  const isBefore = compare === 'before'
  const shifted =
    period === 'month' || period === 'quarter' || period === 'year'
      ? monthsBack(whole, isBefore ? MONTHS[period] : 12)
      : period === 'span' && !isBefore
        ? { from: addMonths(whole.from, -12), until: addMonths(whole.until, -12) }
        : daysBack(whole, isBefore ? lengthOf(whole) : WEEKS_OF_A_YEAR)
  if (now.until === whole.until) return shifted
  // Of a period that is not over, as much of the other.
  const until = dayText(dayNumber(shifted.from) + lengthOf(now) - 1)
  return { from: shifted.from, until: until < shifted.until ? until : shifted.until }
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const

const daysBack = ({ from, until }: Days, days: number): Days => ({
  from: dayText(dayNumber(from) - days),
  until: dayText(dayNumber(until) - days),
})

const monthsBack = ({ from, until }: Days, months: number): Days => ({
  from: addMonths(from, -months),
  until: dayText(dayNumber(addMonths(dayText(dayNumber(until) + 1), -months)) - 1),
})

const startOfMonth = (day: string) => `${day.slice(0, 7)}-01`

function monthsFrom(first: string, back: number, count: number): Days {
  const from = addMonths(first, back)
  return { from, until: dayText(dayNumber(addMonths(from, count)) - 1) }
}

/** The same day of another month, or the last one that month has. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = year * 12 + month - 1 + months
  const first = dayNumber(
    `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}-01`,
  )
  const next = new Date(first * 86_400_000)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const last = next.getTime() / 86_400_000 - 1
  return dayText(Math.min(first + date - 1, last))
}

/** The points of a span: each month or day that some of it is. */
export function pointsOf({ from, until }: Days, unit: Unit): Days[] {
  const points: Days[] = []
  for (let at = from; at <= until; ) {
    const next = unit === 'month' ? addMonths(startOfMonth(at), 1) : dayText(dayNumber(at) + 1)
    const last = dayText(dayNumber(next) - 1)
    points.push({ from: at, until: last < until ? last : until })
    at = next
  }
  return points
}
