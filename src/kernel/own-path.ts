import { findLanguage } from './language.ts'

const LENGTH_MAX = 2_048
/** Stands for the shop where only paths are accepted; no host can have this name (RFC 2606). */
const NOWHERE = 'https://shop.invalid'

/** Addresses of the shop that are no pages: nobody is led there. First segments, in lower case. */
const NO_PAGES: ReadonlySet<string> = new Set([
  'api',
  'img',
  'assets',
  'sandbox',
  'console',
  'healthz',
  'readyz',
])
/** Pages people only pass through on their way in or out: going back to one would lead in a circle, or do its work twice. */
const PASSAGES: ReadonlySet<string> = new Set([
  'login',
  'register',
  'middle',
  'redirect',
  'loading',
])
/** Parameters that may hold a secret: they are left behind, so that no address that is kept or shown has one. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['token', 'key', 'code', 'state', 'ticket'])
/** Where `code` names what the page shows. */
const PAGES_WITH_CODE: ReadonlySet<string> = new Set(['/support/details'])
/** Parameters that hold a way back themselves. */
const WAY_PARAMETERS: ReadonlySet<string> = new Set(['redirect', 'url'])
const WAYS_DEEP_MAX = 3

export interface OwnPathOptions {
  /** True where the address only changes its language or currency: a visitor at the sign-in page stays there. */
  readonly mayPass?: boolean
  /** Whether a page is there, by its decoded path without language. Left out: any path that could be one. */
  readonly isPage?: (path: string) => boolean
}

/**
 * The path and query of an address of this shop where a person may be led back to, without language prefix and fragment; null
 * for any other address. This is what stands between a `redirect` or `url` parameter and an open redirect: scheme-relative
 * addresses, backslashes, control characters, user names, doubly encoded text and dot segments that end at another host all
 * name nothing.
 * @param origin of the shop ("https://shop.example"), where its absolute addresses are accepted too
 */
export function ownPath(
  text: string | null,
  origin: string = NOWHERE,
  options: OwnPathOptions = {},
): string | null {
  return readPath(text, origin, options, 0)
}

function readPath(
  text: string | null,
  origin: string,
  options: OwnPathOptions,
  depth: number,
): string | null {
  if (
    text === null ||
    text === '' ||
    text.length > LENGTH_MAX ||
    /[\p{Cc}\\]/u.test(text) ||
    !text.isWellFormed()
  )
    return null
  if (!/^\/(?!\/)/.test(text) && !text.startsWith(`${origin}/`)) return null
  const url = URL.parse(text, origin)
  if (!url || url.origin !== new URL(origin).origin || url.username !== '' || url.password !== '')
    return null
  const decoded = decodePath(url.pathname)
  const path = decoded === null ? null : withoutLanguage(decoded)
  if (path === null || !isWayBack(path, options)) return null
  const own = encodePath(path) + ownQuery(path, url.search, origin, options, depth)
  return own.length > LENGTH_MAX ? null : own
}

/** Null for what can name no page, or would name another one when decoded once more. */
function decodePath(raw: string): string | null {
  let path: string
  try {
    path = decodeURIComponent(raw)
  } catch {
    return null
  }
  if (/[\p{Cc}\\@%]|\/\//u.test(path) || /%2f/i.test(raw)) return null
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) return null
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Null when a second prefix follows: without the first it would be a page of that language. */
function withoutLanguage(path: string): string | null {
  const [, first = '', ...rest] = path.split('/')
  if (!findLanguage(first)) return path
  return findLanguage(rest[0] ?? '') ? null : `/${rest.join('/')}`
}

function isWayBack(
  path: string,
  { mayPass = false, isPage = () => true }: OwnPathOptions,
): boolean {
  const first = (path.split('/')[1] ?? '').toLowerCase()
  return !NO_PAGES.has(first) && (mayPass || !PASSAGES.has(first)) && isPage(path)
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The query as it was, but for parameters with secrets and ways back that lead elsewhere. */
function ownQuery(
  path: string,
  search: string,
  origin: string,
  options: OwnPathOptions,
  depth: number,
): string {
  const kept = search
    .slice(1)
    .split('&')
    .flatMap((pair) => {
      const [entry] = [...new URLSearchParams(pair)]
      if (!entry) return []
      const name = entry[0].toLowerCase()
      if (SECRET_PARAMETERS.has(name))
        return name === 'code' && PAGES_WITH_CODE.has(path) ? [pair] : []
      if (!WAY_PARAMETERS.has(name)) return [pair]
      const way = depth < WAYS_DEEP_MAX ? readPath(entry[1], origin, options, depth + 1) : null
      return way === null ? [] : [`${entry[0]}=${encodeURIComponent(way)}`]
    })
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
