import { expect, test } from 'vitest'
import {
  choiceQuery,
  COMPARED,
  nextMailFrom,
  readChoice,
  type ReportChoice,
  type Rhythm,
} from './rules.ts'
import { pointsOf, spansOf } from './views.ts'

const CHOICE: ReportChoice = {
  report: 'sales',
  period: 'month',
  ago: 0,
  from: null,
  until: null,
  compare: 'before',
  currency: null,
  by: 'currency',
}
const of = (choice: Partial<ReportChoice>, today: string) => {
  const { now, before, isRunning, unit } = spansOf({ ...CHOICE, ...choice }, today)
  return [now.from, now.until, before?.from, before?.until, isRunning, unit]
}

test('a period that is not over is compared with as much of the one before, and never beyond its end', () => {
  expect(of({}, '2026-11-28')).toEqual([
    '2026-11-01',
    '2026-11-28',
    '2026-10-01',
    '2026-10-28',
    true,
    'day',
  ])
  expect(of({}, '2026-03-31')).toEqual([
    '2026-03-01',
    '2026-03-31',
    '2026-02-01',
    '2026-02-28',
    true,
    'day',
  ])
  expect(of({}, '2026-03-30').slice(2, 4)).toEqual(['2026-02-01', '2026-02-28'])
  expect(of({ ago: 1, compare: 'year' }, '2025-03-10')).toEqual([
    '2025-02-01',
    '2025-02-28',
    '2024-02-01',
    '2024-02-29',
    false,
    'day',
  ])
})

test('weeks begin on Monday, quarters and years on their first day', () => {
  expect(of({ period: 'week' }, '2026-11-29').slice(0, 4)).toEqual([
    '2026-11-23',
    '2026-11-29',
    '2026-11-16',
    '2026-11-22',
  ])
  expect(of({ period: 'quarter', ago: 1 }, '2026-02-03')).toEqual([
    '2025-10-01',
    '2025-12-31',
    '2025-07-01',
    '2025-09-30',
    false,
    'day',
  ])
  expect(of({ period: 'year', compare: 'none' }, '2026-11-28')).toEqual([
    '2026-01-01',
    '2026-11-28',
    undefined,
    undefined,
    true,
    'month',
  ])
  // A year of whole weeks, so that a Saturday is compared with one.
  expect(of({ period: 'day', compare: 'year' }, '2026-11-28')[2]).toBe('2025-11-29')
})

test('a span of one’s own is compared with as many days before it, or the same ones a year ago', () => {
  const span = { period: 'span', from: '2024-02-29', until: '2024-03-04' } as const
  expect(of(span, '2026-01-01').slice(0, 4)).toEqual([
    '2024-02-29',
    '2024-03-04',
    '2024-02-24',
    '2024-02-28',
  ])
  expect(of({ ...span, compare: 'year' }, '2026-01-01').slice(2, 4)).toEqual([
    '2023-02-28',
    '2023-03-04',
  ])
})

test('points cover every day of a span once', () => {
  for (const unit of ['day', 'month'] as const) {
    const points = pointsOf({ from: '2026-01-15', until: '2026-04-02' }, unit)
    expect(points[0]?.from).toBe('2026-01-15')
    expect(points.at(-1)?.until).toBe('2026-04-02')
    for (const [index, { from }] of points.entries())
      if (index > 0)
        expect(Date.parse(from) - Date.parse(points[index - 1]?.until ?? '')).toBe(86_400_000)
  }
})

test('what an address says wrongly is as it is at first, and of days it is told', () => {
  const wrong = readChoice(
    new URLSearchParams('period=decade&ago=-3&compare=moon&currency=euro&by=moon'),
    'sales',
  )
  expect(wrong).toEqual({ choice: CHOICE, faults: {} })
  const faults = (query: string) =>
    readChoice(new URLSearchParams(`period=span&${query}`), 'sales').faults
  expect(faults('')).toEqual({ from: 'required' })
  expect(faults('from=2026-02-30&until=2026-03-01')).toEqual({ from: 'not_allowed' })
  expect(faults('from=2026-03-01')).toEqual({ until: 'required' })
  expect(faults('from=2026-03-02&until=2026-03-01')).toEqual({ until: 'not_allowed' })
  expect(faults('from=2020-01-01&until=2026-03-01')).toEqual({ until: 'not_allowed' })
  expect(faults('from=2026-03-01&until=2026-03-01')).toEqual({})
})

test('a span has days alone that others can be compared with', () => {
  const faults = (query: string) =>
    readChoice(new URLSearchParams(`period=span&${query}`), 'sales').faults
  expect(faults('from=0000-01-01&until=0000-01-02')).toEqual({ from: 'not_allowed' })
  expect(faults('from=9999-12-01&until=9999-12-31')).toEqual({ until: 'not_allowed' })
  const longest = 'period=span&from=1900-01-01&until=1902-12-31&compare='
  for (const compare of COMPARED)
    expect(
      spansOf(readChoice(new URLSearchParams(longest + compare), 'sales').choice, '2026-11-28').now
        .from,
    ).toBe('1900-01-01')
})

test('a choice is what its address says', () => {
  for (const choice of [
    CHOICE,
    { ...CHOICE, period: 'span', from: '2026-01-01', until: '2026-02-01', by: 'brand' } as const,
    { ...CHOICE, ago: 2, compare: 'year', currency: 'EUR', by: 'method' } as const,
  ])
    expect(readChoice(choiceQuery(choice), 'sales').choice).toEqual(choice)
})

test('mails come the next day, the next Monday, the first of the next month', () => {
  const after = (rhythm: Rhythm, moment: string) =>
    nextMailFrom(rhythm, new Date(moment), 'Europe/Berlin')
  expect(after('daily', '2026-12-31T08:00:00Z')).toBe('2027-01-01')
  expect(after('weekly', '2026-11-28T08:00:00Z')).toBe('2026-11-30')
  expect(after('weekly', '2026-11-30T08:00:00Z')).toBe('2026-12-07')
  expect(after('monthly', '2026-12-01T08:00:00Z')).toBe('2027-01-01')
})

test('before seven a mail is the day’s own still, whenever it was sent before', () => {
  const after = (rhythm: Rhythm, moment: string) =>
    nextMailFrom(rhythm, new Date(moment), 'Europe/Berlin')
  expect(after('daily', '2026-11-30T05:59:00Z')).toBe('2026-11-30')
  expect(after('daily', '2026-11-30T06:00:00Z')).toBe('2026-12-01')
  expect(after('weekly', '2026-11-29T23:30:00Z')).toBe('2026-11-30')
  expect(after('monthly', '2026-12-01T05:00:00Z')).toBe('2026-12-01')
  // The night has an hour less.
  expect(after('daily', '2026-03-29T04:59:00Z')).toBe('2026-03-29')
  expect(after('daily', '2026-03-29T05:00:00Z')).toBe('2026-03-30')
})
