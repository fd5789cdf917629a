import { contentIn } from '#features/goods/browse/queries.ts'
import { newsCard } from '#features/goods/browse/views.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import type { Article } from '#features/goods/content/rules.ts'
import { viewOf } from '../goods/tile.ts'
import { pictureAddress } from '../goods/picture.ts'
import type { PageContext } from '../page.ts'
import { textLanguage, textSummary, type ForeignText } from './article.ts'

/** An article in a list. */
export interface NewsTile extends ForeignText {
  readonly path: string
  readonly title: string
  readonly image: string
  readonly date: string
  /** What it is about; null where it is of no category. */
  readonly category: string | null
}

/** An article that leads a list: larger, with its first words. */
export interface LeadTile extends NewsTile {
  readonly summary: string
}

export function leadTile(page: PageContext, article: Article): LeadTile {
  return {
    ...newsTile(page, article),
    image: pictureAddress(page, 'home_b', article.picture),
    summary: textSummary(page, article),
  }
}

export function newsTile(page: PageContext, article: Article): NewsTile {
  const card = newsCard(viewOf(page), article, page.timeZone)
  return {
    path: `/news/${article.code}`,
    title: article.title,
    image: pictureAddress(page, 'article', article.picture),
    date: card.published_text,
    category: categoryOf(page, article),
    ...textLanguage(page, article),
  }
}

function categoryOf({ shop, language }: PageContext, article: Article): string | null {
  const category = contentIn(shop, language.code).categories.find(
    ({ kind, code }) => kind === article.kind && code === article.category,
  )
  return category ? textIn(category.name, language.code) : null
}
