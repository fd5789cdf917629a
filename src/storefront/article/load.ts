import { contentIn } from '#features/goods/browse/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import {
  textLanguage,
  textSections,
  textSummary,
  type ForeignText,
  type TextSection,
} from '../text/article.ts'
import { companyOf, type Company } from '../text/contact-data.ts'

export interface ArticleData extends ForeignText {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly description: string
  /** Since when it is in force; null for what is not a rule. */
  readonly inForceSince: string | null
  readonly sections: readonly TextSection[]
  /** Of what is no rule but an offer: whom to write to. */
  readonly company: Company | null
  /** The other rules. */
  readonly others: readonly { readonly title: string; readonly path: string }[]
}

const PARTNERSHIP = '/partnership'

/** The shop's own texts: address → code of the content page, title in every language. */
const TEXTS: Readonly<Record<string, { readonly code: string; readonly title: MessageKey }>> = {
  '/article/terms-of-use': { code: 'terms-of-use', title: 'api.footerTerms' },
  '/article/sales-terms': { code: 'sales-terms', title: 'api.footerSalesTerms' },
  '/article/privacy-policy': { code: 'privacy-policy', title: 'api.footerPrivacy' },
  '/article/legal-provisions': { code: 'legal-provisions', title: 'api.footerLegalProvisions' },
  [PARTNERSHIP]: { code: 'partnership', title: 'api.footerPartnership' },
}

export function load(page: PageContext): ArticleData {
  const { shop, t, path, language, timeZone } = page
  const text = TEXTS[path]
  if (!text) throw new PageNotFound()
  const title = t(text.title)
  const article = contentIn(shop, language.code).pageByCode.get(text.code)
  return {
    title,
    crumbs: [{ text: title }],
    description: article ? textSummary(page, article) : t('content.missing'),
    inForceSince:
      article && path.startsWith('/article/')
        ? formatDate(language.code, article.publishedAt, timeZone)
        : null,
    sections: article ? textSections(page, article) : [],
    company: path === PARTNERSHIP ? companyOf(page) : null,
    others: Object.entries(TEXTS)
      .filter(([other]) => other !== path && other !== PARTNERSHIP)
      .map(([other, entry]) => ({ title: t(entry.title), path: other })),
    ...textLanguage(page, article),
  }
}

export function meta(data: ArticleData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: data.description,
    noIndex: data.sections.length === 0,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}
