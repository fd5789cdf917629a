import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildSearchIndex, type SearchDocument, type SearchText } from './index-builder.ts'
import { search, searchRanked } from './search.ts'

const name = (text: string, language: string | null = 'en'): SearchText => ({
  text,
  language,
  kind: 'name',
})
const alias = (text: string): SearchText => ({ text, language: null, kind: 'alias' })
const region = (text: string, language: string): SearchText => ({ text, language, kind: 'region' })

/** Titles in the order of their ids; popularity falls with the id. */
const SHOP: Record<string, SearchText[]> = {
  genshin: [
    name('Genshin Impact'),
    name('原神', 'zh'),
    name('원신', 'ko'),
    name('เกนชินอิมแพกต์', 'th'),
    { text: 'HoYoverse', language: null, kind: 'publisher' },
  ],
  mlbb: [
    name('Mobile Legends: Bang Bang'),
    alias('MLBB'),
    name('モバイル・レジェンド', 'ja'),
    region('Germany', 'en'),
    region('Deutschland', 'de'),
  ],
  freefiremax: [name('Free Fire MAX')],
  freefire: [name('Free Fire'), name('فري فاير', 'ar')],
  pubg: [name('PUBG Mobile'), name('배틀그라운드 모바일', 'ko')],
  hok: [name('Honor of Kings'), name('王者荣耀', 'zh'), name('王者榮耀', 'zh-tw')],
  steam: [
    name('Steam Wallet Code'),
    region('Germany', 'en'),
    region('Deutschland', 'de'),
    { text: 'steam-de', language: null, kind: 'code' },
  ],
  steamUs: [name('Steam Wallet Code'), region('United States', 'en')],
  roblox: [name('Roblox'), alias('Robux')],
  cod: [name('Call of Duty: Mobile')],
  diablo: [name('Diablo IV')],
  fc24: [name('Sports FC 24')],
  fc26: [name('Sports FC 26')],
  pokemon: [name('Pokémon GO')],
}
const NAMES = Object.keys(SHOP)
const documents: SearchDocument[] = Object.values(SHOP).map((texts, id) => ({
  id,
  popularity: 100 - id,
  texts,
}))
const index = buildSearchIndex(documents)
const find = (query: string, language = 'en'): string[] =>
  search(index, query, language).map((hit) => NAMES[hit.id] ?? '')

describe('search', () => {
  it.each([
    ['genshin', 'en', 'genshin'],
    ['原神', 'en', 'genshin'],
    ['yuanshen', 'en', 'genshin'],
    ['yuan shen', 'en', 'genshin'],
    ['геншин', 'ru', 'genshin'],
    ['원신', 'ko', 'genshin'],
    ['เกนชิน', 'th', 'genshin'],
    ['原神充值', 'zh', 'genshin'],
    ['MLBB', 'en', 'mlbb'],
    ['mobiel legends', 'en', 'mlbb'],
    ['moblie leg', 'en', 'mlbb'],
    ['モバイルレジェンド', 'ja', 'mlbb'],
    ['もばいる', 'ja', 'mlbb'],
    ['pubgmobile', 'en', 'pubg'],
    ['배틀글', 'ko', 'pubg'],
    ['그라운드', 'ko', 'pubg'],
    ['王者荣燿', 'zh', 'hok'],
    ['wang zhe rong yao', 'en', 'hok'],
    ['staem', 'en', 'steam'],
    ['tseam', 'en', 'steam'],
    ['xteam', 'en', 'steam'],
    ['стим', 'ru', 'steam'],
    ['ستيم', 'ar', 'steam'],
    ['สตีม', 'th', 'steam'],
    ['robox', 'en', 'roblox'],
    ['роблокс', 'ru', 'roblox'],
    ['codm', 'en', 'cod'],
    ['dutymobile', 'en', 'cod'],
    ['diablo 4', 'en', 'diablo'],
    ['pokemon', 'en', 'pokemon'],
    ['hoyo', 'en', 'genshin'],
    ['steam-de', 'en', 'steam'],
    ['فري فاير', 'ar', 'freefire'],
    ['الفري فاير', 'ar', 'freefire'],
  ])('%s (%s) finds %s first', (query, language, expected) => {
    expect(find(query, language)[0]).toBe(expected)
  })

  it('puts the exact name before a longer one that is more popular', () => {
    expect(find('free fire')).toEqual(['freefire', 'freefiremax'])
    expect(find('freefire')).toEqual(['freefire', 'freefiremax'])
  })

  it('asks for every word when some product has them all', () => {
    expect(find('steam germany')).toEqual(['steam'])
    expect(find('steam deutschland', 'de')).toEqual(['steam'])
  })

  it('falls back to most of the words when no product has them all', () => {
    expect(find('genshin impact zzzzzz')).toEqual(['genshin'])
    expect(find('buy genshin now')).toEqual(['genshin'])
  })

  it.each([
    ['steam gutschein', 'de', 'steam'],
    ['diamantes free fire', 'es', 'freefire'],
    ['roblox gutsch', 'de', 'roblox'],
    ['купить роблокс', 'ru', 'roblox'],
    ['原神儲值', 'zh-tw', 'genshin'],
    ['เติมเกมเกนชิน', 'th', 'genshin'],
    ['genhsin top up', 'en', 'genshin'],
  ])(
    'words for the kind of goods do not lead %s (%s) away from %s',
    (query, language, expected) => {
      expect(find(query, language)[0]).toBe(expected)
    },
  )

  it('finds nothing more by words for the kind of goods than by their text', () => {
    expect(find('gutschein', 'de')).toEqual([])
    expect(find('code')).toEqual(['steam', 'steamUs'])
  })

  it('puts a country before the wider regions it belongs to', () => {
    const shop = buildSearchIndex([
      {
        id: 0,
        popularity: 2,
        texts: [
          name('Netflix'),
          region('Europe', 'en'),
          { text: 'Italia', language: 'it', kind: 'territory' },
        ],
      },
      { id: 1, popularity: 1, texts: [name('Netflix'), region('Italia', 'it')] },
    ])
    expect(search(shop, 'netflix italia', 'it').map((hit) => hit.id)).toEqual([1, 0])
  })

  it('orders equal matches by popularity, then id', () => {
    expect(find('steam')).toEqual(['steam', 'steamUs'])
  })

  it('never guesses numbers', () => {
    expect(find('sports fc 26')).toEqual(['fc26'])
    expect(find('2')).toEqual(['fc24', 'fc26'])
    expect(find('27')).toEqual([])
  })

  it('ranks a match in a readable language above one in another', () => {
    const two = buildSearchIndex([
      { id: 0, popularity: 9, texts: [name('Carta'), name('Tarta', 'ru')] },
      { id: 1, popularity: 1, texts: [name('Tarta')] },
    ])
    expect(search(two, 'tarta', 'en').map((hit) => hit.id)).toEqual([1, 0])
    expect(search(two, 'tarta', 'ru').map((hit) => hit.id)).toEqual([0, 1])
  })

  it('answers nothing for nothing', () => {
    for (const query of ['', '   ', '!?…', '\u0000\u0001', '🎮', '\ud800'])
      expect(find(query)).toEqual([])
    expect(search(buildSearchIndex([]), 'steam', 'en')).toEqual([])
  })

  it('says the same in both forms of the answer', () => {
    const { ids, scores } = searchRanked(index, 'fire', 'en')
    expect(search(index, 'fire', 'en')).toEqual(
      Array.from(ids, (id, i) => ({ id, score: scores[i] })),
    )
  })
})

