import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { searchArticles, withNewsCovers } from './queries.ts'
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

test('an article without a picture gets a cover of its category, one with a picture keeps it', () => {
  const [own, bare] = demoArticles('news', 'news.json').map((article, index) => ({
    ...article,
    picture: index === 0 ? 'own' : null,
  })) as [Article, Article]
  const content = {
    news: [own, bare],
    newsByCode: new Map(),
    faq: [],
    pageByCode: new Map(),
    categories: [{ kind: 'news' as const, code: bare.category ?? '', name: { en: 'Guides' } }],
  }
  const drawn = withNewsCovers(content, new Map())
  expect(drawn.content.news.map((article) => article.picture)).toEqual(['own', `news/${bare.code}`])
  expect(drawn.content.newsByCode.get(bare.code)?.picture).toBe(`news/${bare.code}`)
  expect(drawn.pictures.get(`news/${bare.code}`)).toMatchObject({
    recipe: { kind: 'cover', recipe: { name: 'Guides', seed: bare.code } },
  })
})
