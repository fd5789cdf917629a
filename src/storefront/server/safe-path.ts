import { ownPath, type OwnPathOptions } from '#kernel/own-path.ts'
import { matchRoute } from './match.ts'

/**
 * Where somebody may be led on to: a page of the shop by path and query, without language prefix, secrets and fragment. '/' for
 * everything else: another site's address, a page that does not exist, sign-in itself.
 * @param origin of the shop, where its absolute addresses are accepted too
 */
export function safePath(
  text: string | null,
  origin?: string,
  options: Pick<OwnPathOptions, 'mayPass'> = {},
): string {
  return ownPath(text, origin, { ...options, isPage: (path) => matchRoute(path) !== null }) ?? '/'
}
