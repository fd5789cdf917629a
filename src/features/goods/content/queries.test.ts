import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { searchArticles, withScenes } from './queries.ts'
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
  const content = (categories: readonly string[]) => ({
    news: categories.map((category, at) => ({
      ...(demoArticles('news', 'news.json')[0] as Article),
      code: `article-${at}`,
      category,
      picture: at === 0 ? 'own' : null,
    })),
    newsByCode: new Map(),
    faq: [],
    pageByCode: new Map(),
    categories: [],
  })
  const pictures = (categories: readonly string[], language: LanguageCode = 'en') => {
    const drawn = withScenes(content(categories), new Map(), language)
    for (const { code, picture } of drawn.content.news) {
      expect(drawn.content.newsByCode.get(code)?.picture).toBe(picture)
      if (picture !== 'own') expect(drawn.pictures.get(picture ?? '')?.version).toHaveLength(8)
    }
    return drawn.content.news.map(({ picture }) => picture)
  }

  test('show the scene of their category, the second of two alike mirrored', () => {
    expect(pictures(['games', 'safety', 'guides', 'guides', 'guides', 'safety'])).toEqual([
      'own',
      'scene/safety-night',
      'scene/guides-crossroads',
      'scene/guides-crossroads/mirrored',
      'scene/guides-crossroads',
      'scene/safety-night',
    ])
  })

  test('mirror the way from wallet to shop where reading runs that way, and nowhere else', () => {
    const payments = ['games', 'payments', 'payments', 'guides']
    expect(pictures(payments).slice(1)).toEqual([
      'scene/payments-bridge',
      'scene/payments-bridge',
      'scene/guides-crossroads',
    ])
    expect(pictures(payments, 'ar').slice(1)).toEqual([
      'scene/payments-bridge/mirrored',
      'scene/payments-bridge/mirrored',
      'scene/guides-crossroads',
    ])
  })

  test('show a scene for a category of the shop’s own too, always the same', () => {
    const [, first, , second] = pictures(['games', 'tournaments', 'safety', 'tournaments'])
    expect(first).toMatch(/^scene\/[a-z-]+$/)
    expect(second).toBe(first)
  })
})
