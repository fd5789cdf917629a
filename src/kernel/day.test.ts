import { expect, test } from 'vitest'
import { dayIn, isDay } from './day.ts'

test('a day is one that a calendar and the database have', () => {
  for (const day of ['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])
    expect(isDay(day)).toBe(true)
  for (const text of ['2026-02-29', '2026-02-30', '2026-13-01', '0000-01-01', '26-1-1', '', null])
    expect(isDay(text)).toBe(false)
})

test('a moment has the day of its time zone', () => {
  const moment = new Date('2026-11-28T23:30:00Z')
  expect(dayIn('Europe/Berlin', moment)).toBe('2026-11-29')
  expect(dayIn('America/New_York', moment)).toBe('2026-11-28')
})
