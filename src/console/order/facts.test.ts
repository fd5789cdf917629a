import { expect, test } from 'vitest'
import { EVIDENCE_PARTS } from '#features/buying/order/rules.ts'
import { getLanguage, LANGUAGES, type LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { evidenceRows } from './facts.ts'

const words = (code: LanguageCode) => ({ t: translatorOf(code), language: getLanguage(code) })

test('everything that is kept of an order’s origin has a name in every language', () => {
  const evidence = Object.fromEntries(EVIDENCE_PARTS.map((part) => [part, 'x']))
  for (const { code } of LANGUAGES) {
    const names = evidenceRows(words(code), { evidence, terms: '3' }, null).map(({ name }) => name)
    expect(names).toHaveLength(EVIDENCE_PARTS.length + 1)
    expect(names.filter((name) => /^console\.|_/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  }
})

test('countries are told by their names, what is not known by its code, and what is empty not at all', () => {
  const evidence = {
    billing_country: 'DE',
    chosen_country: null,
    network: '192.0.2.0/24',
    device: 7,
  }
  expect(evidenceRows(words('fr'), { evidence, terms: '3' }, '1 nov.')).toEqual([
    { name: 'Conditions acceptées', value: '3, 1 nov.' },
    { name: 'Pays de facturation', value: 'Allemagne' },
    { name: 'Réseau', value: '192.0.2.0/24' },
    { name: 'device', value: '7' },
  ])
})
