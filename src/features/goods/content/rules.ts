import type { LanguageCode } from '#kernel/language.ts'
import type { Texts } from '#features/goods/catalogue/rules.ts'

export type ArticleKind = 'news' | 'faq' | 'page'

/** What a part of a text may be marked with. */
export const SECTION_ICONS = [
  'box',
  'card',
  'chart',
  'chat',
  'mail',
  'megaphone',
  'people',
  'phone',
  'store',
] as const
export type SectionIcon = (typeof SECTION_ICONS)[number]

export interface ArticleSection {
  readonly heading?: string
  readonly icon?: SectionIcon
  readonly paragraphs: readonly string[]
}

/** A news article, a question with its answer, or a page of the shop (terms, about …), in one language. */
export interface Article {
  readonly kind: ArticleKind
  readonly code: string
  /** What its texts are written in: English where there is no translation. */
  readonly language: LanguageCode
  readonly category: string | null
  readonly title: string
  readonly summary: string
  readonly sections: readonly ArticleSection[]
  /** Codes of the brands and games it is about. */
  readonly related: readonly string[]
  readonly picture: string | null
  readonly publishedAt: Date
}

export interface ArticleCategory {
  readonly kind: ArticleKind
  readonly code: string
  readonly name: Texts
}

export interface Content {
  /** Newest first. */
  readonly news: readonly Article[]
  /** In the shop's order. */
  readonly faq: readonly Article[]
  readonly pageByCode: ReadonlyMap<string, Article>
  readonly newsByCode: ReadonlyMap<string, Article>
  readonly categories: readonly ArticleCategory[]
}
