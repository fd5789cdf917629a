import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GoodsField } from '#features/browse/view/shapes.ts'
import { attributePattern, checkField, checkFields, cleanValue, cleanValues } from './field-rules.ts'

const base: GoodsField = {
  key: 'user_id', kind: 'digits', label: 'User ID', required: true, help: null, pattern: '^\\d{5,10}$', min: 5, max: 10,
  placeholder: null, options: [],
}
const email: GoodsField = { ...base, key: 'email', kind: 'email', pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}$', min: 6, max: 254 }
const server: GoodsField = { ...base, key: 'server', kind: 'select', pattern: null, min: null, max: null, options: [{ value: 'asia', label: 'Asia' }] }
const phone: GoodsField = { ...base, key: 'phone', kind: 'phone', pattern: '^\\+?\\d{8,15}$', min: 8, max: 16 }
const tag: GoodsField = { ...base, key: 'tag', kind: 'text', pattern: '^#[0289PYLQGRJCUV]{4,11}$', min: 5, max: 12 }

describe('an account field', () => {
  it('accepts what the catalogue accepts', () => {
    expect(checkField(base, '12345678')).toBeNull()
    expect(checkField(email, ' player@example.com ')).toBeNull()
    expect(checkField(server, 'asia')).toBeNull()
    expect(checkField(phone, '+62 812-3456-7890')).toBeNull()
    expect(checkField(tag, '#8GVQ2PLY')).toBeNull()
  })

  it.each<[GoodsField, string, string]>([
    [base, '', 'missing'], [base, '   ', 'missing'], [base, '12a45', 'digits'], [base, '1234', 'length'], [base, '12345678901', 'length'],
    [email, 'player', 'email'], [server, 'mars', 'missing'], [phone, '0812', 'phone'], [tag, '#8GVI', 'pattern'],
  ])('names what is wrong', (field, typed, fault) => {
    expect(checkField(field, typed)).toBe(fault)
  })

  it('may stay empty when it is not required', () => {
    expect(checkField({ ...base, required: false }, '')).toBeNull()
    expect(cleanValues([{ ...base, required: false }], { user_id: ' ' })).toEqual({})
  })

  it('takes numbers in the digits of other scripts and with spaces between them', () => {
    expect(cleanValue(base, ' ١٢٣ ٤٥٦ ')).toBe('123456')
    expect(cleanValue(base, '１２８８４４')).toBe('128844')
    expect(checkField(base, '๑๒๓๔๕')).toBeNull()
  })

  it('cleans a clean value to itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(base, email, tag, phone), (typed, field) => {
        const clean = cleanValue(field, typed)
        expect(cleanValue(field, clean)).toBe(clean)
      }),
    )
  })

  it('reports every faulty field by its key', () => {
    expect(checkFields([base, email], { user_id: '1' })).toEqual({ user_id: 'length', email: 'missing' })
  })
})

describe('the pattern attribute', () => {
  it('is left out where browsers would not understand it', () => {
    expect(attributePattern('^\\d{5,10}$')).toBe('^\\d{5,10}$')
    expect(attributePattern('^[A-Za-z0-9 _-]{1,12}$')).toBeUndefined()
    expect(attributePattern(null)).toBeUndefined()
  })
})
