import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMobileNumber } from '#platform/mobile-number.ts'
import { isMobile, isSmsPossible, withAutofill } from './rules.ts'

test('whatever is typed becomes a number the database takes, or nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'+0123456789 -٣８＋') })),
      fc.constantFrom(null, 'ID', 'DE', 'AQ'),
      (typed, country) => {
        const number = readMobileNumber(typed, country)
        expect(number === null || isMobile(number.international)).toBe(true)
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
