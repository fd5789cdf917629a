/** Puts a language's prefix before a path of this shop: `/cards` → `/de/cards`. */
export function localPath(prefix: string, path: string): string {
  return path === '/' && prefix !== '' ? prefix : `${prefix}${path}`
}
