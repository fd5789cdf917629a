import { expect, test } from 'vitest'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import { supplierName } from './supplier-name.ts'

test('every supplier that the program knows is called by its name', () => {
  for (const { code } of SUPPLY_SERVICES)
    expect([code, supplierName(code).toLowerCase().replaceAll(' ', '')]).toEqual([code, code])
  expect(SUPPLY_SERVICES.filter(({ code }) => supplierName(code) === code)).toEqual([])
  expect(supplierName('own-warehouse')).toBe('own-warehouse')
})
