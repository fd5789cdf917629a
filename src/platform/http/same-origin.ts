/**
 * Whether a request was sent from a page of this shop: the browser says so itself (Fetch Metadata), older ones by `Origin`
 * alone. A request with neither does not come from a page.
 */
export function isSameOrigin(
  headers: {
    readonly fetchSite: string | undefined
    readonly origin: string | undefined
    readonly host: string | undefined
  },
  publicUrl: string,
): boolean {
  const { fetchSite, origin, host } = headers
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  if (origin === undefined) return true
  return origin === publicUrl || isSameHost(origin, host, publicUrl)
}

/** A shop on one machine is reached under several names. Its plain twin is another site to a shop under https. */
function isSameHost(origin: string, host: string | undefined, publicUrl: string): boolean {
  const url = URL.parse(origin)
  return (
    url !== null &&
    url.origin === origin &&
    url.host === host &&
    (url.protocol === 'https:' || !publicUrl.startsWith('https:'))
  )
}
