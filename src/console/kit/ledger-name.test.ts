import { expect, test } from 'vitest'
import * as ledger from '#features/base/ledger/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { accountName, movementName } from './ledger-name.ts'

/** Every account that the books' own rules can name. */
const ACCOUNTS: readonly string[] = [
  ...Object.values(ledger).filter((one) => typeof one === 'string'),
  ...Object.entries(ledger).flatMap(([name, make]) =>
    /^(?:at|reservedAt|sentTo)[A-Z]|^exchangedAt$|Of$/.test(name)
      ? [(make as (code: string) => string)('alpha')]
      : [],
  ),
]

test('every account of the books has a name in every language', () => {
  expect(ACCOUNTS).toHaveLength(21)
  for (const { code } of LANGUAGES) {
    const names = ACCOUNTS.map((account) => accountName(translatorOf(code), account))
    expect(names.filter((name) => /^console\.|[a-z]_[a-z]|:|\{/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(ACCOUNTS.length)
  }
})

test('every movement of the books has a name of its own in every language', () => {
  for (const { code } of LANGUAGES) {
    const names = ledger.LEDGER_SOURCES.map((source) => movementName(translatorOf(code), source))
    expect(names.filter((name) => /^console\.|[a-z]_[a-z]/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  }
})

test('what is known no more keeps its code', () => {
  const t = translatorOf('en')
  expect(movementName(t, 'barter')).toBe('barter')
  expect(accountName(t, 'barter')).toBe('barter')
  expect(accountName(t, 'barter:alpha')).toBe('barter:alpha')
  expect(accountName(t, 'provider:stripe')).toBe('Balance at Stripe')
})
