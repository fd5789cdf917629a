import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSearchIndex, type SearchDocument, type SearchText } from './index-builder.ts'
import { search } from './search.ts'

interface SearchWord {
  readonly q: string
  readonly lang: string
  /** Code of the brand that must be among the first five, null where nothing is asserted. */
  readonly expect: string | null
  readonly why: string
}

const ROOT = join(import.meta.dirname, '../../../../..')
const CATALOGUE = join(ROOT, 'catalogue')
const WORDS = JSON.parse(
  readFileSync(join(ROOT, 'bench/search-words.json'), 'utf8'),
) as readonly SearchWord[]
const LANGUAGES = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'ms',
  'my',
  'nl',
  'pt',
  'ro',
  'ru',
  'th',
  'tl',
  'vi',
  'zh',
  'zh-tw',
]
const TOP = 5

/** Share of the expectations that hold, with those that do not. */
function judge(
  documents: readonly SearchDocument[],
  codes: readonly string[],
  words: readonly SearchWord[],
): { share: number; missed: string[] } {
  const index = buildSearchIndex(documents)
  const missed: string[] = []
  for (const word of words) {
    const found = new Set<string>()
    for (const hit of search(index, word.q, word.lang)) {
      if (found.size < TOP) found.add(codes[hit.id] ?? '')
    }
    if (!found.has(word.expect ?? ''))
      missed.push(`${word.q} (${word.lang}): ${word.expect} not in ${[...found].join(', ')}`)
  }
  return { share: 1 - missed.length / Math.max(1, words.length), missed }
}

const en = (text: string): SearchText => ({ text, language: 'en', kind: 'name' })
const also = (language: string, text: string): SearchText => ({ text, language, kind: 'name' })
const alias = (text: string): SearchText => ({ text, language: null, kind: 'alias' })
const FIXTURE: Readonly<Record<string, readonly SearchText[]>> = {
  'genshin-impact': [
    en('Genshin Impact'),
    alias('Yuanshen'),
    alias('Welkin'),
    also('zh', '原神'),
    also('ja', '原神'),
    also('ko', '원신'),
    also('th', 'เกนชินอิมแพกต์'),
    { text: 'HoYoverse', language: null, kind: 'publisher' },
  ],
  'mobile-legends': [
    en('Mobile Legends: Bang Bang'),
    alias('MLBB'),
    also('zh', '无尽对决'),
    also('zh-tw', '無盡對決'),
    also('ja', 'モバイル・レジェンド'),
    { text: 'Moonton', language: null, kind: 'publisher' },
  ],
  'free-fire': [en('Free Fire'), alias('FF'), also('ar', 'فري فاير'), also('hi', 'फ्री फायर')],
  'pubg-mobile': [
    en('PUBG Mobile'),
    alias('PUBGM'),
    also('zh', '绝地求生手游'),
    also('ko', '배틀그라운드 모바일'),
    also('ar', 'ببجي موبايل'),
  ],
  'honor-of-kings': [
    en('Honor of Kings'),
    alias('HOK'),
    alias('Wangzhe'),
    also('zh', '王者荣耀'),
    also('zh-tw', '王者榮耀'),
  ],
  roblox: [en('Roblox'), alias('Robux'), also('ko', '로블록스'), also('ar', 'روبلوكس')],
  valorant: [en('VALORANT'), also('ko', '발로란트')],
  fortnite: [
    en('Fortnite'),
    alias('V-Bucks'),
    also('ja', 'フォートナイト'),
    also('ar', 'فورتنايت'),
  ],
  steam: [en('Steam Wallet Code')],
  netflix: [en('Netflix Gift Card')],
  spotify: [en('Spotify Premium Gift Card')],
  amazon: [en('Amazon Gift Card')],
  'google-play': [en('Google Play Gift Card')],
  'playstation-store': [en('PlayStation Store Gift Card')],
  'clash-of-clans': [en('Clash of Clans'), alias('CoC'), also('ko', '클래시 오브 클랜')],
}