const anyQuery = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        '原',
        '神',
        'genshin',
        ' ',
        'fire',
        '배',
        'เก',
        'ฟรี',
        '\u200f',
        'فر',
        '🎮',
        '\udc00',
        '2',
        'ー',
        'モ',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
)

describe('search, for any string', () => {
  it('never throws, answers in order, without repeats, and leaves nothing behind', () => {
    const before = search(index, 'mobile', 'en')
    fc.assert(
      fc.property(anyQuery, fc.constantFrom('en', 'zh', 'ko', 'xx', ''), (query, language) => {
        const hits = search(index, query, language)
        expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length)
        hits.forEach((hit, i) =>
          expect(hit.score).toBeLessThanOrEqual(hits[i - 1]?.score ?? Number.POSITIVE_INFINITY),
        )
        expect(search(index, query, language)).toEqual(hits)
        expect(search(index, 'mobile', 'en')).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })

  it('takes ten thousand characters of anything', () => {
    for (const unit of ['a', '原', 'ก', '배', 'a ', '原 ', '\u0301', '\ufdfa', '🎮', '\ud800'])
      expect(() => find(unit.repeat(10_000))).not.toThrow()
  })

  it('finds every text of every product by its own words', () => {
    for (const document of documents) {
      for (const { text, language } of document.texts) {
        expect(search(index, text, language ?? 'en').map((hit) => hit.id)).toContain(document.id)
      }
    }
  })

  it('finds a name with one letter lost, doubled, changed or swapped', () => {
    const words = ['genshin', 'mobile legends', 'roblox', 'diablo', 'pokemon', 'honor of kings']
    const edit = fc.record({
      word: fc.constantFrom(...words),
      at: fc.nat(30),
      how: fc.constantFrom('lose', 'double', 'change', 'swap'),
    })
    fc.assert(
      fc.property(edit, ({ word, at, how }) => {
        const places = [...word].flatMap((letter, i) =>
          letter !== ' ' && word[i + 1] !== ' ' && isLongWord(word, i) ? [i] : [],
        )
        const i = places[at % places.length] ?? 0
        const wrong = {
          lose: '',
          double: `${word[i]}${word[i]}`,
          change: 'x',
          swap: `${word[i + 1] ?? ''}${word[i]}`,
        }[how]
        const typed = word.slice(0, i) + wrong + word.slice(how === 'swap' ? i + 2 : i + 1)
        expect(find(typed), typed).toContain(find(word)[0])
      }),
      { numRuns: 500 },
    )
  })
})

function isLongWord(text: string, at: number): boolean {
  const start = text.lastIndexOf(' ', at) + 1
  const end = text.indexOf(' ', at)
  return (end < 0 ? text.length : end) - start >= 5
}
