import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeHtml } from '#kernel/html.ts'
import type { Language } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { Logo } from '#ui/logo.tsx'
import { localPath } from '../../local-path.ts'
import { OFFLINE_SCRIPT } from './script.ts'
import { OFFLINE_STYLE } from './style.ts'

/** What of the offline page a language says itself; ready to stand in HTML. */
export interface OfflineWords {
  readonly lang: string
  readonly dir: string
  readonly home: string
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly retry: string
  readonly still: string
  readonly note: string
}

export function offlineWords(language: Language, shop: string): OfflineWords {
  const t = translatorOf(language.code)
  const words = {
    lang: language.tag,
    dir: language.dir,
    home: localPath(language.prefix, '/'),
    title: t('title.suffix', { title: t('offline.title'), store: shop }),
    heading: t('offline.title'),
    text: t('offline.text', { store: shop }),
    retry: t('offline.retry'),
    still: t('offline.still'),
    note: t('offline.note'),
  }
  return Object.fromEntries(
    Object.entries(words).map(([name, text]) => [name, escapeHtml(text)]),
  ) as typeof words
}

/** The page with a place for each word, as `{text}`. It needs nothing that it does not bring along: nothing could be fetched. */
export function offlinePage(shop: string): string {
  const logo = renderToStaticMarkup(
    createElement(Logo, { href: '{home}', label: shop, name: shop }),
  )
  return (
    '<!doctype html><html lang="{lang}" dir="{dir}"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">' +
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
    `<title>{title}</title><style>${OFFLINE_STYLE}</style></head><body>` +
    `<header>${logo}</header><main>${RAIL}<h1>{heading}</h1><p>{text}</p>` +
    '<button type="button" data-still="{still}">{retry}</button><p role="status"></p><p class="note">{note}</p></main>' +
    `<script>${OFFLINE_SCRIPT}</script></body></html>`
  )
}

/** Two cards on the rail, and where the third would hang (design of the prototype). */
const CARD =
  'M118 36h84a12 12 0 0 1 12 12v110a12 12 0 0 1-12 12h-84a12 12 0 0 1-12-12V48a12 12 0 0 1 12-12Z'
const HOLE = 'm30 10a6 6 0 0 0 0 12h24a6 6 0 0 0 0-12h-4a8 8 0 0 0-16 0Z'
const RAIL =
  '<svg viewBox="0 0 480 210" fill="none" aria-hidden="true">' +
  '<path class="rail" d="M8 30h170M302 30h170" stroke-width="5"/>' +
  '<path class="rail" d="M178 30l14-9M302 30l-14 10" stroke-width="5"/>' +
  '<path class="rail" d="M90 30v14M390 30v14" stroke-width="4"/>' +
  '<g transform="translate(-70) rotate(1 160 40)">' +
  `<path class="card" fill-rule="evenodd" d="${CARD}${HOLE}"/>` +
  '<path class="ink" d="M130 84h60M130 102h40M130 138h.01M145 138h.01M160 138h.01M175 138h.01"/></g>' +
  '<g transform="translate(80 26) rotate(9 160 40)">' +
  `<path class="card tag" fill-rule="evenodd" d="${CARD}${HOLE}"/>` +
  '<path class="ink dark" d="M166 74 144 104h14l-4 22 22-30h-14Z"/></g>' +
  `<path class="gap" transform="translate(230)" d="${CARD}"/></svg>`
