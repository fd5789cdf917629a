import { escapeHtml } from '#kernel/html.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { BOOT_SCRIPT } from '../boot.ts'
import { localPath } from '../local-path.ts'
import type { PageState } from '../browser/page-state.ts'
import { jsonForHtml } from '#platform/http/json-for-html.ts'
import { getServerPage } from './registry.ts'
import { wordsJson } from './words.ts'
import type { RenderInput } from './render.tsx'
import { WORKER_PATH } from './offline/worker.ts'
import { shareTags } from './share-tags.ts'
import { manifestPath } from './manifest.ts'

/** What a bar at the foot of a phone has (`ui/summary.tsx`): what stands above it is drawn before it is there. */
const BAR = 'data-mobile-bar=""'

/**
 * Puts the rendered body into the document: head with alternates, styles, the page's data and the boot script. In bytes: what React
 * puts together from thousands of pieces becomes one string when it is looked through, and is not copied into another one after that.
 */
export function renderDocument(input: RenderInput, body: string): Buffer {
  const { language, assets, loaded, shell, scheme } = input
  const { address, bar } = shell.theme
  const hasBar = body.includes(BAR)
  const head =
    `<!doctype html><html lang="${language.tag}" dir="${language.dir}"${hasBar ? ' data-bar' : ''}${scheme === undefined ? '' : ` data-theme="${scheme}"`}><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">' +
    `<title>${escapeHtml(loaded.payload.title)}</title>` +
    `<meta name="description" content="${escapeHtml(loaded.meta.description)}">` +
    '<meta name="color-scheme" content="light dark">' +
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${bar.light}">` +
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${bar.dark}">` +
    '<link rel="icon" href="/favicon.ico" sizes="48x48"><link rel="icon" href="/icon.svg" type="image/svg+xml">' +
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">' +
    `<link rel="manifest" href="${manifestPath(language)}">` +
    (scheme === undefined ? `<script>${BOOT_SCRIPT}</script>` : '') +
    [...assets.styles, ...(address === null ? [] : [address])]
      .map((href) => `<link rel="stylesheet" href="${href}">`)
      .join('') +
    preloads(input) +
    // A page that is only looked at comes alive nowhere.
    (scheme === undefined ? scripts(input) : '') +
    searchLinks(input) +
    (loaded.isPersonal || loaded.payload.status !== 200 ? '' : shareTags(input)) +
    '</head><body><div id="root">'
  const end = `</div><script type="application/json" id="page-data">${pageState(input)}</script></body></html>`
  return Buffer.concat([Buffer.from(head), Buffer.from(body), Buffer.from(end)])
}

/**
 * All scripts the page needs at once, on one level: none waits for another to name it. What comes alive after the first frame
 * (`browser/life.ts`) leaves the line to the styles and pictures of that frame.
 */
function scripts({ assets, loaded }: RenderInput): string {
  const { page } = loaded.payload
  return (
    `<script type="module" src="${assets.entry}"></script>` +
    assets
      .chunksOf(page, getServerPage(page).liveliness)
      .map((href) => `<link rel="modulepreload" href="${href}" fetchpriority="low">`)
      .join('')
  )
}

/** What the browser brings the page's islands to life with: no data of what stays HTML. */
function pageState({ loaded, language, shell, hasOfflinePage }: RenderInput): string {
  const { data, ...payload } = loaded.payload
  const { liveliness, dataForBrowser } = getServerPage(payload.page)
  const { code, prefix, dir, intl } = language
  const state: Omit<PageState, 'words'> = {
    language: { code, prefix, dir, intl },
    currency: shell.currency.code,
    liveliness,
    ...(hasOfflinePage ? { worker: WORKER_PATH } : {}),
    payload: { ...payload, data: dataForBrowser(data) },
  }
  // The texts are the same for all pages of a kind: they are put in as text.
  return `${jsonForHtml(state).slice(0, -1)},"words":${wordsJson(code, payload.page, liveliness, loaded.areas)}}`
}

function preloads({ loaded }: RenderInput): string {
  return (loaded.meta.preload ?? [])
    .map(({ href, srcSet, sizes }) => {
      const responsive = srcSet
        ? ` imagesrcset="${escapeHtml(srcSet)}" imagesizes="${escapeHtml(sizes ?? '')}"`
        : ''
      return `<link rel="preload" as="image" href="${escapeHtml(href)}"${responsive} fetchpriority="high">`
    })
    .join('')
}

/** Canonical address, the same page in the other languages, and what the page is about, for search engines. */
function searchLinks({ loaded, language, publicUrl }: RenderInput): string {
  if (loaded.payload.status !== 200 || loaded.meta.noIndex)
    return '<meta name="robots" content="noindex">'
  const path = loaded.meta.canonical ?? loaded.payload.address
  const link = (prefix: string, to = path) => escapeHtml(publicUrl + localPath(prefix, to))
  const alternates = LANGUAGES.map(
    (other) => `<link rel="alternate" hreflang="${other.tag}" href="${link(other.prefix)}">`,
  ).join('')
  const { previous, next } = loaded.meta
  const neighbours =
    (previous === undefined ? '' : `<link rel="prev" href="${link(language.prefix, previous)}">`) +
    (next === undefined ? '' : `<link rel="next" href="${link(language.prefix, next)}">`)
  const about = loaded.meta.structuredData
    ? `<script type="application/ld+json">${jsonForHtml(loaded.meta.structuredData)}</script>`
    : ''
  return (
    `<link rel="canonical" href="${link(language.prefix)}">${alternates}<link rel="alternate" hreflang="x-default" href="${link('')}">${neighbours}` +
    about
  )
}
