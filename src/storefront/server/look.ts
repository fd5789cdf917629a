import type { Look } from '#features/base/theme/flows.ts'
import { shownTheme } from '#features/base/theme/views.ts'
import type { ShellData } from '../page.ts'
import { lookStylesheet } from './theme-file.ts'

/** What an address carries for a page as it would look; only the console can make it. */
const PARAMETER = 'look'
const PATTERN = new RegExp(`[?&]${PARAMETER}=([\\w-]{40,2000})(?=&|$)`)

export interface AskedLook {
  readonly token: string
  /** The address without it. */
  readonly target: string
}

export function readLook(target: string): AskedLook | null {
  const token = PATTERN.exec(target)?.[1]
  if (token === undefined) return null
  const [path = '/', query = ''] = target.split('?', 2)
  const rest = query.split('&').filter((part) => !part.startsWith(`${PARAMETER}=`))
  return { token, target: rest.length === 0 ? path : `${path}?${rest.join('&')}` }
}

export const withLook = (path: string, token: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${PARAMETER}=${token}`

/** What a page's frame has of a look. */
export function lookTheme({ theme }: Look, token: string): ShellData['theme'] {
  const { address, bar } = shownTheme(theme)
  return { address: address === null ? null : lookStylesheet(token), bar }
}

/** Headers of such a page: the console may show it in a frame, nobody else, and nobody keeps it. */
export function lookHeaders(
  headers: Readonly<Record<string, string>>,
  consoleOrigin: string,
): Record<string, string> {
  const { 'x-frame-options': _frames, ...rest } = headers
  const policy = headers['content-security-policy']
  return {
    ...rest,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(policy === undefined
      ? {}
      : {
          'content-security-policy': policy.replace(
            "frame-ancestors 'none'",
            `frame-ancestors 'self' ${consoleOrigin}`,
          ),
        }),
  }
}
