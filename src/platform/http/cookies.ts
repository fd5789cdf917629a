/** Value of one cookie of a `Cookie` header (RFC 6265 §5.4), percent-decoded; null when absent or broken. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (!header) return null
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name)
      return decodeOrNull(part.slice(equals + 1).trim())
  }
  return null
}

/**
 * Name of a cookie that decides something: over https a browser takes `__Host-` cookies from this very host alone, so that no
 * neighbouring host can plant one; it refuses them without Secure, and Secure needs https (RFC 6265bis §4.1.3).
 */
export function hostCookieName(name: string, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name
}

/** The same cookie as releases before this one named it is good until it is written anew. */
export function readHostCookie(header: string | undefined, name: string): string | null {
  return readCookie(header, hostCookieName(name, true)) ?? readCookie(header, name)
}

export interface CookieOptions {
  /** Null: until the browser is closed. */
  readonly maxAgeSeconds: number | null
  readonly secure: boolean
  readonly httpOnly?: boolean
  /** Strict: not even a link on another site brings it along. */
  readonly isStrict?: boolean
}

/** A `Set-Cookie` value for the whole shop, SameSite=Lax where nothing else is said. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const flags = `${options.httpOnly ? '; HttpOnly' : ''}${options.secure ? '; Secure' : ''}`
  const age = options.maxAgeSeconds === null ? '' : `; Max-Age=${options.maxAgeSeconds}`
  return `${name}=${encodeURIComponent(value)}; Path=/${age}; SameSite=${options.isStrict ? 'Strict' : 'Lax'}${flags}`
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The `Cookie` header a browser sends after it has taken `Set-Cookie` values of this shop: the same names give way. */
export function withSetCookies(
  header: string | undefined,
  setCookies: readonly string[],
): string | undefined {
  if (setCookies.length === 0) return header
  const pairs = new Map(
    (header ?? '')
      .split(';')
      .map((part) => [part.split('=')[0]?.trim() ?? '', part.trim()] as const),
  )
  for (const cookie of setCookies) {
    const pair = cookie.split(';')[0]?.trim() ?? ''
    const name = pair.split('=')[0] ?? ''
    if (/;\s*Max-Age=0(?:;|$)/i.test(cookie)) pairs.delete(name)
    else pairs.set(name, pair)
  }
  return [...pairs.values()].filter((pair) => pair !== '').join('; ')
}
