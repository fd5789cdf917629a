import { LANGUAGES } from '#kernel/language.ts'
import { BOOT_SCRIPT } from '../boot.ts'
import { localPath } from '../i18n.tsx'
import { jsonForHtml } from './json.ts'
import type { RenderInput } from './render.tsx'

/** Puts the rendered body into the document: head with alternates, styles, the page's data and the boot script. */
export function renderDocument(input: RenderInput, body: string): string {
  const { language, loaded, assets, shell } = input
  const state = jsonForHtml({
    shell,
    payload: loaded.payload,
    layout: loaded.layout,
    areas: loaded.areas,
  })
  return (
    `<!doctype html><html lang="${language.tag}" dir="${language.dir}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">' +
    `<title>${escapeHtml(loaded.payload.title)}</title>` +
    `<meta name="description" content="${escapeHtml(loaded.meta.description)}">` +
    '<meta name="color-scheme" content="light dark">' +
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">' +
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141a19">' +
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">' +
    `<script>${BOOT_SCRIPT}</script>` +
    assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('') +
    preloads(input) +
    searchLinks(input) +
    '</head><body>' +
    `<div id="root">${body}</div>` +
    `<script type="application/json" id="page-data">${state}</script>` +
    `<link rel="modulepreload" href="${assets.entry}" fetchpriority="low"><script type="application/json" id="page-entry">${jsonForHtml(assets.entry)}</script>` +
    '</body></html>'
  )
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
    `<meta property="og:title" content="${escapeHtml(loaded.meta.title)}"><meta property="og:type" content="website">${about}`
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
