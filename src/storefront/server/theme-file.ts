import type { Theme } from '#features/base/theme/rules.ts'
import { shownTheme, stylesheetOf } from '#features/base/theme/views.ts'
import type { PageAnswer } from './page-answer.ts'

const PATH = /^\/theme\/(?:[\w-]{22}|look-([\w-]{40,2000}))\.css$/

/** Address of the stylesheet of a look that is not kept yet. */
export const lookStylesheet = (token: string): string => `/theme/look-${token}.css`

/**
 * The stylesheet of the shop's own look. Its address names its bytes: under that it is kept for ever. Under another one, of a page that was made a
 * moment ago or by another process, it is answered as it is here, and kept by nobody. Null for any other path.
 */
export function themeFile(
  path: string,
  theme: Theme,
  openLook: (token: string) => { readonly theme: Theme } | null,
): PageAnswer | null {
  const match = PATH.exec(path)
  if (!match) return null
  const [, token] = match
  if (token === undefined) {
    const { css, address } = shownTheme(theme)
    return stylesheet(css, path === address)
  }
  const look = openLook(token)
  return look ? stylesheet(stylesheetOf(look.theme), false) : null
}

const stylesheet = (body: string, isKept: boolean): PageAnswer => ({
  status: 200,
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': isKept ? 'public, max-age=31536000, immutable' : 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body,
})
