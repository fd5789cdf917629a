/**
 * Value of a cookie that scripts may read, as it was written; null when absent. Under https it has the prefix that keeps other hosts
 * from planting it; the name of releases before this one is still good.
 */
export function readBrowserCookie(name: string): string | null {
  const parts = document.cookie.split('; ')
  const find = (start: string) => parts.find((part) => part.startsWith(start))?.slice(start.length)
  return find(`__Host-${name}=`) ?? find(`${name}=`) ?? null
}

/** For the whole shop; an age of 0 removes it. */
export function writeBrowserCookie(name: string, value: string, maxAgeSeconds: number): void {
  const rest = `path=/; max-age=${maxAgeSeconds}; samesite=lax`
  const isHttps = location.protocol === 'https:'
  document.cookie = isHttps
    ? `__Host-${name}=${value}; ${rest}; secure`
    : `${name}=${value}; ${rest}`
  // As releases before this one named it.
  if (isHttps) document.cookie = `${name}=; path=/; max-age=0`
}
