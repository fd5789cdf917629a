import { contentIn } from '#features/goods/browse/queries.ts'
import type { Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import type { PageContext, PageMeta } from '../page.ts'
import {
  textLanguage,
  textSections,
  textSummary,
  type ForeignText,
  type TextSection,
} from '../text/article.ts'
import { companyOf, type Company } from '../text/contact-data.ts'

export interface ContactData extends ForeignText {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly description: string
  readonly company: Company
  /** What the operator says beyond the ways to write. */
  readonly sections: readonly TextSection[]
}

/** `/contact-us`: each way to reach the shop once, then the operator's text. */
export function load(page: PageContext): ContactData {
  const { shop, t, language } = page
  const article = contentIn(shop, language.code).pageByCode.get('contact-us')
  return {
    title: t('api.footerContact'),
    crumbs: [{ text: t('api.footerContact') }],
    description: article ? textSummary(page, article) : t('support.lead'),
    company: companyOf(page),
    sections: article ? textSections(page, article) : [],
    ...textLanguage(page, article),
  }
}

export function meta(data: ContactData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: data.description,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}
