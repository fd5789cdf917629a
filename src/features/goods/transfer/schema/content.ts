import { z } from 'zod'
import { SECTION_ICONS } from '#features/goods/content/rules.ts'
import { picture } from './picture.ts'
import {
  bigCount,
  code,
  count,
  countryCode,
  instant,
  languageCode,
  position,
  shortText,
  text,
  upkeep,
} from './values.ts'

const review = z.strictObject({
  id: bigCount.min(1),
  brand: code,
  language: languageCode,
  country: countryCode.optional(),
  rating: z.int().min(1).max(5),
  // Stars alone are a review too.
  text: z.string().trim().max(4_000),
  // Of a shopper: what strangers may see of it, where one letter may be many characters long.
  nickname: z.string().min(1).max(200),
  helpful: count.optional(),
  published: instant,
  ...upkeep,
})
/** reviews.json */
export const reviews = z.strictObject({ reviews: z.array(review).max(200_000) })

const section = z.strictObject({
  heading: shortText.optional(),
  icon: z.enum(SECTION_ICONS).optional(),
  paragraphs: z.array(text).min(1).max(200),
})
const article = z.strictObject({
  code,
  category: code.optional(),
  title: shortText,
  summary: text.optional(),
  published: instant,
  related: z.array(code).max(40).optional(),
  picture: picture.optional(),
  sections: z.array(section).min(1).max(100),
  position,
  ...upkeep,
})
const articleCategory = z.strictObject({ code, name: shortText, position })
/** articles/news.json, articles/faq.json, articles/pages.json */
export const articles = z.strictObject({
  categories: z.array(articleCategory).max(200).optional(),
  articles: z.array(article).max(20_000),
})

const renames = z.record(z.string().max(160), z.string().max(160))
/** redirects.json: kind → old code → new code. */
export const redirects = z.strictObject({
  brand: renames.optional(),
  product: renames.optional(),
  game: renames.optional(),
  category: renames.optional(),
  item: renames.optional(),
})

export type Review = z.infer<typeof review>
export type Article = z.infer<typeof article>
export type ArticleCategory = z.infer<typeof articleCategory>
export type Redirects = z.infer<typeof redirects>
