import { findLanguage, type LanguageCode } from '#kernel/language.ts'
import { readHostCookie } from './cookies.ts'

/** The visitor's choice of country, currency and language (specification §3, "User selection"), one JSON cookie. */
export const SELECTION_COOKIE = 'user_selection'
/** The visitor's language, for the root path (specification §9). */
export const LOCALE_COOKIE = 'i18n_redirected'
export const CHOICE_MAX_AGE_SECONDS = 365 * 24 * 3600

export interface Selection {
  readonly country_icon: string
  readonly country_code: string
  readonly currency_code: string
  readonly language_code: LanguageCode
}

/** What the cookie says, each field checked by shape alone; whether the currency is sold in is the caller's to ask. */
export function readSelection(cookieHeader: string | undefined): Partial<Selection> {
  const text = readHostCookie(cookieHeader, SELECTION_COOKIE)
  if (text === null || text.length > 500) return {}
  const value = parseObject(text)
  const country = value['country_code']
  const currency = value['currency_code']
  const language = value['language_code']
  return {
    ...(typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? { country_code: country } : {}),
    ...(typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
      ? { currency_code: currency }
      : {}),
    ...(typeof language === 'string' && findLanguage(language)
      ? { language_code: language as LanguageCode }
      : {}),
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
