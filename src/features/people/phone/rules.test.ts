import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMobile, isSmsPossible, readMobile, withAutofill } from './rules.ts'

const ID = {
  code: 'ID',
  phone: {
    callingCode: '62',
    trunkPrefix: '0',
    mobilePattern: '^8[1-9][0-9]{7,10}$',
    mobileExample: '81234567890',
  },
}
const DE = {
  code: 'DE',
  phone: {
    callingCode: '49',
    trunkPrefix: '0',
    mobilePattern: '^1[5-7][0-9]{8,9}$',
    mobileExample: '15123456789',
  },
}
const AQ = { code: 'AQ', phone: null }
const COUNTRIES = [AQ, DE, ID]

test.each([
  ['0812 3456 7890', ID],
  ['81234567890', ID],
  ['+62 812-3456-7890', ID],
  ['+62 812-3456-7890', null],
  ['0062 81234567890', null],
  ['+6281234567890', DE],
  ['＋62 81234567890', AQ],
  ['٠٨١٢٣٤٥٦٧٨٩٠', ID],
])('%s is the same number', (typed, country) => {
  expect(readMobile(typed, country, COUNTRIES)).toBe('+6281234567890')
})

test.each([
  ['81234567890', DE],
  ['81234567890', null],
  ['0812 3456 7890', AQ],
  ['+62 21 1234567', null],
  ['+1 555 0100', null],
  ['', ID],
  ['mobile', ID],
  [`+62${'8'.repeat(30)}`, ID],
])('%s is no mobile number there', (typed, country) => {
  expect(readMobile(typed, country, COUNTRIES)).toBeNull()
})

test('whatever is typed becomes a number the database takes, or nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'+0123456789 -٣８＋') })),
      fc.constantFrom(null, ID, DE, AQ),
      (typed, country) => {
        const number = readMobile(typed, country, COUNTRIES)
        expect(number === null || isMobile(number)).toBe(true)
      },
    ),
  )
})

test('numbers can be added where texts are sent, or shown in a mailbox', () => {
  expect(isSmsPossible({ twilio: undefined, sandboxPorts: {} })).toBe(false)
  expect(isSmsPossible({ twilio: undefined, sandboxPorts: { smtp: 4001 } })).toBe(true)
  expect(isSmsPossible({ twilio: {}, sandboxPorts: {} })).toBe(true)
})

test('a phone fills the code in for the https page alone', () => {
  expect(withAutofill('123456 is it', '123456', 'https://shop.example:8443')).toBe(
    '123456 is it\n\n@shop.example #123456',
  )
  expect(withAutofill('123456 is it', '123456', 'http://127.0.0.1:3000')).toBe('123456 is it')
})
