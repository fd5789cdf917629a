import { expect, test } from 'vitest'
import type { LanguageCode } from '#kernel/language.ts'
import { readAmountText, readCells } from './cells.ts'

const read = (text: string, language: LanguageCode = 'en', digits = 2) => {
  const { number, currency } = readAmountText(text, language, digits)
  if (number.kind === 'fault') return number.fault
  if (number.kind === 'nothing') return null
  const figure = number.fraction === '' ? number.whole : `${number.whole}.${number.fraction}`
  return currency === null ? figure : `${currency} ${figure}`
}

test.each([
  ['4.99', '4.99'],
  ['4,99', '4.99'],
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['1 234,5', '1234.5'],
  ['1\u202f234,56 €', '1234.56'],
  ["1'234.50", '1234.50'],
  ['$ 19.00', '19.00'],
  ['EUR 4,99', 'EUR 4.99'],
  ['4.99 USD', 'USD 4.99'],
  ['١٬٢٣٤٫٥٦', '1234.56'],
  ['۴٫۹۹', '4.99'],
  ['१२.५०', '12.50'],
  ['1,234,567', '1234567'],
  ['1.234.567,8', '1234567.8'],
  ['007.50', '7.50'],
  ['', null],
  [' – ', null],
  ['=A1+1', 'wrong_type'],
  ['4.9.9', 'wrong_type'],
  ['1,23,4', 'wrong_type'],
  ['-4.99', 'wrong_type'],
  ['four', 'wrong_type'],
])('%j is read as %j', (text, figure) => {
  expect(read(text)).toBe(figure)
})

test('what can be read in two ways is told, unless the language has but one', () => {
  expect(read('1,234', 'en')).toBe('1234')
  expect(read('1.234', 'de')).toBe('1234')
  expect(read('1.234', 'en')).toBe('number_ambiguous')
  expect(read('1,234', 'de')).toBe('number_ambiguous')
  expect(read('1.234', 'en', 3)).toBe('1.234')
  expect(read('1,234', 'en', 3)).toBe('number_ambiguous')
  expect(read('0,500', 'de', 3)).toBe('0.500')
})

test('cells are parted by tabs and lines, with quotes around those that hold either', () => {
  expect(readCells('a\tb\r\nc\t"d\te"\n"f ""g"""\t\n')).toEqual([
    ['a', 'b'],
    ['c', 'd\te'],
    ['f "g"', ''],
  ])
  expect(readCells('')).toEqual([['']])
})

// One that looked at each break with all that follow it would take minutes.
test('what a call takes is read in one pass, breaks that something stands behind as well', () => {
  expect(readCells(`${'\n'.repeat(299_999)}x`, 20_001)).toHaveLength(20_001)
  expect(readCells('a\n\n\n')).toEqual([['a']])
})
