import { expect, test } from 'vitest'
import { maskedName, reviewText } from './rules.ts'

test.each([
  ['henrikolsen6', 'h***n6'],
  ['Ada', 'A***a'],
  ['Bo', 'B***'],
  ['', '***'],
  ['  Zoë Q. ', 'Z***Q.'],
  ['👩‍👩‍👧x', '👩‍👩‍👧***'],
])('%s is shown as %s', (name, shown) => {
  expect(maskedName(name)).toBe(shown)
})

test('a review keeps its lines, and nothing that hides or turns text around', () => {
  expect(reviewText(' Quick.\r\n\r\n\r\n\r\nGood\u0007 \u202ecode\u200b. ')).toBe(
    'Quick.\n\nGood code.',
  )
})
