import type { Db } from '#platform/db.ts'
import { drawnPicture, type StoredPicture } from '#features/picture/queries.ts'
import { buildSearchIndex, type SearchDocument, type SearchIndex, type SearchText } from '#features/search/engine/index-builder.ts'
import { searchRanked } from '#features/search/engine/search.ts'
import { coverOf, type Article, type ArticleKind, type ArticleSection, type Content } from './rules.ts'

export async function loadContent(db: Db): Promise<Content> {
  const rows = await db.selectFrom('article').selectAll().where('status', '=', 'active').orderBy('position').execute()
  const categories = await db.selectFrom('article_category').selectAll().orderBy('position').execute()
  const names = Map.groupBy(
    await db.selectFrom('translation').select(['subject_code', 'language', 'text']).where('subject', '=', 'article_category').execute(),
    (row) => row.subject_code,
  )
  const articles: Article[] = rows.map((row) => ({
    kind: row.kind as ArticleKind,
    code: row.code,
    category: row.category,
    title: row.title,
    summary: row.summary,
    sections: row.sections as ArticleSection[],
    related: row.related,
    picture: row.picture,
    publishedAt: row.published_at,
  }))
  const news = articles.filter((article) => article.kind === 'news').sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  return {
    news,
    faq: articles.filter((article) => article.kind === 'faq'),
    pageByCode: new Map(articles.filter((article) => article.kind === 'page').map((article) => [article.code, article])),
    newsByCode: new Map(news.map((article) => [article.code, article])),
    categories: categories.map((row) => ({
      kind: row.kind as ArticleKind,
      code: row.code,
      name: { ...Object.fromEntries((names.get(`${row.kind}/${row.code}`) ?? []).map((name) => [name.language, name.text])), en: row.name },
    })),
  }
}

/** Gives each article of the news without a picture a drawn cover: what it names then stands among the pictures. */
export function withNewsCovers(content: Content, pictures: ReadonlyMap<string, StoredPicture>) {
  const drawn = new Map(pictures)
  const news = content.news.map((article): Article => {
    if (article.picture !== null) return article
    const picture = `news/${article.code}`
    drawn.set(picture, drawnPicture(coverOf(article, content.categories)))
    return { ...article, picture }
  })
  return { content: { ...content, news, newsByCode: new Map(news.map((article) => [article.code, article])) }, pictures: drawn }
}

const indexes = new WeakMap<readonly Article[], SearchIndex>()

/** The articles that speak of what is searched for, best first; forgives typing errors. Texts are English. */
export function searchArticles(articles: readonly Article[], keywords: string): Article[] {
  let index = indexes.get(articles)
  if (!index) indexes.set(articles, (index = buildSearchIndex(articles.map(articleDocument))))
  return Array.from(searchRanked(index, keywords, 'en').ids, (id) => articles[id] as Article)
}

function articleDocument(article: Article, id: number): SearchDocument {
  const english = (kind: SearchText['kind'], text: string): SearchText[] => (text === '' ? [] : [{ text, language: 'en', kind }])
  return {
    id,
    popularity: -id,
    texts: [
      ...english('name', article.title),
      ...english('alias', article.summary),
      ...article.sections.flatMap(({ heading, paragraphs }) => [...english('region', heading ?? ''), ...paragraphs.flatMap((text) => english('category', text))]),
    ],
  }
}
