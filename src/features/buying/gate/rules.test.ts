import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  judge,
  nameKey,
  nameKeys,
  plainAccount,
  readScreeningFile,
  type GateFacts,
  type GateLimit,
} from './rules.ts'

const line = { minAge: null, buyerCountries: null, blockedCountries: [] }
const clear: GateFacts = {
  lines: [line],
  country: { code: 'DE', isOnSale: true },
  provenAge: null,
  isNameListed: false,
  isEmailListed: false,
  screening: null,
  uses: [],
}
const limit: GateLimit = { per: 'phone', hours: 24, units: 3, usdMinor: 1_000n, verdict: 'hold' }
const use = (units: number, usdMinor: bigint, over: Partial<GateLimit> = {}) => [
  { limit: { ...limit, ...over }, use: { per: 'phone' as const, units, usdMinor } },
]

describe('judge', () => {
  test.each([
    ['nothing', clear, 'pass', []],
    [
      'a country it is not sold in',
      { ...clear, lines: [{ ...line, blockedCountries: ['DE'] }] },
      'refuse',
      ['country'],
    ],
    [
      'no country, of what is sold in some alone',
      { ...clear, country: null, lines: [{ ...line, buyerCountries: ['DE'] }] },
      'refuse',
      ['country'],
    ],
    ['no country, of what is sold everywhere', { ...clear, country: null }, 'pass', []],
    ['an age nobody knows', { ...clear, lines: [{ ...line, minAge: 18 }] }, 'hold', ['age']],
    [
      'an age that is too low',
      { ...clear, provenAge: 16, lines: [{ ...line, minAge: 18 }] },
      'hold',
      ['age'],
    ],
    [
      'an age that will do',
      { ...clear, provenAge: 18, lines: [{ ...line, minAge: 18 }] },
      'pass',
      [],
    ],
    ['a name on a list', { ...clear, isNameListed: true }, 'hold', ['listed_name']],
    ['an address on a list', { ...clear, isEmailListed: true }, 'hold', ['listed_email']],
    ['just as many as may be', { ...clear, uses: use(3, 1_000n) }, 'pass', []],
    ['one more', { ...clear, uses: use(4, 1n) }, 'hold', ['phone_limit']],
    ['a cent more', { ...clear, uses: use(1, 1_001n) }, 'hold', ['phone_limit']],
    [
      'more than a limit that refuses',
      { ...clear, uses: use(4, 1n, { verdict: 'refuse' }) },
      'refuse',
      ['phone_limit'],
    ],
    [
      'both',
      { ...clear, isNameListed: true, uses: use(4, 1n, { verdict: 'refuse' }) },
      'refuse',
      ['phone_limit', 'listed_name'],
    ],
  ] as const)('%s', (_, facts, verdict, reasons) => {
    expect(judge(facts)).toEqual({ verdict, reasons })
  })
})

test('a name is the same in any order, case and with any marks', () => {
  expect(nameKey(' Müller,  José ')).toBe(nameKey('jose MULLER'))
  expect(nameKeys('José Maria Müller')).toContain(nameKey('Muller Jose'))
  expect(nameKeys('José')).toEqual(['jose'])
  expect(nameKeys('José Maria')).not.toContain('jose')
  expect(nameKeys('!!')).toEqual([])
})

test('whatever is typed, a name gives a bounded number of keys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
      expect(nameKeys(name).length).toBeLessThanOrEqual(256)
    }),
  )
})

test('an account is the same however it was typed', () => {
  expect(plainAccount(['+62 812-3456', 'Asia'])).toBe(plainAccount(['٠٦٢٨١٢٣٤٥٦'.slice(1), 'asia']))
  expect(plainAccount(['1', '23'])).not.toBe(plainAccount(['12', '3']))
})

test('a list is read line by line, and what says nothing of anybody is told', () => {
  expect(
    readScreeningFile(
      '# reference\tname\temail\nQ1\tDoe, John\t\nQ2\t\tJohn@Example.com\r\n\nQ3\t\t\n\tNobody\t\nQ4\tA\tno address\n',
    ),
  ).toEqual({
    rows: [
      { reference: 'Q1', name: 'doe john', email: null },
      { reference: 'Q2', name: null, email: 'john@example.com' },
    ],
    faults: [5, 6, 7],
  })
})
