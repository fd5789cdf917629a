import { readBrowserCookie } from './browser-cookies.ts'

const COOKIE = 'user_selection'

/** The country this visitor chose (specification §3, "User selection"), for what the browser prefills; null without a choice. */
export function chosenCountry(): string | null {
  const text = readBrowserCookie(COOKIE)
  if (text === null) return null
  try {
    const value = JSON.parse(decodeURIComponent(text)) as { readonly country_code?: unknown } | null
    return typeof value?.country_code === 'string' && /^[A-Z]{2}$/.test(value.country_code)
      ? value.country_code
      : null
  } catch {
    return null
  }
}
