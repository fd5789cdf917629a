import { expect, test } from 'vitest'
import { addDecimals, decimalOf, exactMoney, roundedMoney } from './amounts.ts'
import { cleanText } from './text.ts'

test.each([
  ['4.99', 'USD', 499n],
  ['4.990', 'USD', 499n],
  ['5000', 'JPY', 5_000n],
  ['5000.00', 'JPY', 5_000n],
  ['1.234', 'KWD', 1_234n],
])('%s %s is %s minor units', (decimal, currency, minor) => {
  expect(exactMoney(decimal, currency)).toEqual({ minor, currency })
})

test.each([
  ['4.999', 'USD'],
  ['0.5', 'JPY'],
  ['-1', 'USD'],
  ['1e3', 'USD'],
  ['1,00', 'USD'],
  ['NaN', 'USD'],
  ['', 'USD'],
  [' 1', 'USD'],
  ['1', 'usd'],
  ['1', ''],
  ['99999999999999999999', 'USD'],
])('%j %j is no amount of ours', (decimal, currency) => {
  expect(exactMoney(decimal, currency)).toBeNull()
})

test('costs are rounded up, balances down', () => {
  expect(roundedMoney('5109.53732', 'EUR', 'up')?.minor).toBe(510_954n)
  expect(roundedMoney('5109.53732', 'EUR', 'down')?.minor).toBe(510_953n)
})

test('decimals are added exactly', () => {
  const spent = addDecimals(['3168.4'], ['63.37'])
  expect(roundedMoney(spent ?? '', 'USD', 'up')?.minor).toBe(310_503n)
  expect(addDecimals(['0.1', '0.2'], ['0.3'])).toMatch(/^0\.0+$/)
  expect(addDecimals(['1'], ['2'])).toBeNull()
  expect(addDecimals(['x'])).toBeNull()
})

test.each([
  [499n, 'USD', '4.99'],
  [1_000_000n, 'IDR', '10000'],
  [5_000n, 'JPY', '5000'],
  [450n, 'USD', '4.5'],
])('%s minor units of %s go out as %s', (minor, currency, text) => {
  expect(decimalOf({ minor, currency })).toBe(text)
})

test('what a supplier writes is one short line', () => {
  expect(cleanText('a\u0000b\u202ec\nd\u200be')).toBe('a b c d e')
  expect(cleanText('😀'.repeat(500))).toBe('😀'.repeat(200))
  expect([cleanText(undefined), cleanText({})]).toEqual(['', ''])
})
