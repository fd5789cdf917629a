import type { ShopSettings } from '#features/base/shop/rules.ts'
import type { PageAnswer } from './handler.ts'

export const SECURITY_TXT_PATH = '/.well-known/security.txt'
/** Less than a year ahead, as the standard asks; by whole days, so that it is the same all day. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/** Whom to tell of a weakness (RFC 9116); null while the shop names nobody, which is then not found. */
export function securityTxt(
  { securityContact }: Pick<ShopSettings, 'securityContact'>,
  publicUrl: string,
  now: Date,
): PageAnswer | null {
  if (securityContact === null) return null
  const contact = securityContact.startsWith('https:')
    ? securityContact
    : `mailto:${securityContact}`
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS)
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${publicUrl}${SECURITY_TXT_PATH}`,
  ]
  return {
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
    body: `${lines.join('\n')}\n`,
  }
}