interface CatalogueBrand {
  readonly code: string
  readonly name: string
  readonly publisher?: string
  readonly aliases?: readonly string[]
  readonly game?: string
  readonly popularity?: number
  readonly products: readonly { readonly code: string }[]
}

/** Every brand of the demo catalogue, wherever its file lies: it is what has a code and products. */
function catalogueBrands(folder: string): CatalogueBrand[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.json') && !path.startsWith('translations'),
  )
  return files.flatMap((path) => brandsIn(JSON.parse(readFileSync(join(folder, path), 'utf8'))))
}

function brandsIn(value: unknown): CatalogueBrand[] {
  if (Array.isArray(value)) return value.flatMap(brandsIn)
  if (value === null || typeof value !== 'object') return []
  if ('products' in value && 'code' in value && 'name' in value) return [value as CatalogueBrand]
  return Object.values(value).flatMap(brandsIn)
}

type Names = Readonly<Record<string, Readonly<Record<string, unknown>>>>

function catalogueDocuments(brands: readonly CatalogueBrand[]): SearchDocument[] {
  const translations = new Map(LANGUAGES.map((language) => [language, readNames(language)]))
  const games = new Map(gamesOf(CATALOGUE).map((game) => [game.code, game]))
  return brands.map((brand, id) => {
    const game = games.get(brand.game ?? '')
    return {
      id,
      popularity: brand.popularity ?? 0,
      texts: [
        en(brand.name),
        ...[...translations].flatMap(([language, names]) => {
          const name =
            nameIn(names['brand']?.[brand.code]) ??
            nameIn(names['game']?.[game?.name === brand.name ? game.code : ''])
          return name === undefined ? [] : [also(language, name)]
        }),
        ...[...(brand.aliases ?? []), ...(game?.aliases ?? [])].map(alias),
        ...[brand.publisher ?? game?.publisher ?? ''].map(
          (text): SearchText => ({ text, language: null, kind: 'publisher' }),
        ),
        { text: brand.code, language: null, kind: 'code' },
        ...[...translations].flatMap(([language, names]) => {
          const name = nameIn(names['country']?.[brand.code.slice(0, 2).toUpperCase()])
          return name === undefined || !/^[a-z]{2}-/.test(brand.code)
            ? []
            : [{ text: name, language, kind: 'region' as const }]
        }),
      ],
    }
  })
}

function gamesOf(folder: string): CatalogueBrand[] {
  const path = join(folder, 'games.json')
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { games: CatalogueBrand[] }).games
    : []
}

function readNames(language: string): Names {
  const path = join(CATALOGUE, 'translations', `${language}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Names) : {}
}

/** A translation is a text, a text with its origin, or fields of which one is the name. */
function nameIn(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  if (entry === null || typeof entry !== 'object') return undefined
  return nameIn('text' in entry ? entry.text : 'name' in entry ? entry.name : undefined)
}

describe('the search words of the benchmark', () => {
  it('are a third typing errors and know every language', () => {
    expect(
      WORDS.filter((word) => word.why === 'typo').length / WORDS.length,
    ).toBeGreaterThanOrEqual(0.33)
    expect([...new Set(WORDS.map((word) => word.lang))].sort()).toEqual(LANGUAGES)
  })

  it('find what they should in a small shop', () => {
    const codes = Object.keys(FIXTURE)
    const documents = Object.values(FIXTURE).map((texts, id) => ({
      id,
      popularity: 100 - id,
      texts,
    }))
    expect(
      judge(
        documents,
        codes,
        WORDS.filter((word) => codes.includes(word.expect ?? '')),
      ).missed,
    ).toEqual([])
  })

  const brands = catalogueBrands(CATALOGUE)
  it.skipIf(brands.length === 0)('find what they should in the demo catalogue', () => {
    const { share, missed } = judge(
      catalogueDocuments(brands),
      brands.map((brand) => brand.code),
      WORDS.filter((word) => word.expect !== null),
    )
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.97)
  })
})
