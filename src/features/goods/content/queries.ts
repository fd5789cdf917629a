import { findLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import { scenesOf } from '#features/goods/picture/cover/scene.ts'
import {
  ARTICLE_ART_PREFIX,
  goodsPicture,
  scenePicture,
  type StoredPicture,
} from '#features/goods/picture/queries.ts'
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
    sections: article.sections.map(({ heading, paragraphs, ...marked }, at) => ({
      ...marked,
      ...(heading === undefined ? {} : { heading: text(`sections.${at}.heading`) ?? heading }),
      paragraphs: paragraphs.map(
        (paragraph, index) => text(`sections.${at}.paragraphs.${index}`) ?? paragraph,
      ),
    })),
  }
}

/** The pictures of a brand's or game's code, as articles name those they are about. */
export type PicturesOf = (code: string) => readonly (string | null)[]

/**
 * Gives each article of the news without a picture one: the goods it is about, and where it is about none, a scene of its category.
 * What it names then stands among the pictures.
 */
export function withPictures(
  content: Content,
  pictures: ReadonlyMap<string, StoredPicture>,
  language: LanguageCode,
  picturesOf: PicturesOf,
) {
  const drawn = new Map(pictures)
  const goods = content.news.map((article) =>
    article.picture === null
      ? goodsPicture('shelf', article.related.flatMap(picturesOf), pictures)
      : null,
  )
  const scenes = scenesOf(
    content.news.map(({ category, picture }, at) => ({
      category,
      hasPicture: picture !== null || Boolean(goods[at]),
    })),
    findLanguage(language)?.dir === 'rtl',
  )
  const news = content.news.map((article, at): Article => {
    const [own, scene] = [goods[at], scenes[at]]
    if (own) {
      const code = `${ARTICLE_ART_PREFIX}${article.code}`
      drawn.set(code, own)
      return { ...article, picture: code }
    }
    if (!scene) return article
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
export function withPicturesInAll(
  contents: ReadonlyMap<LanguageCode, Content>,
  pictures: ReadonlyMap<string, StoredPicture>,
  picturesOf: PicturesOf,
) {
  const drawn = new Map<LanguageCode, Content>()
  let all = pictures
  for (const [language, content] of contents) {
    const next = withPictures(content, all, language, picturesOf)
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
