import type { Article, SectionIcon } from '#features/goods/content/rules.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { formatCount } from '#platform/i18n/format.ts'
import type { PageContext } from '../page.ts'

/** A part of a text of the shop, ready to show. */
export interface TextSection {
  readonly heading?: string
  readonly icon?: SectionIcon
  readonly paragraphs: readonly string[]
}

/** A text that is not translated stands in English and is marked so, for hyphenation, fonts and screen readers. */
export interface ForeignText {
  readonly lang?: 'en'
}

export function textLanguage(
  { language }: Pick<PageContext, 'language'>,
  article: Pick<Article, 'language'> | undefined,
): ForeignText {
  return article === undefined || article.language === language.code ? {} : { lang: 'en' }
}

type TextContext = Pick<PageContext, 'shop' | 'publicUrl' | 'language'>

/**
 * The sections of an article with the shop's name, domain, figures and hours put in. A paragraph about what the shop has not said
 * (hours, an address for questions) is left out, and so is a section of such paragraphs alone.
 */
export function textSections(page: TextContext, article: Pick<Article, 'sections'>): TextSection[] {
  return article.sections.flatMap(({ heading, paragraphs, ...marked }) => {
    const told = paragraphs.filter((paragraph) => applies(page, paragraph))
    if (told.length === 0) return []
    return {
      ...marked,
      ...(heading === undefined ? {} : { heading: fillIn(page, heading) }),
      paragraphs: told.map((paragraph) => fillIn(page, paragraph)),
    }
  })
}

function applies({ shop: { settings } }: TextContext, text: string): boolean {
  if (settings.supportEmail === null && text.includes('{support_email}')) return false
  return settings.supportHours !== null || !/\{support_(?:from|to)\}/.test(text)
}

/** The first words of an article, for search engines and lists. */
export function textSummary(
  page: TextContext,
  article: Pick<Article, 'summary' | 'sections'>,
): string {
  if (article.summary !== '') return fillIn(page, article.summary)
  const text = textSections(page, article)[0]?.paragraphs[0] ?? ''
  if (text.length <= SUMMARY_MAX) return text
  const cut = text.slice(0, SUMMARY_MAX)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))}…`
}

const SUMMARY_MAX = 160

/**
 * `{store}` and `{store_domain}` of a text, `{support_email}`, `{support_from}` and `{support_to}` as they are set, and what the shop counts of itself: `{products}`, `{currencies}`, `{languages}`.
 * A figure that is written into a text is wrong as soon as the shop grows.
 */
function fillIn({ shop, publicUrl, language }: TextContext, text: string): string {
  const count = (value: number) => formatCount(language.code, value)
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    switch (name) {
      case 'store':
        return shop.settings.name
      case 'store_domain':
        return shopDomain(publicUrl)
      case 'support_email':
        return shop.settings.supportEmail ?? whole
      case 'support_from':
        return shop.settings.supportHours?.from ?? whole
      case 'support_to':
        return shop.settings.supportHours?.to ?? whole
      case 'products':
        return count(shop.catalogue.products.length)
      case 'currencies':
        return count(shop.currencies.filter(isOffered).length)
      case 'languages':
        return count(LANGUAGE_CODES.length)
      default:
        return whole
    }
  })
}

/** The host people write in an e-mail address of the shop. A number or this computer's own name is no such host: a trial shop has an example's. */
export function shopDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[|^localhost$|\.localhost$/.test(hostname) ? TRIAL_DOMAIN : hostname
}

const TRIAL_DOMAIN = 'lukado.example'
