import { describe, expect, test } from 'vitest'
import { resultOf } from '#features/buying/reseller/rules.ts'
import { present } from '#kernel/assert.ts'
import {
  endingOfAccount,
  endingOfReference,
  type Ending,
  type TestLine,
  type TestOrder,
} from '../rules.ts'
import { changesOf, standingOf, statusOf, testCode } from './standing.ts'

const line = (ending: Ending, quantity = 1): TestLine => ({
  item: 'card:x:1',
  quantity,
  price: '1900',
  delivery: 'card_key',
  ending,
})
const BORN = new Date('2026-11-20T10:00:00Z')
const order = (...lines: TestLine[]): TestOrder => ({
  id: 'an id',
  publicId: 'test_aaaaaaaaaaaaaaaaaaaaaa',
  keyId: 'a key',
  reference: 'ours',
  requestHash: Buffer.alloc(32),
  currency: 'USD',
  lines,
  refusal: null,
  createdAt: BORN,
})
const after = (seconds: number) => new Date(BORN.getTime() + seconds * 1_000)
const resultAt = (of: TestOrder, seconds: number) => {
  const { order: sold } = standingOf(of, after(seconds))
  const { status, lines } = present(sold, 'an order')
  return resultOf(
    status,
    lines.flatMap(({ units }) => units),
  )
}

describe('how an order ends', () => {
  test.each([
    ['done', [[0, 'done']]],
    [
      'later',
      [
        [0, 'accepted'],
        [19.9, 'accepted'],
        [20, 'done'],
      ],
    ],
    [
      'refunded',
      [
        [0, 'accepted'],
        [10, 'failed'],
      ],
    ],
    [
      'taken-back',
      [
        [0, 'done'],
        [10, 'failed'],
      ],
    ],
    [
      'needs-input',
      [
        [0, 'accepted'],
        [599, 'accepted'],
        [600, 'failed'],
      ],
    ],
    ['partial', [[0, 'partial']]],
  ] as const)('%s', (ending, moments) => {
    for (const [seconds, result] of moments)
      expect([seconds, resultAt(order(line(ending, 2)), seconds)]).toEqual([seconds, result])
  })

  test('lines end each in its own way, and the money of what failed is back', () => {
    const mixed = order(line('done', 2), line('refunded'), line('later'))
    expect(resultAt(mixed, 15)).toBe('accepted')
    expect(standingOf(mixed, after(15)).order).toMatchObject({
      totalMinor: 7_600n,
      refundedMinor: 1_900n,
      status: 'shipping',
    })
    expect(resultAt(mixed, 20)).toBe('partial')
  })

  test('what is told of it is each change of what it is called, and no other', () => {
    expect(changesOf([line('done'), line('later'), line('refunded')])).toEqual([
      { after: 0, status: 'shipping' },
      { after: 20, status: 'completed' },
    ])
    expect(changesOf([line('taken-back')])).toEqual([
      { after: 0, status: 'completed' },
      { after: 10, status: 'refunded' },
    ])
    for (const { after: seconds, status } of changesOf([line('needs-input')]))
      expect(statusOf(order(line('needs-input')), after(seconds))).toBe(status)
  })
})

test('an ending is asked for by the last word of a reference, after a point, or the end of an account field', () => {
  expect(endingOfReference('ours.later')).toBe('later')
  expect(endingOfReference('a.later.refunded')).toBe('refunded')
  for (const none of ['later', 'ours.latest', 'ours', '7b1e-later', 'ours.constructor'])
    expect([none, endingOfReference(none)]).toEqual([none, null])
  expect(endingOfAccount({ zone: '12', user_id: '812349022' })).toBe('needs-input')
  expect(endingOfAccount({ user_id: '81234567' })).toBeNull()
})

test('a unit keeps its name and its code, which looks like none', () => {
  const [one, other] = [order(line('done', 3)), order(line('done', 3))].map((each) =>
    standingOf(each, after(5)).order?.lines[0]?.units.map(({ id }) => id),
  )
  expect(one).toEqual(other)
  expect(new Set(one).size).toBe(3)
  expect(testCode(one?.[0] ?? '')).toMatch(/^TEST-NOT-A-CODE-[0-9A-F]{8}$/)
})
