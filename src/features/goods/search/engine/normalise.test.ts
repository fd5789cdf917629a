import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseQuery, normaliseText } from './normalise.ts'
import { toJamo, tokenise, withoutArticle } from './tokenise.ts'
import { phoneticKey, toLatin } from './transliterate.ts'

const terms = (text: string): string[] => tokenise(normaliseText(text)).map((token) => token.term)

describe('normaliseText', () => {
  it.each([
    ['Pokémon', 'pokemon'],
    ['ŻABKA', 'zabka'],
    ['Liên Quân', 'lien quan'],
    ['Straße', 'strasse'],
    ['Đột Kích', 'dot kich'],
    ['ＳＴＥＡＭ', 'steam'],
    ['ﾌｫｰﾄﾅｲﾄ', 'フオートナイト'],
    ['ぽけもん', 'ポケモン'],
    ['أهلاً', 'اهلا'],
    ['ак٣', 'ак3'],
    ['၂၀', '20'],
    ['Ёлка й', 'елка й'],
    ["Assassin's", 'assassins'],
    ['İstanbul', 'istanbul'],
  ])('%s becomes %s', (text, expected) => {
    expect(normaliseText(text)).toBe(expected)
  })

  it('is idempotent and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const once = normaliseText(text)
        expect(tokenise(normaliseText(once))).toEqual(tokenise(once))
      }),
    )
  })
})

describe('normaliseQuery', () => {
  it('cuts at 64 code points and drops control characters', () => {
    expect([...normaliseQuery('𝒜'.repeat(100))]).toHaveLength(64)
    expect(normaliseQuery('\u0000a\u0007b\u200fc')).toBe('a bc')
  })
})

describe('tokenise', () => {
  it('splits where the script changes', () => {
    expect(terms('PUBG모바일 崩坏3 Steamไทย')).toEqual([
      'pubg',
      toJamo('모바일'),
      '崩坏',
      '3',
      'steam',
      'ไทย',
    ])
  })

  it('takes Hangul apart so that an unfinished syllable is a prefix', () => {
    expect(toJamo('배틀그라').startsWith(toJamo('배틀글'))).toBe(true)
  })

  it('knows the Arabic article', () => {
    expect(['الالعاب', 'العاب', 'عاب', 'roblox'].map(withoutArticle)).toEqual([
      'العاب',
      'عاب',
      undefined,
      undefined,
    ])
  })
})

describe('transliteration', () => {
  it('writes other scripts in Latin letters', () => {
    expect([toLatin('原神'), toLatin('геншин'), toLatin('ポケモン')]).toEqual([
      'yuanshen',
      'genshin',
      'pokemon',
    ])
  })

  it('gives names that sound alike one key', () => {
    expect(phoneticKey(toLatin('роблокс'))).toBe(phoneticKey('roblox'))
    expect(phoneticKey(toLatin('стим'))).toBe(phoneticKey('steam'))
    expect(phoneticKey(toLatin('плейстейшн'))).toBe(phoneticKey('playstation'))
  })
})
