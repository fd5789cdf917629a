import { escapeHtml } from '#kernel/html.ts'
import { LANGUAGES, type Language } from '#kernel/language.ts'
import { SHOP_LINK_PICTURE } from '../goods/picture.ts'
import { localPath } from '../local-path.ts'
import type { RenderInput } from './render.tsx'

const WIDTH = 1200
const HEIGHT = 630

/** "zh-TW" as Open Graph writes it. */
const ogLocale = ({ tag }: Language) => tag.replace('-', '_')

const LOCALES = new Map(
  LANGUAGES.map((language) => [
    language.code,
    property('og:locale', ogLocale(language)) +
      LANGUAGES.filter((other) => other !== language)
        .map((other) => property('og:locale:alternate', ogLocale(other)))
        .join(''),
  ]),
)

/** What other sites show beside a link to the page: Open Graph, and the card of X, which reads the rest from there. */
export function shareTags({ loaded, language, publicUrl, shell }: RenderInput): string {
  const { meta, payload } = loaded
  const address = publicUrl + localPath(language.prefix, meta.canonical ?? payload.address)
  return (
    property('og:site_name', shell.shop) +
    property('og:type', meta.kind ?? 'website') +
    property('og:title', meta.title) +
    property('og:description', meta.description) +
    property('og:url', address) +
    property('og:image', publicUrl + (meta.picture ?? SHOP_LINK_PICTURE)) +
    property('og:image:width', String(WIDTH)) +
    property('og:image:height', String(HEIGHT)) +
    (LOCALES.get(language.code) ?? '') +
    '<meta name="twitter:card" content="summary_large_image">'
  )
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`
}
