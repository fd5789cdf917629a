import { contentIn } from '#features/goods/browse/queries.ts'
import { methodsOf } from '#features/goods/pay-method/rules.ts'
import type { Figure } from '#ui/figures.tsx'
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
import { shopFigures } from './facts.ts'

export interface AboutData extends ForeignText {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly description: string
  /** The first words of the operator's text; null without a text. */
  readonly lead: string | null
  readonly figures: readonly Figure[]
  /** What the operator says beyond that. */
  readonly sections: readonly TextSection[]
  readonly company: Company
}

/** `/about-us`: the operator's text, and what is true of every shop of this program, with figures counted now. */
export function load(page: PageContext): AboutData {
  const { shop, t, language, payProviders } = page
  const article = contentIn(shop, language.code).pageByCode.get('about-us')
  const [first, ...others] = article ? textSections(page, article) : []
  const [lead, ...more] = first?.paragraphs ?? []
  return {
    title: t('api.footerAbout'),
    crumbs: [{ text: t('api.footerAbout') }],
    description: article ? textSummary(page, article) : t('home.claim'),
    lead: lead ?? null,
    figures: shopFigures(page, methodsOf(shop.payMethods, payProviders).length),
    sections: more.length === 0 ? others : [{ paragraphs: more }, ...others],
    company: companyOf(page),
    ...textLanguage(page, article),
  }
}

export function meta(data: AboutData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: data.description,
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}
