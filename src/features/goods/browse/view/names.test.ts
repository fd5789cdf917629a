import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Unit } from '#features/goods/catalogue/rules.ts'
import { getLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import type { PluralForms } from '#kernel/plural.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { goodsName, labelOf, unitAmount, unitWord } from './names.ts'

type Fields = Readonly<Record<string, string>>
interface Listed {
  readonly key: string
  readonly name: string
  readonly forms?: PluralForms
}
const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(PROJECT_ROOT, 'catalogue', path), 'utf8'))
const listed = (read('units.json') as { units: Listed[] }).units
const translated = new Map(
  LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => [
    code,
    (read(`translations/${code}.json`) as { unit: Record<string, Fields | string> }).unit,
  ]),
)

/** The demo shop's units, as the shop has them in memory. */
const units = listed.map(({ key, name, forms = {} }): Unit => {
  const names: { en: string } & Partial<Record<LanguageCode, string>> = { en: name }
  const all: Partial<Record<LanguageCode, PluralForms>> = { en: forms }
  for (const [language, byKey] of translated) {
    const own = byKey[key]
    if (own === undefined) continue
    const { name: ownName, ...ownForms } = typeof own === 'string' ? { name: own } : own
    if (ownName !== undefined) names[language] = ownName
    all[language] = ownForms
  }
  return { key, name: names, forms: all }
})
const unit = (key: string): Unit => {
  const found = units.find((one) => one.key === key)
  if (!found) throw new Error(`no unit ${key}`)
  return found
}
const amount = (key: string, count: number, language: LanguageCode) =>
  unitAmount(unit(key), BigInt(count), language, translatorOf(language))
const visible = (text: string) => text.replace(/[\u2066\u2069]/g, '')

const COUNTS = [0, 1, 2, 5, 21, 100, 1_000, 1_000_000]

describe('every unit of the demo', () => {
  test.each(LANGUAGE_CODES)(
    'has in %s the forms that its numbers need, and is told by them',
    (language) => {
      const rules = new Intl.PluralRules(getLanguage(language).intl)
      const figures = new Intl.NumberFormat(getLanguage(language).intl)
      const categories = [...rules.resolvedOptions().pluralCategories].sort()
      for (const one of units) {
        const forms: Readonly<Record<string, string>> = one.forms[language] ?? {}
        expect([
          one.key,
          ...Object.keys(forms)
            .filter((form) => !form.startsWith('='))
            .sort(),
        ]).toEqual([one.key, ...categories])
        for (const count of COUNTS) {
          const form = forms[`=${count}`] ?? forms[rules.select(count)] ?? ''
          const text = visible(amount(one.key, count, language))
          expect([one.key, text]).toEqual([one.key, form.replace('{n}', figures.format(count))])
          const isWord = language === 'ar' && (count === 1 || count === 2)
          if (!isWord) expect(text).toContain(figures.format(count))
          expect(text.replace(figures.format(count), '').trim()).not.toBe('')
        }
      }
    },
  )

  test.each([
    ['en', '0 Diamonds|1 Diamond|2 Diamonds|5 Diamonds|21 Diamonds|100 Diamonds'],
    ['ru', '0 алмазов|1 алмаз|2 алмаза|5 алмазов|21 алмаз|100 алмазов'],
    ['ar', '0 ماسة|ماسة واحدة|ماستان|5 ماسات|21 ماسة|100 ماسة'],
    ['ro', '0 diamante|1 diamant|2 diamante|5 diamante|21 de diamante|100 de diamante'],
    ['fr', '0 diamant|1 diamant|2 diamants|5 diamants|21 diamants|100 diamants'],
    ['tl', '0 Diamonds|1 Diamond|2 Diamonds|5 Diamonds|21 Diamonds|100 Diamonds'],
  ] as const)('is counted in %s as people count', (language, texts) => {
    const said = [0, 1, 2, 5, 21, 100].map((count) => amount('diamonds', count, language))
    expect(said).toEqual(texts.split('|'))
  })

  test('has its figure grouped, and joined, as the language does', () => {
    expect([
      amount('diamonds', 1_000_000, 'es'),
      amount('diamonds', 1_000_000, 'de'),
      amount('diamonds', 12_500, 'ru'),
    ]).toEqual(['1.000.000 de diamantes', '1.000.000 Diamanten', '12\u00a0500 алмазов'])
  })
})

