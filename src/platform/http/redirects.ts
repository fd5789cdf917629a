import { LANGUAGES } from '#kernel/language.ts'

const PATH_MAX = 2_000
const BASE = 'http://own.invalid'
/** One slash, not two; no backslash (browsers read it as a slash); no space or control character, raw. */
const OWN_PATH = /^\/(?![/\\])[^\\\s\p{Cc}\u2028\u2029]*$/u

/**
 * The path and query of this shop that a text from outside names; `fallback` for everything else. What comes out starts with
 * one slash, holds visible ASCII only, and leads nowhere but here, however often it is resolved.
 */
export function safeRedirectPath(text: string | null | undefined, fallback = '/'): string {
  if (!text || text.length > PATH_MAX || !text.isWellFormed() || !OWN_PATH.test(text)) return fallback
  const url = URL.parse(text, BASE)
  if (!url || url.origin !== BASE) return fallback
  // Dot segments may have left two slashes at the start: "/..//evil".
  return url.pathname.startsWith('//') ? fallback : url.pathname + url.search
}

/** A path without the language before it: `/de/cards?x` → `/cards?x`, `/de` → `/`. */
export function withoutLanguage(path: string): string {
  for (const { code } of LANGUAGES) {
    const prefix = `/${code}`
    if (path === prefix) return '/'
    if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length)
    if (path.startsWith(`${prefix}?`)) return `/${path.slice(prefix.length)}`
  }
  return path
}
