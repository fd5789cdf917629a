import { describe, expect, test } from 'vitest'
import { DEFAULT_RATE_POLICY, rateOf, type RateCandidate } from '../rules.ts'
import { chooseRate, publicationDue, rateValidUntil } from './choice.ts'

const at = (text: string) => new Date(text)
const FRIDAY = at('2026-11-27T00:00:00Z')

test.each([
  ['ecb', '2026-11-27', 1, '2026-11-30T16:00:00.000Z'],
  ['ecb', '2026-11-27', 3, '2026-12-02T16:00:00.000Z'],
  ['ecb', '2026-12-24', 1, '2026-12-28T16:00:00.000Z'],
  ['ecb', '2026-04-02', 1, '2026-04-07T16:00:00.000Z'],
  ['open-exchange-rates', '2026-11-27T10:00Z', 1, '2026-11-29T00:00:00.000Z'],
])('%s of %s has published %i more by %s', (source, day, count, due) => {
  expect(publicationDue(source, at(day), count)?.toISOString()).toBe(due)
})

test('rates age by what their source publishes; the dollar, folders and rates by hand do not', () => {
  const limits = { maxAgeHours: 48, days: 2 }
  const until = (code: string, source: string, publishedAt: Date | null) =>
    rateValidUntil(
      code,
      { source, publishedAt, observedAt: at('2026-11-20T12:00:00Z') },
      limits,
    )?.toISOString() ?? null
  expect(until('EUR', 'ecb', FRIDAY)).toBe('2026-12-02T16:00:00.000Z')
  expect(until('EUR', 'a script', null)).toBe('2026-11-22T12:00:00.000Z')
  expect([
    until('USD', 'a script', null),
    until('EUR', 'catalogue:demo', null),
    until('EUR', 'catalogue:demo', FRIDAY),
    until('EUR', 'by-hand', FRIDAY),
  ]).toEqual([null, null, null, null])
})

describe('the rate that is to be in force', () => {
  const rate = (
    source: string,
    perUsd: string,
    more: Partial<RateCandidate> = {},
  ): RateCandidate => ({
    source,
    quoteId: `${source} ${perUsd}`,
    perUsd: rateOf(perUsd),
    publishedAt: FRIDAY,
    isAccepted: false,
    ...more,
  })
  const folder = rate('catalogue', '0.90', { quoteId: null, isAccepted: true })
  const old = { publishedAt: at('2026-10-01') }
  const ORDER = ['ecb', 'open-exchange-rates', 'by-hand', 'catalogue']
  const choose = (
    known: readonly RateCandidate[],
    inForce: RateCandidate | null,
    now = '2026-11-28T12:00:00Z',
    order: readonly string[] = ORDER,
  ) => chooseRate(known, inForce, order, DEFAULT_RATE_POLICY, at(now))

  const ecb = rate('ecb', '0.92')
  const other = rate('open-exchange-rates', '0.93', { publishedAt: at('2026-12-04T10:00:00Z') })

  test('is of the first source that knows the currency', () => {
    expect(choose([folder, other, ecb], folder).chosen).toBe(ecb)
    expect(choose([folder, other], folder).chosen).toBe(other)
    expect(choose([folder, ecb], folder, undefined, ['catalogue', 'ecb']).chosen).toBe(folder)
    expect(choose([ecb], folder, undefined, ['by-hand']).chosen).toBeNull()
  })

  test('stays over a weekend, and is of another that publishes once its own is silent', () => {
    expect(choose([ecb, other], ecb, '2026-12-02T15:59:00Z').chosen).toBe(ecb)
    expect(choose([ecb, other], ecb, '2026-12-02T16:01:00Z').chosen).toBe(other)
    expect(choose([ecb, folder], ecb, '2027-12-02T16:01:00Z').chosen).toBe(ecb)
    expect(choose([ecb, { ...other, ...old }], ecb, '2026-12-03T12:00:00Z').chosen).toBe(ecb)
  })

  test('is not one that jumps; the one before stands in, or another source', () => {
    const jumps = rate('ecb', '1.02')
    expect(choose([jumps, folder], folder)).toEqual({ chosen: folder, held: [jumps] })
    expect(choose([jumps, folder], ecb)).toEqual({ chosen: ecb, held: [jumps] })
    expect(choose([{ ...jumps, isAccepted: true }], ecb).chosen?.quoteId).toBe('ecb 1.02')
    expect(choose([jumps, other], folder, '2026-12-04T12:00:00Z')).toEqual({
      chosen: other,
      held: [],
    })
    const both = [jumps, rate('open-exchange-rates', '1.5')]
    expect(choose(both, folder)).toEqual({ chosen: null, held: both })
    expect(choose([jumps], null).chosen).toBe(jumps)
  })
})
