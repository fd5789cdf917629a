import { LANGUAGE_CODES } from '#kernel/language.ts'
import { contentIn } from '#features/goods/browse/queries.ts'
import { z } from 'zod'
import { pageOf } from '#features/goods/browse/rules.ts'
import { readPaging } from '#features/goods/browse/schema.ts'
import { newsCardShape } from '#features/goods/browse/view/shapes.ts'
import { newsCard } from '#features/goods/browse/views.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { AppError } from '#kernel/error.ts'
import { readingCall } from '../call.ts'
import { codeParameter, pagedShape, paging } from '../parameters.ts'

export const newsIndex = readingCall({
  path: 'news/index',
  summary: 'List news',
  description: 'Newest first.',
  query: z.object({ category: codeParameter('Code of a news category').optional(), ...paging }),
  data: pagedShape(newsCardShape).meta({ id: 'NewsPage' }),
  mayMiss: false,
  example: { page: 1, limit: 10 },
  read: (params, { shop }) => ({
    category:
      contentIn(shop, 'en').categories.find(
        ({ kind, code }) => kind === 'news' && code === params.get('category'),
      )?.code ?? null,
    ...readPaging(params),
  }),
  answer: (view, { category, page, limit }) => {
    const { news } = contentIn(view.shop, view.language)
    const fitting =
      category === null ? news : news.filter((article) => article.category === category)
    return pageOf(fitting, page, limit, (article) => newsCard(view, article, view.timeZone))
  },
})

const neighbour = newsCardShape.pick({ code: true, title: true }).nullable()

export const newsDetail = readingCall({
  path: 'news/detail',
  summary: 'Show one article',
  query: z.object({ code: codeParameter('Code of an article') }),
  data: newsCardShape
    .extend({
      language: z.enum(LANGUAGE_CODES).meta({ description: 'Language it is written in' }),
      sections: z.array(
        z.object({ heading: z.string().nullable(), paragraphs: z.array(z.string()) }),
      ),
      previous: neighbour.meta({ description: 'The next older one' }),
      next: neighbour.meta({ description: 'The next newer one' }),
    })
    .meta({ id: 'NewsDetail' }),
  mayMiss: true,
  example: { code: 'how-direct-charge-works' },
  read: (params) => ({ code: params.get('code') ?? '' }),
  answer: (view, { code }) => {
    const { news, newsByCode } = contentIn(view.shop, view.language)
    const article = newsByCode.get(code)
    if (!article) throw new AppError('not_found')
    const at = news.indexOf(article)
    const named = (index: number) =>
      news[index] ? { code: news[index].code, title: news[index].title } : null
    return {
      ...newsCard(view, article, view.timeZone),
      language: article.language,
      sections: article.sections.map(({ heading, paragraphs }) => ({
        heading: heading ?? null,
        paragraphs: [...paragraphs],
      })),
      previous: named(at + 1),
      next: named(at - 1),
    }
  },
})

export const newsCategory = readingCall({
  path: 'news/category',
  summary: 'List news categories',
  query: z.object({}),
  data: z
    .array(
      z
        .object({
          code: z.string().meta({ examples: ['guides'] }),
          name: z.string().meta({ examples: ['Guides'] }),
          count: z
            .int()
            .min(0)
            .meta({ examples: [6] }),
        })
        .meta({ id: 'NewsCategory' }),
    )
    .meta({ id: 'NewsCategories' }),
  mayMiss: false,
  example: {},
  read: () => ({}),
  answer: ({ shop, language }) => {
    const { categories, news } = contentIn(shop, language)
    return categories
      .filter((category) => category.kind === 'news')
      .map(({ code, name }) => ({
        code,
        name: textIn(name, language),
        count: news.filter((article) => article.category === code).length,
      }))
  },
})
