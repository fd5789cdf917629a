import { findLanguage } from './language.ts'

const LENGTH_MAX = 2_000
/** Stands for the shop where only paths are accepted; no host can have this name (RFC 2606). */
const NOWHERE = 'https://shop.invalid'

/**
 * The path and query of an address of this shop, without language prefix and fragment; null for any other address. This is
 * what stands between a `redirect` or `url` parameter and an open redirect: scheme-relative addresses, backslashes, control
 * characters and dot segments that end at another host all name nothing.
 * @param origin of the shop ("https://shop.example"), where its absolute addresses are accepted too
 */
export function ownPath(text: string | null, origin: string = NOWHERE): string | null {
  if (text === null || text === '' || text.length > LENGTH_MAX || /[\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return null
  if (!text.startsWith('/') && !text.startsWith(`${origin}/`)) return null
  const url = URL.parse(text, origin)
  if (!url || url.origin !== new URL(origin).origin || url.username !== '' || url.pathname.startsWith('//')) return null
  const path = withoutLanguage(url.pathname)
  return path.startsWith('//') ? null : path + url.search
}

function withoutLanguage(path: string): string {
  const [, first = '', ...rest] = path.split('/')
  return findLanguage(first) ? `/${rest.join('/')}` : path
}
