import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectOperator, internationalNumber, nationalNumber } from './rules.ts'

const INDIA = { callingCode: '+91', trunkPrefix: '0', mobilePattern: '^(?:[6-9]\\d{9})$' }
const ITALY = { callingCode: '+39', trunkPrefix: null, mobilePattern: '^(?:3\\d{8,9})$' }
const RUSSIA = { callingCode: '+7', trunkPrefix: '8', mobilePattern: '^(?:9\\d{9})$' }

describe('a national number', () => {
  test.each([
    '8123456789',
    '08123456789',
    '+91 81234 56789',
    '0091 8123456789',
    '91-8123-456-789',
    ' (0) 8123.456.789',
    '٨١٢٣٤٥٦٧٨٩',
    '＋９１８１２３４５６７８９',
    '+91 (0) 8123456789',
  ])('is read from %s', (typed) => {
    expect(nationalNumber(typed, INDIA)).toBe('8123456789')
  })

  test.each([
    '',
    'abc',
    '812345678',
    '81234567890',
    '+49 8123456789',
    '1123456789',
    '8'.repeat(30),
  ])('is not read from %j', (typed) => {
    expect(nationalNumber(typed, INDIA)).toBeNull()
  })

  test('keeps what looks like a calling code but belongs to it', () => {
    expect(nationalNumber('9123456789', INDIA)).toBe('9123456789')
    expect(nationalNumber('393123456', ITALY)).toBe('393123456')
    expect(nationalNumber('+39 393123456', ITALY)).toBe('393123456')
  })

  test('loses a trunk prefix that is not a zero', () => {
    expect(nationalNumber('8 912 345-67-89', RUSSIA)).toBe('9123456789')
    expect(nationalNumber('+7 912 345-67-89', RUSSIA)).toBe('9123456789')
  })

  test('written for the world reads back as the same', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[6-9]\d{9}$/), (national) => {
        expect(nationalNumber(internationalNumber(national, INDIA), INDIA)).toBe(national)
      }),
    )
  })
})

describe('the operator of a number', () => {
  const operators = [
    { code: 'wide', prefixes: ['081'] },
    { code: 'narrow', prefixes: ['08123', '0777'] },
    { code: 'national', prefixes: ['9199'] },
    { code: 'silent', prefixes: [] },
  ]

  test('is the one with the longest prefix', () => {
    expect(detectOperator('8123456789', '0', operators)).toBe('narrow')
    expect(detectOperator('8199999999', '0', operators)).toBe('wide')
  })

  test('is found by prefixes without the trunk zero too', () => {
    expect(detectOperator('9199456789', '0', operators)).toBe('national')
    expect(detectOperator('9199456789', null, operators)).toBe('national')
  })

  test('is unknown when nothing fits, or two fit equally', () => {
    expect(detectOperator('6000000000', '0', operators)).toBeNull()
    expect(
      detectOperator('8123456789', '0', [...operators, { code: 'rival', prefixes: ['8123'] }]),
    ).toBeNull()
  })
})
