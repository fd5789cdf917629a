import { escapeHtml } from '#kernel/html.ts'
import type { Language } from '#kernel/language.ts'
import { compiledMessages, textsRevision } from '#platform/i18n/messages.ts'
import { jsonForHtml } from '#platform/http/json-for-html.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { PageState } from '../page.ts'
import type { ConsoleAssets } from './assets.ts'

/** Puts a rendered page into its document. */
export function renderConsoleDocument(
  body: string,
  {
    state,
    language,
    assets,
    shopName,
  }: {
    readonly state: PageState
    readonly language: Language
    readonly assets: ConsoleAssets
    readonly shopName: string
  },
): string {
  return (
    `<!doctype html><html lang="${language.tag}" dir="${language.dir}"${themeOf(state)}><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">' +
    `<title>${escapeHtml(`${state.title} · ${shopName}`)}</title>` +
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">' +
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">' +
    assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('') +
    `<script type="module" src="${assets.entry}"></script>` +
    assets
      .chunksOf(state.page)
      .map((href) => `<link rel="modulepreload" href="${href}">`)
      .join('') +
    `</head><body><div id="root">${body}</div>` +
    `<script type="application/json" id="page-state">${jsonForHtml(state)}</script>` +
    `<script type="application/json" id="page-words">${wordsJson(language)}</script></body></html>`
  )
}

/** The operator's own theme from the first paint on; else as the device has it. */
function themeOf({ frame }: PageState): string {
  const theme = frame?.operator.theme ?? 'system'
  return theme === 'system' ? '' : ` data-theme="${theme}"`
}

const kept = new Map<LanguageCode, string>()
/** Of the texts that those were made of. */
let keptOf = textsRevision()

/** All texts of the console, compiled: it is one application, and opens its next page without asking for them again. */
function wordsJson({ code, dir, intl }: Language): string {
  if (keptOf !== textsRevision()) {
    kept.clear()
    keptOf = textsRevision()
  }
  let json = kept.get(code)
  if (json === undefined) {
    const all = { ...compiledMessages('en'), ...compiledMessages(code) }
    const messages = Object.fromEntries(
      Object.entries(all).filter(([key]) => key.startsWith('console.')),
    )
    json = jsonForHtml({ language: code, dir, intl, messages })
    kept.set(code, json)
  }
  return json
}
