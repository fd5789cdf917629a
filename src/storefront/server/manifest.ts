import { shownTheme } from '#features/base/theme/views.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { findLanguage, type Language } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { localPath } from '../local-path.ts'
import type { PageAnswer } from './page-answer.ts'

const NAME = /^\/manifest-([a-z]{2}(?:-[a-z]{2})?)\.webmanifest$/
/** Home screens cut longer names off. */
const SHORT_NAME_MAX = 12

/** Made by `scripts/icons.ts`. */
const ICONS = [
  { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

export function manifestPath({ code }: Pick<Language, 'code'>): string {
  return `/manifest-${code}.webmanifest`
}

/** What a phone puts on its home screen: the shop under its name, in the language it was put there in. Null for any other path. */
export function webManifest(
  path: string,
  { settings: { name }, theme }: Pick<ShopSnapshot, 'settings' | 'theme'>,
): PageAnswer | null {
  const language = findLanguage(NAME.exec(path)?.[1] ?? '')
  if (!language) return null
  const t = translatorOf(language.code)
  const bar = shownTheme(theme).bar.light
  const manifest = {
    id: '/',
    name,
    ...([...name].length <= SHORT_NAME_MAX ? { short_name: name } : {}),
    description: t('home.claim'),
    lang: language.tag,
    dir: language.dir,
    start_url: localPath(language.prefix, '/'),
    scope: '/',
    // With a way back and to reload: pages lead to payment services and come back from them.
    display: 'minimal-ui',
    theme_color: bar,
    background_color: bar,
    categories: ['shopping'],
    icons: ICONS,
  }
  return {
    status: 200,
    headers: {
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
    body: JSON.stringify(manifest),
  }
}
