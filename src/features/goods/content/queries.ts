import { findLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { scenesOf } from '#features/goods/picture/cover/scene.ts'
import { scenePicture, type StoredPicture } from '#features/goods/picture/queries.ts'
import {
  buildSearchIndex,
  type SearchDocument,
  type SearchIndex,
  type SearchText,
} from '#features/goods/search/engine/index-builder.ts'
import { searchRanked } from '#features/goods/search/engine/search.ts'
import { type Article, type ArticleSection, type Content } from './rules.ts'

/** All that is told and asked, in each language; what is not translated stands there in English. */
export async function loadContents(db: Db): Promise<ReadonlyMap<LanguageCode, Content>> {
  const rows = await db
    .selectFrom('article')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('position')
    .execute()
  const categories = await db
    .selectFrom('article_category')
    .selectAll()
    .orderBy('position')
    .execute()
  const translations = await db
    .selectFrom('translation')
    .select(['subject', 'subject_code', 'field', 'language', 'text'])
    .where('subject', 'in', ['article', 'article_category'])
    .execute()
  const words = new Map(
    translations.map((row) => [
      `${row.subject} ${row.subject_code} ${row.field} ${row.language}`,
      row.text,
    ]),
  )
  const english = rows.map(
    (row): Article => ({
      kind: row.kind,
      code: row.code,
      language: 'en',
      category: row.category,
      title: row.title,
      summary: row.summary,
      sections: row.sections as ArticleSection[],
      related: row.related,
      picture: row.picture,
      publishedAt: row.published_at,
    }),
  )
  const names = Map.groupBy(
    translations.filter((row) => row.subject === 'article_category'),
    (row) => row.subject_code,
  )
  const named = categories.map((row) => ({
    kind: row.kind,
    code: row.code,
    name: {
      ...Object.fromEntries(
        (names.get(`${row.kind}/${row.code}`) ?? []).map((name) => [name.language, name.text]),
      ),
      en: row.name,
    },
  }))
  return new Map(
    LANGUAGE_CODES.map((language) => [
      language,
      contentOf(
        english.map((article) => translateArticle(article, language, words)),
        named,
      ),
    ]),
  )
}

function contentOf(articles: readonly Article[], categories: Content['categories']): Content {
  const news = articles
    .filter((article) => article.kind === 'news')
    .sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  return {
    news,
    faq: articles.filter((article) => article.kind === 'faq'),
    pageByCode: new Map(
      articles
        .filter((article) => article.kind === 'page')
        .map((article) => [article.code, article]),
    ),
    newsByCode: new Map(news.map((article) => [article.code, article])),
    categories,
  }
}

/** The article in a language when its title is translated; a field that is not stays in English. */
function translateArticle(
  article: Article,
  language: LanguageCode,
  words: ReadonlyMap<string, string>,
): Article {
  const text = (field: string) =>
    words.get(`article ${article.kind}/${article.code} ${field} ${language}`)
  const title = text('title')
  if (title === undefined) return article
  return {
    ...article,
    language,
    title,
    summary: text('summary') ?? article.summary,
    sections: article.sections.map(({ heading, paragraphs }, at) => ({
      ...(heading === undefined ? {} : { heading: text(`sections.${at}.heading`) ?? heading }),
      paragraphs: paragraphs.map(
        (paragraph, index) => text(`sections.${at}.paragraphs.${index}`) ?? paragraph,
      ),
    })),
  }
}

/** Gives each article of the news without a picture the scene of its category: what it names then stands among the pictures. */
export function withScenes(
  content: Content,
  pictures: ReadonlyMap<string, StoredPicture>,
  language: LanguageCode,
) {
  const drawn = new Map(pictures)
  const scenes = scenesOf(
    content.news.map(({ category }) => category),
    findLanguage(language)?.dir === 'rtl',
  )
  const news = content.news.map((article, at): Article => {
    const scene = scenes[at]
    if (article.picture !== null || !scene) return article
    const { code, picture } = scenePicture(scene.scene, scene.isMirrored)
    drawn.set(code, picture)
    return { ...article, picture: code }
  })
  return {
    content: {
      ...content,
      news,
      newsByCode: new Map(news.map((article) => [article.code, article])),
    },
    pictures: drawn,
  }
}

/** The same for the contents of all languages, which share their pictures. */
export function withScenesInAll(
  contents: ReadonlyMap<LanguageCode, Content>,
  pictures: ReadonlyMap<string, StoredPicture>,
) {
  const drawn = new Map<LanguageCode, Content>()
  let all = pictures
  for (const [language, content] of contents) {
    const next = withScenes(content, all, language)
    drawn.set(language, next.content)
    all = next.pictures
  }
  return { contents: drawn, pictures: all }
}

const indexes = new WeakMap<readonly Article[], SearchIndex>()

/** The articles that speak of what is searched for, best first; forgives typing errors. */
export function searchArticles(articles: readonly Article[], keywords: string): Article[] {
  let index = indexes.get(articles)
  if (!index) indexes.set(articles, (index = buildSearchIndex(articles.map(articleDocument))))
  return Array.from(
    searchRanked(index, keywords, articles[0]?.language ?? 'en').ids,
    (id) => articles[id] as Article,
  )
}

function articleDocument(article: Article, id: number): SearchDocument {
  const words = (kind: SearchText['kind'], text: string): SearchText[] =>
    text === '' ? [] : [{ text, language: article.language, kind }]
  return {
    id,
    popularity: -id,
    texts: [
      ...words('name', article.title),
      ...words('alias', article.summary),
      ...article.sections.flatMap(({ heading, paragraphs }) => [
        ...words('region', heading ?? ''),
        ...paragraphs.flatMap((text) => words('category', text)),
      ]),
    ],
  }
}
