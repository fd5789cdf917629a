import { beforeAll, expect, test } from 'vitest'
import { drawnOrder } from './burmese.ts'
import { linesOf, piecesOf, visualRuns } from './lines.ts'
import { createTypeface, type Typeface } from './typeface.ts'

let face: Typeface
beforeAll(async () => {
  face = await createTypeface('ar', [])
})
const seen = (line: string, around: 'ltr' | 'rtl' = 'rtl') =>
  visualRuns(face, line, 400, around)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')

test('numbers and names stay as they are among letters that run from right to left', () => {
  expect(seen('الإيصال 4821300947165')).toEqual(['4821300947165', 'الإيصال'])
  expect(seen('بطاقة Steam للبيع')).toEqual(['للبيع', 'Steam', 'بطاقة'])
  expect(seen('12 Main St., Dublin')).toEqual(['12 Main St., Dublin'])
})

test('brackets turn with the line around them', () => {
  expect(seen('Steam (مصر)').join('')).toBe('(مصر) Steam'.replace(' ', ''))
})

test('an address of the other direction keeps its own', () => {
  expect(seen('شارع النيل 12', 'ltr')).toEqual(['12', 'شارع النيل'])
  expect(seen('Cairo شارع', 'ltr')).toEqual(['Cairo', 'شارع'])
})

test('scripts without blanks break between words, never before a closing mark', () => {
  expect(piecesOf('この領収書は自動で、', 'ja').every((piece) => !/^[、。]/.test(piece))).toBe(true)
  expect(piecesOf('この領収書は自動で', 'ja').length).toBeGreaterThan(2)
  expect(piecesOf('ใบเสร็จนี้ออกโดยระบบ', 'th').length).toBeGreaterThan(2)
  expect(piecesOf('user@example.com 78+8', 'en')).toEqual(['user@example.com ', '78+8'])
  expect(piecesOf('「領収書」', 'ja').at(-1)).toMatch(/」$/)
})

test('lines are as long as they may be, and a word that is longer goes on in the next', () => {
  const widthOf = (text: string) => text.length
  expect(linesOf(['aa ', 'bb ', 'cc'], 5, widthOf)).toEqual(['aa bb', 'cc'])
  expect(linesOf(['abcdefgh'], 3, widthOf)).toEqual(['abc', 'def', 'gh'])
  expect(linesOf([''], 3, widthOf)).toEqual([])
})

test('Burmese signs that stand before their letter are drawn before it', () => {
  expect(drawnOrder('ပြေစာ')).toBe('\u1031\u103cပစာ')
  expect(drawnOrder('သင်္ဘော')).toBe('သ\u1031ဘင်္ာ')
  expect(drawnOrder('စနစ်က PIN')).toBe('စနစ်က PIN')
})