test('a figure and Latin letters are set apart in right-to-left text, where a sign would join them', () => {
  expect(amount('uc', 60, 'ar')).toBe('\u206660 UC\u2069')
  expect(amount('diamonds', 50, 'ar')).toBe('50 ماسة')
  expect(amount('uc', 60, 'en')).toBe('60 UC')
})

test('a unit that has only a name is told by it, one without a name in the language in English', () => {
  const t = translatorOf
  const named = { name: { en: 'Shells', ru: 'Ракушки' }, forms: {} }
  expect(unitAmount(named, 50n, 'ru', t('ru'))).toBe('Ракушки: 50')
  expect(unitAmount(named, 1_200n, 'en', t('en'))).toBe('1,200 Shells')
  const english = {
    name: { en: 'Shells' },
    forms: { en: { one: '{n} Shell', other: '{n} Shells' } },
  }
  expect(unitAmount(english, 1n, 'ru', t('ru'))).toBe('1 Shell')
  expect(unitAmount(english, 2_000n, 'de', t('de'))).toBe('2.000 Shells')
})

test('a top-up is called by its game and its unit in the order of the language', () => {
  const brand = { kind: 'top_up', name: { en: 'Free Fire' }, unit: unit('diamonds') } as const
  const name = (language: LanguageCode) => goodsName(brand, language, translatorOf(language))
  expect(LANGUAGE_CODES.map((code) => `${code} ${name(code)}`)).toEqual([
    'ar ماسات Free Fire',
    'de Free Fire Diamanten',
    'en Free Fire Diamonds',
    'es Diamantes de Free Fire',
    'fr Diamants Free Fire',
    `hi Free Fire ${unit('diamonds').name.hi}`,
    `id ${unit('diamonds').name.id} Free Fire`,
    'it Diamanti Free Fire',
    `ja Free Fire ${unit('diamonds').name.ja}`,
    `ko Free Fire ${unit('diamonds').name.ko}`,
    `ms ${unit('diamonds').name.ms} Free Fire`,
    `my Free Fire ${unit('diamonds').name.my}`,
    'nl Free Fire Diamanten',
    'pt Diamantes Free Fire',
    'ro Diamante Free Fire',
    'ru Алмазы Free Fire',
    `th ${unit('diamonds').name.th} Free Fire`,
    'tl Free Fire Diamonds',
    'vi Kim cương Free Fire',
    `zh Free Fire ${unit('diamonds').name.zh}`,
    `zh-tw Free Fire ${unit('diamonds').name['zh-tw']}`,
  ])
})

test('what comes on top is counted by itself', () => {
  const pack = {
    kind: 'pack',
    name: '78 + 1 Diamonds',
    units: 78n,
    bonus: 1n,
    days: null,
    dataMb: null,
    faceMinor: null,
    free: null,
  } as const
  const words = { language: 'ru', t: translatorOf('ru'), face: null, phrase: String } as const
  expect(labelOf({ ...words, unit: unit('diamonds') }, pack)).toEqual({
    label: '78 алмазов',
    bonus: '1 алмаз',
  })
})

test('within a sentence a unit has the small letter that its amounts have', () => {
  const word = (key: string, language: LanguageCode) => unitWord(unit(key), language)
  expect([word('diamonds', 'es'), word('diamonds', 'ru'), word('diamonds', 'de')]).toEqual([
    'diamantes',
    'алмазы',
    'Diamanten',
  ])
  expect([word('uc', 'fr'), word('riot-points', 'ru'), word('diamonds', 'en')]).toEqual([
    'UC',
    'Riot Points (RP)',
    'Diamonds',
  ])
})
