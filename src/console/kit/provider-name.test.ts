import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { DECLARED_METHODS } from '#providers/payment/services.ts'
import { providerName } from './provider-name.ts'

test('every payment service that the program knows has a name in every language, none of them its code', () => {
  const codes = [...new Set(DECLARED_METHODS.map(({ provider }) => provider)), 'transfer', 'credit']
  for (const language of LANGUAGE_CODES)
    for (const code of codes) {
      const name = providerName(translatorOf(language), code)
      expect([code, name]).not.toEqual([code, code])
      expect(name).not.toMatch(/^(?:console|cashier)\./)
    }
  expect(providerName(translatorOf('de'), 'of-another-release')).toBe('of-another-release')
})
