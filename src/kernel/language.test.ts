import { expect, test } from 'vitest'
import { LANGUAGES, negotiateLanguage } from './language.ts'

test('there are 21 languages, English without prefix, Arabic from right to left', () => {
  expect(LANGUAGES).toHaveLength(21)
  expect(
    LANGUAGES.filter((language) => language.prefix === '').map((language) => language.code),
  ).toEqual(['en'])
  expect(
    LANGUAGES.filter((language) => language.dir === 'rtl').map((language) => language.code),
  ).toEqual(['ar'])
})

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['en;q=0.5, ja', 'ja'],
  ['zh-HK', 'zh-tw'],
  ['zh-Hans-CN', 'zh'],
  ['fil-PH', 'tl'],
  ['sv, pl;q=0.8, pt-BR;q=0.1', 'pt'],
  ['de;q=0, fr', 'fr'],
  ['*', null],
  ['', null],
  [';;;,,,q=', null],
])('a browser that asks for %j gets %s', (header, expected) => {
  expect(negotiateLanguage(header)?.code ?? null).toBe(expected)
})
