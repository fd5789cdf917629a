import { expect, test } from 'vitest'
import { countryOfZone, type Country } from './rules.ts'

const country = (code: string): Country => ({
  code,
  name: { en: code },
  dialCode: null,
  storeCurrency: 'USD',
  language: 'en',
  isOnSale: true,
  phone: null,
})
const countries = new Map(['DE', 'IN', 'JP', 'US'].map((code) => [code, country(code)]))

test.each([
  ['Europe/Berlin', 'DE'],
  // The older and the newer name of one zone.
  ['Asia/Calcutta', 'IN'],
  ['Asia/Kolkata', 'IN'],
  ['America/Chicago', 'US'],
  ['Asia/Tokyo', 'JP'],
])('%s is in %s', (zone, code) => {
  expect(countryOfZone(zone, countries)?.code).toBe(code)
})

test.each(['UTC', 'Etc/GMT+5', 'Europe/Paris', 'Mars/Olympus', '', '\u0000', 'x'.repeat(10_000)])(
  '%j is in none of them',
  (zone) => {
    expect(countryOfZone(zone, countries)).toBeNull()
  },
)
