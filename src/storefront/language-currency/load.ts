import { textIn } from '#features/goods/catalogue/rules.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { safePath } from '../server/safe-path.ts'

export interface LanguageCurrencyData {
  /** Where the visitor goes on, without language prefix. */
  readonly redirect: string
  /** By name. The currency and language are what people there mostly want. */
  readonly countries: readonly {
    readonly code: string
    readonly name: string
    readonly currency: string
    readonly language: string
  }[]
  readonly currencies: readonly { readonly code: string; readonly name: string }[]
  readonly currency: string
  readonly languages: readonly {
    readonly code: string
    readonly tag: string
    readonly dir: 'ltr' | 'rtl'
    readonly name: string
  }[]
}

/** `/language_currency?redirect=`. The country is not known here: a page is the same for every country. */
export function load({ shop, language, currency, query }: PageContext): LanguageCurrencyData {
  const byName = new Intl.Collator(language.intl)
  return {
    redirect: safePath(query.get('redirect'), undefined, { mayPass: true }),
    countries: shop.countries
      .filter((country) => country.isOnSale)
      .map((country) => ({
        code: country.code,
        name: textIn(country.name, language.code),
        currency: country.storeCurrency,
        language: country.language,
      }))
      .sort((a, b) => byName.compare(a.name, b.name)),
    currencies: shop.currencies
      .filter(isOffered)
      .map(({ code, name }) => ({
        code,
        name: textIn(shop.currencyNames.get(code) ?? { en: name }, language.code),
      }))
      .sort((a, b) => (a.code < b.code ? -1 : 1)),
    currency: currency.code,
    languages: LANGUAGES.map(({ code, tag, dir, nativeName }) => ({
      code,
      tag,
      dir,
      name: nativeName,
    })),
  }
}

export function meta(_: LanguageCurrencyData, { t }: PageContext): PageMeta {
  return { title: t('title.languageCurrency'), description: t('preferences.lead'), noIndex: true }
}
