import { ownPath } from '#kernel/own-path.ts'

/** Where somebody newly signed in goes on: to the address that sent them here, or home. */
export function comeBack(query: URLSearchParams): string {
  return ownPath(query.get('redirect')) ?? '/'
}
