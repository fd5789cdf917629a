import { contentIn } from '#features/goods/browse/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import type { Article } from '#features/goods/content/rules.ts'
import { categoryCrumb, type Crumb } from '../goods/crumb.ts'
import { linkPicture, pictureAddress } from '../goods/picture.ts'
import { breadcrumbNode, fullAddress, graphOf } from '../goods/structured-data.ts'
import { gameTile, goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import {
  textLanguage,
  textSections,
  textSummary,
  type ForeignText,
  type TextSection,
} from '../text/article.ts'
import { newsTile, type NewsTile } from '../text/news-tile.ts'

const WORDS_A_MINUTE = 200
const LATEST = 3

interface Neighbour {
  readonly title: string
  readonly path: string
}

export interface NewsArticleData extends ForeignText {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly description: string
  readonly image: string | null
  readonly linkPicture: string | null
  /** With its address; null where the article is of no category. */
  readonly category: Neighbour | null
  readonly date: string
  readonly published: string
  readonly minutes: number
  readonly sections: readonly TextSection[]
  readonly previous: Neighbour | null
  readonly next: Neighbour | null
  readonly goods: readonly GoodsTile[]
  readonly latest: readonly NewsTile[]
}

/** `/news/{code}`. The previous article is the older one. */
export function load(page: PageContext): NewsArticleData {
  const { shop, t, params, language, timeZone } = page
  const { news, newsByCode, categories } = contentIn(shop, language.code)
  const article = newsByCode.get(params['code'] ?? '')
  if (!article) throw new PageNotFound()
  const at = news.indexOf(article)
  const category = categories.find(({ kind, code }) => kind === 'news' && code === article.category)
  const words = [article.title, ...article.sections.flatMap((section) => section.paragraphs)]
    .join(' ')
    .split(/\s+/).length
  return {
    title: article.title,
    crumbs: [
      { text: t('news.title'), path: '/news' },
      ...(category
        ? [
            categoryCrumb(
              { name: category.name, path: `/news-category/${category.code}` },
              language,
            ),
          ]
        : []),
      { text: article.title, ...textLanguage(page, article) },
    ],
    description: textSummary(page, article),
    image: article.picture === null ? null : pictureAddress(page, 'home_b', article.picture),
    linkPicture: linkPicture(shop, article.picture),
    category: category
      ? { title: textIn(category.name, language.code), path: `/news-category/${category.code}` }
      : null,
    date: formatDate(language.code, article.publishedAt, timeZone),
    published: article.publishedAt.toISOString().slice(0, 10),
    minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)),
    sections: textSections(page, article),
    previous: neighbour(news[at + 1]),
    next: neighbour(news[at - 1]),
    goods: relatedGoods(page, article),
    latest: news
      .filter((other) => other !== article)
      .slice(0, LATEST)
      .map((other) => newsTile(page, other)),
    ...textLanguage(page, article),
  }
}

function neighbour(article: Article | undefined): Neighbour | null {
  return article ? { title: article.title, path: `/news/${article.code}` } : null
}

/** The games and leading products the article is about. */
function relatedGoods(page: PageContext, { related }: Article): GoodsTile[] {
  const view = viewOf(page)
  const { gameByCode, brandByCode } = page.shop.catalogue
  const tiles = related.flatMap((code) => {
    const game = gameByCode.get(code)
    const product = brandByCode.get(code)?.products[0]
    // A game is told by what is sold for it.
    if (product) return [goodsTile(view, product)]
    return game ? [gameTile(view, game)] : []
  })
  return [...new Map(tiles.map((tile) => [tile.path, tile])).values()]
}

export function meta(data: NewsArticleData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: data.description,
    kind: 'article',
    picture: data.linkPicture,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs), {
      '@type': 'NewsArticle',
      headline: data.title,
      datePublished: data.published,
      inLanguage: data.lang ?? page.language.tag,
      url: fullAddress(page, page.path),
      ...(data.image === null ? {} : { image: page.publicUrl + data.image }),
      publisher: { '@type': 'Organization', name: page.shop.settings.corporateName },
    }),
  }
}
