import { expect, test } from 'vitest'
import { isTargetDay } from './calendar.ts'

test.each([
  ['2026-11-27', true, 'a Friday'],
  ['2026-11-28', false, 'a Saturday'],
  ['2026-11-29', false, 'a Sunday'],
  ['2026-01-01', false, 'New Year'],
  ['2026-04-03', false, 'Good Friday'],
  ['2026-04-06', false, 'Easter Monday'],
  ['2026-04-07', true, 'the day after'],
  ['2027-03-26', false, 'Good Friday'],
  ['2027-03-29', false, 'Easter Monday'],
  ['2038-04-23', false, 'Good Friday, as late as it may be'],
  ['2026-05-01', false, 'Labour Day'],
  ['2026-12-24', true, 'Christmas Eve'],
  ['2026-12-25', false, 'Christmas'],
  ['2029-12-26', false, 'the day after Christmas'],
  ['2026-10-03', false, 'a Saturday'],
  ['2026-08-14', true, 'a Friday in August'],
])('%s: %s, %s', (date, isOpen) => {
  expect(isTargetDay(new Date(`${date}T00:00:00Z`))).toBe(isOpen)
})
