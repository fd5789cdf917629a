import { expect, test } from 'vitest'
import { edgeOf, pageBeyond, type Edge } from './paging.ts'

const page = (found: readonly number[], from: Edge | null) => {
  const { shown, newer, older } = pageBeyond(found, 2, from, String)
  return [shown, newer?.key ?? null, older?.key ?? null]
}
const older: Edge = { key: '7', direction: 'older' }
const newer: Edge = { key: '7', direction: 'newer' }

test.each([
  ['the only page', [9, 8], null, [[9, 8], null, null]],
  ['the first of several', [9, 8, 7], null, [[9, 8], null, '8']],
  ['one in between, from above', [6, 5, 4], older, [[6, 5], '6', '5']],
  ['the last', [6], older, [[6], '6', null]],
  ['one in between, from below', [10, 9, 8], newer, [[9, 8], '9', '8']],
  ['the first, from below', [9, 8], newer, [[9, 8], null, '8']],
  ['one that has run empty meanwhile', [], older, [[], '7', null]],
])('%s leads to the pages beside it', (_, found, from, told) => {
  expect(page(found, from)).toEqual(told)
})

test('an edge is read where it can be one', () => {
  const named = (query: string) => edgeOf(new URLSearchParams(query), /^\d$/)
  expect(named('newer=7')).toEqual(newer)
  expect([named('newer=x'), named('after=7')]).toEqual([null, null])
})
