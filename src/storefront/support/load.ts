import { contentIn } from '#features/goods/browse/queries.ts'
import { readKeywords } from '#features/goods/browse/schema.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { searchArticles } from '#features/goods/content/queries.ts'
import type { Article } from '#features/goods/content/rules.ts'
import type { Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { textLanguage, textSections, type ForeignText } from '../text/article.ts'
import { contactsOf } from '../text/contact-data.ts'
import type { ContactsData } from '../text/contacts.tsx'

interface Question {
  readonly code: string
  readonly title: string
  readonly answer: readonly string[]
}

export interface SupportData extends ForeignText {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Null outside the search. */
  readonly keywords: string | null
  readonly groups: readonly {
    readonly code: string
    readonly name: string
    readonly questions: readonly Question[]
  }[]
  readonly total: number
  readonly contacts: ContactsData
}

/** `/support` and `/support/search`. */
export function load(page: PageContext): SupportData {
  const { shop, t, language, query } = page
  const { faq, categories } = contentIn(shop, language.code)
  const keywords = page.path === '/support/search' ? readKeywords(query.get('keywords')) : null
  const question = (article: Article): Question => ({
    code: article.code,
    title: article.title,
    answer: textSections(page, article).flatMap((section) => section.paragraphs),
  })
  const found = keywords === null ? [] : searchArticles(faq, keywords)
  const groups =
    keywords === null
      ? categories
          .filter(({ kind }) => kind === 'faq')
          .map(({ code, name }) => ({
            code,
            name: textIn(name, language.code),
            questions: faq.filter((article) => article.category === code).map(question),
          }))
      : [
          {
            code: 'found',
            name: t('support.found', { count: found.length }),
            questions: found.map(question),
          },
        ]
  return {
    title: keywords === null ? t('support.title') : t('support.searchTitle'),
    crumbs:
      keywords === null
        ? [{ text: t('api.footerSupport') }]
        : [{ text: t('api.footerSupport'), path: '/support' }, { text: t('support.searchTitle') }],
    keywords,
    groups: groups.filter((group) => group.questions.length > 0),
    total: found.length,
    contacts: contactsOf(page),
    ...textLanguage(page, faq[0]),
  }
}

export function meta(data: SupportData, page: PageContext): PageMeta {
  const questions = data.groups.flatMap((group) => group.questions)
  return {
    title: data.keywords === null ? page.t('api.footerSupport') : data.title,
    description: page.t('support.lead'),
    noIndex: data.keywords !== null,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs), {
      '@type': 'FAQPage',
      inLanguage: data.lang ?? page.language.tag,
      mainEntity: questions.map((entry) => ({
        '@type': 'Question',
        name: entry.title,
        acceptedAnswer: { '@type': 'Answer', text: entry.answer.join('\n') },
      })),
    }),
  }
}
