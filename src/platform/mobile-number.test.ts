import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMobileNumber } from './mobile-number.ts'

describe('a mobile number', () => {
  test.each([
    '8123456789',
    '08123456789',
    '+91 81234 56789',
    '0091 8123456789',
    '91-8123-456-789',
    ' (0) 8123.456.789',
    '٨١٢٣٤٥٦٧٨٩',
    '८१२३४५६७८९',
    '＋９１８１２３４５６７８９',
    '+91 (0) 8123456789',
    '\u202a+91 8123456789\u202c',
  ])('is read from %s', (typed) => {
    expect(readMobileNumber(typed, 'IN')).toEqual({
      international: '+918123456789',
      national: '8123456789',
      country: 'IN',
    })
  })

  test.each([
    '',
    'abc',
    '812345678',
    '81234567890',
    '1123456789',
    '8'.repeat(80),
    '8123456789 ext. 5',
    'my number is 8123456789',
    '+62 21 1234567',
    '+1 555 0100',
    '\u0000',
  ])('is not read from %j', (typed) => {
    expect(readMobileNumber(typed, 'IN')).toBeNull()
  })

  test.each([
    ['+62 812-3456-7890', 'DE', 'ID'],
    ['0062 81234567890', null, 'ID'],
    ['8 912 345-67-89', 'RU', 'RU'],
    // One calling code, two countries.
    ['+7 701 234 5678', 'RU', 'KZ'],
    ['+1 876 555 1234', 'US', 'JM'],
    ['393123456', 'IT', 'IT'],
    ['01012345678', 'EG', 'EG'],
  ])('%s typed in %s is of %s', (typed, country, of) => {
    expect(readMobileNumber(typed, country)?.country).toBe(of)
  })

  test('without a calling code or a country that is known means nothing', () => {
    expect(readMobileNumber('81234567890', null)).toBeNull()
    expect(readMobileNumber('81234567890', 'XX')).toBeNull()
    expect(readMobileNumber('81234567890', 'AQ')).toBeNull()
  })

  test('written for the world reads back as the same', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[6-9]\d{9}$/), (typed) => {
        const number = readMobileNumber(typed, 'IN')
        if (number) expect(readMobileNumber(number.international, null)).toEqual(number)
      }),
    )
  })

  test('is E.164 or nothing, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'+0123456789 -()٣８＋x') })),
        fc.constantFrom(null, 'IN', 'US', 'RU', 'AQ'),
        (typed, country) => {
          const number = readMobileNumber(typed, country)
          expect(number === null || /^\+[1-9][0-9]{6,14}$/.test(number.international)).toBe(true)
        },
      ),
    )
  })
})
