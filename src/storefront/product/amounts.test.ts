import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { totalMinor, writeAmount } from './amounts.ts'
import { moneyStyle } from './money-style.ts'
import { quantityLimit, readQuantity } from './quantity.ts'

describe('the total', () => {
  it('is the unit price times the quantity, exactly', () => {
    expect(totalMinor('1940', 3)).toBe(5820n)
    expect(totalMinor('9007199254740993', 99)).toBe(891712726219358307n)
  })

  it('is written as the language does', () => {
    expect(writeAmount(moneyStyle('en', { code: 'USD', minorUnits: 2 }, 2), 5820n)).toBe('$58.20')
    expect(writeAmount(moneyStyle('de', { code: 'EUR', minorUnits: 2 }, 2), 5820n)).toBe(
      '58,20\u00a0€',
    )
    expect(writeAmount(moneyStyle('ja', { code: 'JPY', minorUnits: 0 }, 0), 1321n)).toBe('￥1,321')
  })

  it('is written as the server does in a browser that does not know the language', () => {
    const style = moneyStyle('my', { code: 'USD', minorUnits: 2 }, 2)
    const onServer = writeAmount(style, 123_456n)
    vi.spyOn(Intl.NumberFormat, 'supportedLocalesOf').mockReturnValue([])
    expect(writeAmount(style, 123_456n)).toBe(onServer)
    expect(writeAmount(moneyStyle('my', { code: 'JPY', minorUnits: 0 }, 0), 1_321n)).toMatch(
      /1,321/,
    )
    vi.restoreAllMocks()
  })
})

describe('the quantity', () => {
  it.each([
    ['3', 99, 3],
    ['', 99, 1],
    ['0', 99, 1],
    ['-2', 99, 1],
    ['1e9', 99, 1],
    ['500', 99, 99],
    ['7', 4, 4],
    ['2.5', 99, 1],
  ])('%j with at most %i is %i', (text, limit, quantity) => {
    expect(readQuantity(text, limit)).toBe(quantity)
  })

  it('is always a whole number within its limits', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.nat(500)), (text, stock) => {
        const limit = quantityLimit(stock)
        const quantity = readQuantity(text, limit)
        expect(
          Number.isInteger(quantity) && quantity >= 1 && quantity <= limit && limit <= 100,
        ).toBe(true)
      }),
    )
  })
})
