import type { LanguageCode } from '#kernel/language.ts'
import type { PluralForms } from '#kernel/plural.ts'
import type { Article, ArticleCategory, Redirects, Review } from '../schema/content.ts'
import type { Brand, Game } from '../schema/goods.ts'
import type { Category, Country, Currency } from '../schema/places.ts'
import type { PhraseFile, TranslationFile } from '../schema/translations.ts'

export interface Named {
  readonly code: string
  readonly name: string
  readonly position?: number | undefined
}

export interface UnitEntry {
  readonly key: string
  readonly name: string
  readonly proper?: boolean | undefined
  readonly forms?: PluralForms | undefined
}

export type ArticleKind = 'news' | 'faq' | 'page'
export const ARTICLE_FILES: Readonly<Record<ArticleKind, string>> = {
  news: 'articles/news.json',
  faq: 'articles/faq.json',
  page: 'articles/pages.json',
}

export interface ArticleGroup {
  readonly categories: readonly ArticleCategory[]
  readonly articles: readonly Article[]
}

/** What a folder says, file by file, in the order of the files; shapes checked, references not yet. */
export interface CatalogueFolder {
  readonly name: string
  readonly ratesAsOf: string | null
  readonly currencies: readonly Currency[]
  readonly countries: readonly Country[]
  readonly regions: readonly Named[]
  readonly platforms: readonly Named[]
  readonly categories: readonly Category[]
  readonly units: readonly UnitEntry[]
  readonly games: readonly Game[]
  /** Of brands/ and operators/, with the place each came from. */
  readonly brands: readonly {
    readonly file: string
    readonly path: string
    readonly brand: Brand
  }[]
  readonly reviews: readonly Review[]
  readonly articles: Readonly<Record<ArticleKind, ArticleGroup>>
  readonly redirects: Redirects
  readonly translations: ReadonlyMap<LanguageCode, TranslationFile>
  readonly phrases: ReadonlyMap<LanguageCode, PhraseFile>
}
