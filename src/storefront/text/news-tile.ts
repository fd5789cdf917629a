import { newsCard } from '#features/goods/browse/views.ts'
import type { Article } from '#features/goods/content/rules.ts'
import { viewOf } from '../goods/tile.ts'
import { pictureAddress } from '../goods/picture.ts'
import type { PageContext } from '../page.ts'
import { textLanguage, type ForeignText } from './article.ts'

/** An article in a list. */
export interface NewsTile extends ForeignText {
  readonly path: string
  readonly title: string
  readonly image: string
  readonly date: string
}

export function newsTile(page: PageContext, article: Article): NewsTile {
  const card = newsCard(viewOf(page), article, page.timeZone)
  return {
    path: `/news/${article.code}`,
    title: article.title,
    image: pictureAddress(page, 'article', article.picture),
    date: card.published_text,
    ...textLanguage(page, article),
  }
}
