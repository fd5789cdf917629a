import type { Db } from '#platform/db.ts'
import type { Article, ArticleKind, ArticleSection, Content } from './rules.ts'

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
