import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  lineName,
  readVisitorCart,
  VISITOR_LINES_MAX,
  withChange,
  withLine,
  writeVisitorCart,
  type VisitorLine,
} from './visitor-cart.ts'

const line = (item: string, quantity = 1, fields: Record<string, string> = {}): VisitorLine => ({
  item,
  quantity,
  fields,
})

test('any cart that fits is read as it was written', () => {
  const lines = fc.array(
    fc.record({
      item: fc.string({ minLength: 1, maxLength: 40 }),
      quantity: fc.integer({ min: 1, max: 100 }),
      fields: fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), fc.string({ maxLength: 20 }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
    { maxLength: VISITOR_LINES_MAX },
  )
  fc.assert(
    fc.property(lines, (each) => {
      const text = writeVisitorCart(each)
      if (text !== null) expect(readVisitorCart(text)).toEqual(each)
    }),
  )
})

test('more lines than a cookie takes, or longer ones, are refused, not cut off', () => {
  const full = Array.from({ length: VISITOR_LINES_MAX }, (_, index) =>
    line(`card:steam:us:${index}`),
  )
  expect(writeVisitorCart(full)).not.toBeNull()
  expect(writeVisitorCart([...full, line('one-more')])).toBeNull()
  expect(writeVisitorCart([line('a', 1, { note: 'ж'.repeat(600) })])).toBeNull()
})

test.each([
  [null],
  [''],
  ['{'],
  ['{"0":["a",1]}'],
  ['[["a",0],["b",1.5],["c"],[1,1],["d",1,{"x":1}],["e",1,null],"f",null]'],
  ['['.repeat(5_000)],
])('of what is no cart, %s, nothing is read', (text) => {
  expect(readVisitorCart(text)).toEqual([])
})

test('of a line as many are read as a cart takes, whatever the cookie says', () => {
  expect(readVisitorCart('[["a",101],["b",1e9]]')).toEqual([line('a', 100), line('b', 100)])
})

test('the same goods for the same account are one line of at most a hundred, whatever the order of the fields', () => {
  const first = line('pack', 60, { user_id: '1', zone: '2' })
  const same = line('pack', 60, { zone: '2', user_id: '1' })
  expect(lineName(first)).toBe(lineName(same))
  expect(withLine([line('card'), first], same, 100)).toEqual([
    line('card'),
    { ...first, quantity: 100 },
  ])
  const other = line('pack', 1, { user_id: '2', zone: '2' })
  expect(withLine([first], other, 100)).toEqual([other, first])
})

test('a line that becomes the same as another by a change is one with it, in its place otherwise', () => {
  const line = (amount: number, quantity = 1) => ({ item: 'air', quantity, fields: {}, amount })
  const [small, large, other] = [line(100), line(200, 2), { item: 'card', quantity: 1, fields: {} }]
  expect(withChange([small, other, large], small, line(150), 99)).toEqual([line(150), other, large])
  expect(withChange([small, other, large], small, line(200), 99)).toEqual([other, line(200, 3)])
  expect(withChange([small, large], large, line(100, 99), 99)).toEqual([line(100, 99)])
})
