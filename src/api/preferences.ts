import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { flagUrl } from '#features/goods/browse/view/names.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { findLanguage, getLanguage, type LanguageCode } from '#kernel/language.ts'
import { ownPath } from '#kernel/own-path.ts'
import { hostCookieName, writeCookie } from '#platform/http/cookies.ts'
import {
  CHOICE_MAX_AGE_SECONDS,
  LOCALE_COOKIE,
  readSelection,
  SELECTION_COOKIE,
  type Selection,
} from '#platform/http/selection.ts'

/** Fields `country, currency, language` and `redirect`, the address to go back to. */
export type PreferencesForm = Pick<URLSearchParams, 'get'>

export interface PreferencesAnswer {
  readonly location: string
  readonly cookies: readonly string[]
}

const DEFAULT_COUNTRY = 'US'
const DEFAULT_CURRENCY = 'USD'

/**
 * What a visitor chose, as cookies and the address to go on to. A value the shop does not have leaves the visitor's earlier
 * choice, else the country's, else the default.
 * @param language of the address the form was sent to
 */
export function choosePreferences(
  form: PreferencesForm,
  shop: ShopSnapshot,
  language: LanguageCode,
  cookieHeader: string | undefined,
  isHttps: boolean,
): PreferencesAnswer {
  const earlier = readSelection(cookieHeader)
  const chosenLanguage = findLanguage(form.get('language') ?? '') ?? getLanguage(language)
  const country = [form.get('country'), earlier.country_code]
    .map((code) => shop.countryByCode.get(code ?? ''))
    .find((known) => known?.isOnSale)
  const currency = [form.get('currency'), earlier.currency_code, country?.storeCurrency]
    .map((code) => shop.currencyByCode.get(code ?? ''))
    .find(isChoosable)
  const code = country?.code ?? DEFAULT_COUNTRY
  const selection: Selection = {
    country_icon: flagUrl(code),
    country_code: code,
    currency_code: currency?.code ?? DEFAULT_CURRENCY,
    language_code: chosenLanguage.code,
  }
  const options = { maxAgeSeconds: CHOICE_MAX_AGE_SECONDS, secure: isHttps }
  const path = ownPath(form.get('redirect'), undefined, { mayPass: true }) ?? '/'
  return {
    location: path === '/' ? chosenLanguage.prefix || '/' : chosenLanguage.prefix + path,
    cookies: [
      writeCookie(hostCookieName(SELECTION_COOKIE, isHttps), JSON.stringify(selection), options),
      writeCookie(hostCookieName(LOCALE_COOKIE, isHttps), chosenLanguage.code, options),
    ],
  }
}

function isChoosable(currency: Currency | undefined): boolean {
  return currency !== undefined && currency.isCheckout && currency.perUsd !== null
}
