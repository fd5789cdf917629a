import { expect, test } from 'vitest'
import type { ItemChoice } from './choices.ts'
import { firstChoice } from './first-choice.ts'

const item = (code: string, more: Partial<ItemChoice> = {}): ItemChoice => ({
  code,
  label: code,
  bonus: null,
  figure: code,
  extra: null,
  isWide: false,
  isFaceValue: false,
  unitPrice: null,
  price: '$1.00',
  minor: '100',
  was: null,
  saving: null,
  limit: 99,
  stock: null,
  unavailable: null,
  ...more,
})
const items = ['a', 'b', 'c', 'd'].map((code) => item(code))
const sold = (units: Readonly<Record<string, number>>) =>
  new Map(Object.entries(units).map(([code, count]) => [`id ${code}`, count]))
const choose = (of: readonly ItemChoice[], asked: string | null, units = {}) =>
  firstChoice(of, asked, (code) => `id ${code}`, sold(units))

test('what sold most lately is chosen, and called so', () => {
  expect(choose(items, null, { a: 12, d: 40 })).toEqual({ chosen: 'd', popular: 'd' })
})

test('of two that sold alike the first is the popular one', () => {
  expect(choose(items, null, { b: 20, c: 20 })).toEqual({ chosen: 'b', popular: 'b' })
})

test('too few sales say nothing: the smaller of the middle two is chosen, and called nothing', () => {
  expect(choose(items, null, { d: 9 })).toEqual({ chosen: 'b', popular: null })
  expect(choose(items, null)).toEqual({ chosen: 'b', popular: null })
})

test('what the address asks for is chosen; the popular one keeps its name', () => {
  expect(choose(items, 'a', { d: 40 })).toEqual({ chosen: 'a', popular: 'd' })
  expect(choose(items, 'gone', { d: 40 })).toEqual({ chosen: 'd', popular: 'd' })
})

test('what is sold out is neither', () => {
  const some = items.map((choice) =>
    choice.code === 'd' ? { ...choice, unavailable: 'Sold out' } : choice,
  )
  expect(choose(some, 'd', { c: 10, d: 40 })).toEqual({ chosen: 'c', popular: 'c' })
  const none = items.map((choice) => ({ ...choice, unavailable: 'Sold out' }))
  expect(choose(none, null, { d: 40 })).toEqual({ chosen: null, popular: null })
})

test('a pass is in no middle of amounts, but is chosen where it is all there is', () => {
  const passes = ['p', 'q', 'r'].map((code) => item(code, { isWide: true }))
  expect(choose([item('a'), ...passes], null).chosen).toBe('a')
  expect(choose(passes, null).chosen).toBe('q')
})

test('a single item is chosen, and not called popular', () => {
  expect(choose([item('a')], null, { a: 500 })).toEqual({ chosen: 'a', popular: null })
})
