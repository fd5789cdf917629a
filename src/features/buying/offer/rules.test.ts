import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUANTITY_MAX } from '#features/buying/order/rules.ts'
import {
  amountFault,
  checkField,
  checkFields,
  cleanValue,
  cleanValues,
  isSoldIn,
  offerKey,
  quantityLimit,
  type FieldRule,
} from './rules.ts'

const base: FieldRule = {
  key: 'user_id',
  kind: 'digits',
  required: true,
  pattern: '^\\d{5,10}$',
  min: 5,
  max: 10,
  options: [],
}
const email: FieldRule = {
  ...base,
  key: 'email',
  kind: 'email',
  pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}$',
  min: 6,
  max: 254,
}
const server: FieldRule = {
  ...base,
  key: 'server',
  kind: 'select',
  pattern: null,
  min: null,
  max: null,
  options: [{ value: 'asia' }],
}
const phone: FieldRule = {
  ...base,
  key: 'phone',
  kind: 'phone',
  pattern: '^\\+?\\d{8,15}$',
  min: 8,
  max: 16,
}
const tag: FieldRule = {
  ...base,
  key: 'tag',
  kind: 'text',
  pattern: '^#[0289PYLQGRJCUV]{4,11}$',
  min: 5,
  max: 12,
}

describe('an account field', () => {
  it('accepts what the catalogue accepts', () => {
    expect(checkField(base, '12345678')).toBeNull()
    expect(checkField(email, ' player@example.com ')).toBeNull()
    expect(checkField(server, 'asia')).toBeNull()
    expect(checkField(phone, '+62 812-3456-7890')).toBeNull()
    expect(checkField(tag, '#8GVQ2PLY')).toBeNull()
  })

  it.each<[FieldRule, string, string]>([
    [base, '', 'missing'],
    [base, '   ', 'missing'],
    [base, '12a45', 'digits'],
    [base, '1234', 'length'],
    [base, '12345678901', 'length'],
    [email, 'player', 'email'],
    [server, 'mars', 'missing'],
    [phone, '0812', 'phone'],
    [tag, '#8GVI', 'pattern'],
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
    expect(cleanValue(email, 'player٧@example.com')).toBe('player7@example.com')
    expect(cleanValue(tag, '#٢٨٩PYL')).toBe('#289PYL')
    // What fits as it is, and what fits neither way, stays as it was typed.
    const name = { ...tag, pattern: '^[\\p{L}\\p{N}]{3,20}$' }
    expect(cleanValue(name, 'ليث٧٧')).toBe('ليث٧٧')
    expect(cleanValue(tag, 'wrong ٧')).toBe('wrong ٧')
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
    expect(checkFields([base, email], { user_id: '1' })).toEqual({
      user_id: 'length',
      email: 'missing',
    })
  })
})

describe('who may buy what', () => {
  const us = { code: 'US', isOnSale: true }
  const open = { buyerCountries: null, blockedCountries: [] }

  it.each([
    ['anybody', open, us, true],
    ['somebody whose country is not known', open, null, true],
    ['somebody of a country on the list', { ...open, buyerCountries: ['US'] }, us, true],
  ] as const)('is %s', (_, offer, country, isSold) => {
    expect(isSoldIn(offer, country)).toBe(isSold)
  })

  it.each([
    ['a country that is blocked', { ...open, blockedCountries: ['US'] }, us],
    ['a country that is not on the list', { ...open, buyerCountries: ['JP'] }, us],
    ['no known country, where there is a list', { ...open, buyerCountries: ['JP'] }, null],
    ['a country the shop does not sell to', open, { code: 'AQ', isOnSale: false }],
  ] as const)('is nobody of %s', (_, offer, country) => {
    expect(isSoldIn(offer, country)).toBe(false)
  })

  it('is at most a hundred at once, and no more than there are', () => {
    expect([null, 0, 3, 5_000].map((stock) => quantityLimit({ stock }))).toEqual([
      QUANTITY_MAX,
      0,
      3,
      QUANTITY_MAX,
    ])
  })
})

describe('an amount', () => {
  const free = { minMinor: 525n, maxMinor: 5_000n, stepMinor: 50n }

  it.each([
    [524n, 'amount_between'],
    [525n, null],
    [550n, 'amount_step'],
    [575n, null],
    [4_975n, null],
    [5_000n, 'amount_step'],
    [5_025n, 'amount_between'],
    [null, 'required'],
    [undefined, 'required'],
  ] as const)('of %s is within the range, in steps from its least', (amount, fault) => {
    expect(amountFault(free, amount)).toBe(fault)
  })

  it('is asked for where goods are sold at any, and nowhere else', () => {
    expect(amountFault(null, 1_000n)).toBe('not_allowed')
    expect(amountFault(null, null)).toBeNull()
  })

  it('is an offer of its own', () => {
    const keys = [null, 500n, 5_000n].map((amountMinor) => offerKey({ item: 'air', amountMinor }))
    expect(new Set(keys).size).toBe(3)
    expect(offerKey({ item: 'air' })).toBe(offerKey({ item: 'air', amountMinor: null }))
  })
})
