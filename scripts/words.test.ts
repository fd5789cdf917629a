import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import {
  forbiddenWords,
  glossaryGaps,
  misnamed,
  missingTerms,
  readArticles,
  readForbidden,
  readTerms,
  readTexts,
} from './words.ts'

const ROOT = join(import.meta.dirname, '..')
const forbidden = readForbidden(ROOT)
const terms = readTerms(ROOT)
const TRANSLATED = LANGUAGE_CODES.filter((code) => code !== 'en')

describe.each(LANGUAGE_CODES)('what %s may not say', (language) => {
  test.each((forbidden.rules[language] ?? []).map((rule) => [rule.pattern, rule] as const))(
    '%s',
    (_, { sample, keys, pattern }) => {
      const key = `${keys?.[0] ?? 'sample'}.text`
      expect(forbiddenWords(language, { [key]: sample }, forbidden)).toContainEqual(
        expect.stringContaining(`${language}: ${key} has "`),
      )
      if (keys)
        expect(
          forbiddenWords(language, { 'sandbox.text': sample }, onlyRule(language, pattern)),
        ).toEqual([])
    },
  )
})

/** The rules of a language without all but one. */
function onlyRule(language: (typeof LANGUAGE_CODES)[number], pattern: string) {
  const rules = (forbidden.rules[language] ?? []).filter((rule) => rule.pattern === pattern)
  return { except: {}, rules: { ...forbidden.rules, [language]: rules } }
}

test('keys with words that the specification fixes are left alone', () => {
  const text = 'Sorry, these goods stands'
  expect(forbiddenWords('en', { 'order.status.x': text }, forbidden)).toEqual([])
  expect(forbiddenWords('en', { 'order.heading.x': text }, forbidden)).toHaveLength(2)
})

test.each(TRANSLATED)('a thing is called by its name in %s', (language) => {
  const english = { 'a.text': '{count, plural, one {# gift card} other {# gift cards}}' }
  const asked = { english, outdated: new Set<string>() }
  const other = { 'a.text': 'X {gift} X' }
  expect(missingTerms(language, { ...asked, texts: other }, terms)).toEqual([
    `${language}: a.text does not use the name of "gift card": X {gift} X`,
  ])
  expect(
    missingTerms(language, { ...asked, texts: other, outdated: new Set(['a.text']) }, terms),
  ).toEqual([])
})

test('the name of a placeholder is no word of a text', () => {
  const asked = {
    english: { a: 'For {email}' },
    texts: { a: 'Für {email}' },
    outdated: new Set<string>(),
  }
  expect(missingTerms('de', asked, terms)).toEqual([])
  expect(missingTerms('de', { ...asked, english: { a: 'For your email' } }, terms)).toHaveLength(1)
})

test.each(TRANSLATED)('help and terms name things as the pages of %s do', (language) => {
  const articles = readArticles(ROOT, language)
  const texts = readTexts(ROOT, language)
  expect(misnamed(language, texts, articles)).toEqual([])
  const renamed = { ...texts, 'order.status.waiting_for_shipment': 'Elsewhere' }
  expect(misnamed(language, renamed, articles)).toEqual([
    `${language}: news/order-status-explained does not say "Elsewhere" (order.status.waiting_for_shipment)`,
    `${language}: page/sales-terms does not say "Elsewhere" (order.status.waiting_for_shipment)`,
  ])
})

test('each term has a name in every language', () => {
  for (const { languages } of terms)
    expect(Object.keys(languages).sort()).toEqual([...TRANSLATED].sort())
})

test('a gap in the glossary is seen', () => {
  const csv = readFileSync(join(ROOT, 'docs', 'words', 'glossary.csv'), 'utf8')
  expect(glossaryGaps(csv)).toEqual([])
  expect(glossaryGaps(csv.replace('سلة التسوق', ''))).toEqual([
    'glossary.csv: cart lacks a name in some language',
  ])
  expect(glossaryGaps(csv.replace(',zh-tw', ''))).toContain('glossary.csv: no column zh-tw')
})
