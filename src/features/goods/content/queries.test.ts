import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { SCENE_NAMES } from '#features/goods/picture/cover/scene.ts'
import type { StoredPicture } from '#features/goods/picture/queries.ts'
import { searchArticles, withPictures } from './queries.ts'
import type { Article, ArticleKind } from './rules.ts'

function demoArticles(kind: ArticleKind, file: string): Article[] {
  const document = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'catalogue', 'articles', file), 'utf8'),
  ) as { articles: Partial<Article>[] }
  return document.articles.map((article) => ({
    kind,
    code: '',
    language: 'en',
    category: null,
    title: '',
    summary: '',
    sections: [],
    related: [],
    picture: null,
    publishedAt: new Date(0),
    ...article,
  }))
}

const codes = (articles: readonly Article[]) => articles.map((article) => article.code)

describe('a search in the questions of the demo shop', () => {
  const faq = demoArticles('faq', 'faq.json')

  test.each([
    ['bank', 'payment-declined'],
    ['forgot my password', 'forgot-password'],
    ['pasword', 'password-rules'],
    ['wrong player', 'wrong-id'],
    ['invoice', 'invoice'],
  ])('for %j finds %s', (keywords, code) => {
    expect(codes(searchArticles(faq, keywords))).toContain(code)
  })

  test('finds words of an answer, and nothing for nonsense', () => {
    expect(codes(searchArticles(faq, 'denomination region'))).toContain('how-to-order')
    expect(searchArticles(faq, 'qqzzxxyyqq')).toEqual([])
    expect(searchArticles(faq, '')).toEqual([])
  })
})

test.each(['faq', 'news', 'page'] as const)(
  'the texts of the demo name nothing that the shop does not have: %s',
  (kind) => {
    const words = /crypto(?! voucher)|\bUSDT\b|(?<!game )chat\b|[\d,]{2,} (?:products|currencies)/i
    const file = kind === 'page' ? 'pages.json' : `${kind}.json`
    const texts = demoArticles(kind, file).flatMap(({ code, title, summary, sections }) => [
      `${code}: ${title}`,
      `${code}: ${summary}`,
      ...sections.flatMap(({ heading, paragraphs }) =>
        [heading ?? '', ...paragraphs].map((text) => `${code}: ${text}`),
      ),
    ])
    expect(texts.filter((text) => words.test(text))).toEqual([])
  },
)

test('a search in the news puts a match of the title first', () => {
  expect(codes(searchArticles(demoArticles('news', 'news.json'), 'valorant'))[0]).toBe(
    'valorant-points-by-region',
  )
})

describe('news without pictures of their own', () => {
  const steam: StoredPicture = {
    recipe: { kind: 'cover', recipe: { name: 'Steam', kind: 'gift' } },
    version: 'steam',
  }
  const photograph: StoredPicture = { recipe: { kind: 'file', path: 'a.jpg' }, version: null }
  const stored = new Map([
    ['brand/steam', steam],
    ['brand/photo', photograph],
  ])
  /** An article a word: its category, after a slash the brand it is about; `own` has a picture. */
  const pictures = (words: readonly string[], language: LanguageCode = 'en') => {
    const news = words.map((word, at) => {
      const [category = null, brand] = word.split('/')
      return {
        ...(demoArticles('news', 'news.json')[0] as Article),
        code: `article-${at}`,
        category,
        related: brand === undefined ? [] : [brand],
        picture: category === 'own' ? 'own' : null,
      }
    })
    const content = { news, newsByCode: new Map(), faq: [], pageByCode: new Map(), categories: [] }
    const drawn = withPictures(content, stored, language, (code) => [`brand/${code}`])
    for (const { code, picture } of drawn.content.news) {
      expect(drawn.content.newsByCode.get(code)?.picture).toBe(picture)
      if (picture !== 'own') expect(drawn.pictures.get(picture ?? '')?.version).toHaveLength(8)
    }
    return drawn.content.news.map(({ picture }) => picture)
  }

  test('show the goods they are about, and without a cover of these the scene of their category', () => {
    expect(pictures(['own', 'games/steam', 'safety', 'guides/photo'])).toEqual([
      'own',
      'article/article-1',
      'scene/safety-night',
      'scene/guides-crossroads',
    ])
  })

  test('never show a scene that one of the three before has, nor that of the one before in their category', () => {
    const categories = ['guides', 'safety', 'payments', 'tournaments']
    const words = Array.from({ length: 60 }, (_, at) => categories[(at * at) % 4] ?? 'guides')
    const scenes = pictures(words)
    for (const [at, scene] of scenes.entries()) {
      expect(scenes.slice(Math.max(0, at - 3), at)).not.toContain(scene)
      const before = words.lastIndexOf(words[at] ?? '', at - 1)
      if (at > 0 && before >= 0) expect(scenes[before]).not.toBe(scene)
    }
    expect(new Set(scenes).size).toBeLessThanOrEqual(SCENE_NAMES.length)
  })

  test('are apart in lists of one category as well', () => {
    const [first, second, third] = pictures(['safety', 'safety', 'safety'])
    expect(new Set([first, second, third]).size).toBe(3)
    expect(first).toBe('scene/safety-night')
  })

  test('mirror the way from wallet to shop where reading runs that way, and nothing else', () => {
    expect(pictures(['payments', 'guides'])).toEqual([
      'scene/payments-bridge',
      'scene/guides-crossroads',
    ])
    expect(pictures(['payments', 'guides'], 'ar')).toEqual([
      'scene/payments-bridge/mirrored',
      'scene/guides-crossroads',
    ])
  })

  test('show a scene for a category of the shop’s own too, always the same', () => {
    const [first, , , , second] = pictures([
      'tournaments',
      'safety',
      'guides',
      'games',
      'tournaments',
    ])
    expect(first).toMatch(/^scene\/[a-z-]+$/)
    expect(second).not.toBe(first)
    expect(pictures(['tournaments'])).toEqual([first])
  })
})
