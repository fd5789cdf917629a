import { afterEach, expect, test } from 'vitest'
import {
  compiledMessages,
  readMessages,
  replaceTexts,
  textsRevision,
  translatorOf,
} from '#platform/i18n/messages.ts'
import { partsOf, problemOf, warningsOf } from './engine/compare.ts'
import { foundKeys } from './engine/texts.ts'

afterEach(() => replaceTexts([]))

test('own words are laid over the texts of one language, in what pages are rendered with and what browsers get', () => {
  const before = textsRevision()
  replaceTexts([{ language: 'th', key: 'shell.cart', text: 'ถุงของ {count}' }])
  expect(textsRevision()).toBeGreaterThan(before)
  expect(translatorOf('th')('shell.cart', { count: 3 })).toBe('ถุงของ 3')
  expect(compiledMessages('th')['shell.cart']).toEqual(['ถุงของ ', ['count']])
  expect(translatorOf('de')('shell.cart')).not.toContain('ถุงของ')
  replaceTexts([])
  expect(translatorOf('th')('shell.cart')).toBe(readMessages('th')['shell.cart'])
})

test('a row that is no message, or of a text that is not there, changes nothing', () => {
  const original = translatorOf('en')('shell.cart')
  replaceTexts([
    { language: 'en', key: 'shell.cart', text: '{count, plural, one {#' },
    { language: 'en', key: 'shell.gone', text: 'Gone' },
    { language: 'en', key: 'toString', text: 'No' },
  ])
  expect(translatorOf('en')('shell.cart')).toBe(original)
  expect(compiledMessages('en')['shell.gone']).toBeUndefined()
  expect(Object.hasOwn(compiledMessages('en'), 'toString')).toBe(false)
})

test('words that would leave a gap are refused, and those that leave something out are told', () => {
  const original = '{count, plural, one {# item for {name}} other {# items for {name}}}'
  expect(problemOf('{count, plural, one {', original)).toEqual({
    field: 'text',
    reason: 'not_message',
  })
  expect(problemOf('For {who}', original)).toMatchObject({ reason: 'other_values' })
  expect(problemOf('{count} for {name}', original)).toBeNull()
  expect(warningsOf('en', 'For {name}', original)).toEqual([
    { kind: 'lacks_values', values: ['count'] },
  ])
  expect(warningsOf('ru', '{count, plural, one {# {name}} other {# {name}}}', original)).toEqual([
    { kind: 'lacks_forms', values: ['few', 'many'] },
  ])
  const choice = '{kind, select, card {By card} other {Otherwise}}'
  expect(problemOf('{kind, select, wallet {By wallet} other {Else}}', choice)).toMatchObject({
    reason: 'other_cases',
  })
  expect(problemOf('<b>Bold</b> & "quoted"', 'Plain')).toBeNull()
})

test('words that would fail where they are said are no message, and change nothing where a row has them', () => {
  const original = '{count, plural, one {# item for {name}} other {# items for {name}}}'
  const cart = compiledMessages('en')['shell.cart']
  for (const text of [
    '{name, date}',
    '{name, time, short}',
    '{name, shouted}',
    '{count, number, furlong}',
    '{count, plural, one {# item}}',
    '{count, plural, one {# item} other {{name, date}}}',
  ]) {
    expect([text, problemOf(text, original)]).toEqual([
      text,
      { field: 'text', reason: 'not_message' },
    ])
    replaceTexts([{ language: 'en', key: 'shell.cart', text }])
    expect(compiledMessages('en')['shell.cart']).toEqual(cart)
  }
  expect(problemOf('{count, number} for {name}', original)).toBeNull()
})

test('every text of every language stands for itself', () => {
  for (const language of ['en', 'ar', 'th', 'ru'] as const)
    for (const [key, text] of Object.entries(readMessages(language))) {
      expect([key, partsOf(text) === null]).toEqual([key, false])
      expect([key, problemOf(text, text)]).toEqual([key, null])
      expect([key, warningsOf(language, text, text)]).toEqual([key, []])
    }
})

test('a text is found by its key and by its words in any language', () => {
  expect(foundKeys('shell.cart', null)).toContain('shell.cart')
  const thai = readMessages('th')['shell.cart'] ?? ''
  expect(foundKeys(thai, null)).toContain('shell.cart')
  expect(foundKeys('shell.cart', 'mail')).toEqual([])
})
