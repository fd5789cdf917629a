/**
 * Whether a request was sent from a page of this shop: the browser says so itself (Fetch Metadata), older ones by `Origin`
 * alone. A request with neither does not come from a page.
 */
export function isSameOrigin(headers: { readonly fetchSite: string | undefined; readonly origin: string | undefined; readonly host: string | undefined }, publicUrl: string): boolean {
  const { fetchSite, origin, host } = headers
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  if (origin === undefined) return true
  return origin === publicUrl || (host !== undefined && URL.parse(origin)?.host === host)
}
