import { expect, test } from 'vitest'
import { lowestPrice, type ItemChoice } from './choices.ts'

function item(minor: string | null, price: string, unavailable: string | null = null): ItemChoice {
  return {
    code: price,
    label: price,
    bonus: null,
    figure: null,
    extra: null,
    isWide: false,
    isFaceValue: false,
    unitPrice: null,
    price,
    minor,
    was: null,
    saving: null,
    limit: 99,
    stock: null,
    unavailable,
  }
}

test('the lowest price is that of the cheapest item on sale', () => {
  expect(
    lowestPrice([item('900', '$9.00'), item('1000', '$10.00'), item('50', '$0.50', 'Sold out')]),
  ).toBe('$9.00')
})

test('without an item on sale there is no lowest price', () => {
  expect(lowestPrice([item('50', '$0.50', 'Sold out'), item(null, '—')])).toBeNull()
})
