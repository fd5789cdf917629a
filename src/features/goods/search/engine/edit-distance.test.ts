import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedDistance } from './edit-distance.ts'

/** The textbook table, without bounds. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(i - 2, j - 2) + 1)
      rows[i]![j] = cost
    }
  }
  return at(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 12 })

describe('boundedDistance', () => {
  it('equals the plain distance up to the limit and says more beyond it', () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(1, 2), (a, b, limit) => {
        expect(boundedDistance(a, b, limit, false)).toBe(Math.min(plainDistance(a, b), limit + 1))
      }),
      { numRuns: 2000 },
    )
  })

  it('as a prefix equals the distance to the nearest beginning', () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(1, 2), (a, b, limit) => {
        const nearest = Math.min(
          ...Array.from({ length: b.length + 1 }, (_, cut) => plainDistance(a, b.slice(0, cut))),
        )
        expect(boundedDistance(a, b, limit, true)).toBe(Math.min(nearest, limit + 1))
      }),
      { numRuns: 2000 },
    )
  })

  it('counts a transposition once', () => {
    expect(boundedDistance('genhsin', 'genshin', 2, false)).toBe(1)
  })
})
