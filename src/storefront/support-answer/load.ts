import { contentIn } from '#features/goods/browse/queries.ts'
import { readKeywords } from '#features/goods/browse/schema.ts'
import { categoryCrumb, type Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import { PageNotFound, PageRedirect, type PageContext, type PageMeta } from '../page.ts'
import {
  textLanguage,
  textSections,
  textSummary,
  type ForeignText,
  type TextSection,
} from '../text/article.ts'
import { contactsOf } from '../text/contact-data.ts'
import type { ContactsData } from '../text/contacts.tsx'

export interface SupportAnswerData extends ForeignText {
  readonly code: string
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly description: string
  readonly sections: readonly TextSection[]
  readonly others: readonly { readonly title: string; readonly path: string }[]
  readonly contacts: ContactsData
}

/** `/support/details?code=`: one question of the help pages. Without a code it is the help page itself. */
export function load(page: PageContext): SupportAnswerData {
  const { shop, t, language, query } = page
  const code = readKeywords(query.get('code'))
  if (code === '') throw new PageRedirect('/support')
  const { faq, categories } = contentIn(shop, language.code)
  const article = faq.find((entry) => entry.code === code)
  if (!article) throw new PageNotFound()
  const category = categories.find(
    (entry) => entry.kind === 'faq' && entry.code === article.category,
  )
  return {
    code,
    title: article.title,
    crumbs: [
      { text: t('api.footerSupport'), path: '/support' },
      ...(category
        ? [categoryCrumb({ name: category.name, path: `/support#${category.code}` }, language)]
        : []),
      { text: article.title, ...textLanguage(page, article) },
    ],
    description: textSummary(page, article),
    sections: textSections(page, article),
    others: faq
      .filter((entry) => entry !== article && entry.category === article.category)
      .map((entry) => ({ title: entry.title, path: `/support/details?code=${entry.code}` })),
    contacts: contactsOf(page),
    ...textLanguage(page, article),
  }
}

export function meta(data: SupportAnswerData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: data.description,
    canonical: `/support/details?code=${data.code}`,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}
