import {
  DEFAULT_LANGUAGE,
  findLanguage,
  getLanguage,
  negotiateLanguage,
  type Language,
  type LanguageCode,
} from '#kernel/language.ts'
import { readHostCookie } from '#platform/http/cookies.ts'
import { LOCALE_COOKIE } from '#platform/http/selection.ts'
import { localPath } from '../local-path.ts'

/** Where a request's target leads: a page of a language, elsewhere, or nowhere (`path` null: the 404 page). */
export type Address =
  | {
      readonly kind: 'page'
      readonly language: Language
      readonly path: string | null
      readonly query: URLSearchParams
    }
  | {
      readonly kind: 'redirect'
      readonly to: string
      readonly status: 302 | 308
      /** The language it leads to was taken from the browser: to be remembered, so that it is chosen once. */
      readonly detected?: LanguageCode
    }

const TARGET_MAX = 4_000

/**
 * Reads the target of a request ("/de/cards?sort=new"). `/en/…` and a trailing slash lead to the plain address; `/` and
 * `/news` follow the locale cookie, `/` also the browser's language (decisions, "Reading rules").
 */
export function readAddress(
  target: string,
  headers: { readonly cookie?: string | undefined; readonly acceptLanguage?: string | undefined },
): Address {
  const mark = target.indexOf('?')
  const rawPath = mark < 0 ? target : target.slice(0, mark)
  const rawQuery = mark < 0 ? '' : target.slice(mark + 1)
  const nowhere = (language: Language): Address => ({
    kind: 'page',
    language,
    path: null,
    query: new URLSearchParams(),
  })
  const decoded = decodePath(rawPath)
  if (target.length > TARGET_MAX || decoded === null) return nowhere(getLanguage(DEFAULT_LANGUAGE))

  const { language, rest, isNamed } = splitLanguage(decoded)
  const suffix = withoutToken(rawQuery)
  if (isNamed && language.code === DEFAULT_LANGUAGE)
    return { kind: 'redirect', to: encodePath(trimSlash(rest)) + suffix, status: 308 }
  if (decoded !== '/' && decoded.endsWith('/'))
    return {
      kind: 'redirect',
      to: encodePath(localPath(language.prefix, trimSlash(rest))) + suffix,
      status: 308,
    }
  if (!isNamed && (rest === '/' || rest === '/news')) {
    const chosen = languageOfCookie(headers.cookie)
    const detected =
      chosen === null && rest === '/' && headers.acceptLanguage
        ? negotiateLanguage(headers.acceptLanguage)
        : null
    const wanted = chosen ?? detected
    if (wanted && wanted.code !== DEFAULT_LANGUAGE)
      return {
        kind: 'redirect',
        to: localPath(wanted.prefix, rest) + suffix,
        status: 302,
        ...(detected ? { detected: detected.code } : {}),
      }
  }
  return { kind: 'page', language, path: rest, query: new URLSearchParams(rawQuery) }
}

/** The query as sent, but for the token that other clients put there: it is sent on to nobody. */
function withoutToken(rawQuery: string): string {
  const kept = rawQuery
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('token'))
    .join('&')
  return kept === '' ? '' : `?${kept}`
}

/** Decoded path, or null for what can name no page: broken encoding, control characters, empty or dot segments. */
function decodePath(raw: string): string | null {
  let path: string
  try {
    path = decodeURIComponent(raw)
  } catch {
    return null
  }
  if (!path.startsWith('/') || /[\p{Cc}\\]/u.test(path) || path.includes('//') || /%2f/i.test(raw))
    return null
  return path.split('/').some((segment) => segment === '.' || segment === '..') ? null : path
}

function splitLanguage(path: string): { language: Language; rest: string; isNamed: boolean } {
  const end = path.indexOf('/', 1)
  const first = end < 0 ? path.slice(1) : path.slice(1, end)
  const language = findLanguage(first)
  if (!language) return { language: getLanguage(DEFAULT_LANGUAGE), rest: path, isNamed: false }
  return { language, rest: end < 0 ? '/' : path.slice(end), isNamed: true }
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function languageOfCookie(header: string | undefined): Language | null {
  const cookie = readHostCookie(header, LOCALE_COOKIE)
  return cookie === null ? null : (findLanguage(cookie) ?? null)
}
