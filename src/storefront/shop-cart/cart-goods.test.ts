import { describe, expect, it } from 'vitest'
import type { CartLine } from '../state/cart.ts'
import { priceLine, subtotalMinor } from './cart-goods.ts'

type Answer = NonNullable<Parameters<typeof priceLine>[1]>

const line = (item: string, quantity = 1): CartLine => ({
  item,
  product: 'steam-us',
  quantity,
  fields: {},
})
const item = (code: string, minor: string | null, isInStock = true) => ({
  code,
  in_stock: isInStock,
  price: minor === null ? null : { amount: '', minor, currency: 'USD', text: '' },
})
const steam = {
  items: [item('20', '1940'), item('50', '4850'), item('100', '9700', false), item('75', null)],
} as unknown as Answer

describe('a line of the cart', () => {
  it('has the price of now', () => {
    expect(priceLine(line('20'), steam)).toMatchObject({ state: 'ready', item: { code: '20' } })
  })

  it('says when it cannot be bought, and why', () => {
    expect(priceLine(line('100'), steam).state).toBe('sold_out')
    expect(priceLine(line('75'), steam).state).toBe('sold_out')
    expect(priceLine(line('25'), steam).state).toBe('gone')
    expect(priceLine(line('20'), null).state).toBe('gone')
  })

  it('says when the shop has not answered', () => {
    expect(priceLine(line('20'), undefined).state).toBe('loading')
    expect(priceLine(line('20'), 'failed').state).toBe('failed')
  })
})

describe('the subtotal', () => {
  it('counts what can be bought, times its quantity', () => {
    const lines = [line('20', 2), line('50'), line('100', 9), line('25', 9)].map((each) =>
      priceLine(each, steam),
    )
    expect(subtotalMinor(lines)).toBe(8730n)
  })

  it('is nothing for an empty cart', () => {
    expect(subtotalMinor([])).toBe(0n)
  })
})
