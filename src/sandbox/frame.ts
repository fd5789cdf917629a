import { createHash } from 'node:crypto'
import { escapeHtml } from '#kernel/html.ts'
import {
  DEFAULT_LANGUAGE,
  getLanguage,
  negotiateLanguage,
  type LanguageCode,
} from '#kernel/language.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { translatorOf, type MessageValues, type Translate } from '#platform/i18n/messages.ts'

/** What a service speaks to whoever came from the shop. */
export interface Speech {
  readonly language: LanguageCode
  readonly t: Translate
}

/** By tags as `Accept-Language` has them, one or several ("zh-TW", "de, fr;q=0.5"); English where none is known. */
export function speechOf(locales: string): Speech {
  const language = negotiateLanguage(locales)?.code ?? DEFAULT_LANGUAGE
  return { language, t: translatorOf(language) }
}

/** A message as HTML in which a value, HTML itself, stands at a placeholder. */
export function withMarkup(
  { t }: Speech,
  key: MessageKey,
  name: string,
  html: string,
  values: MessageValues = {},
): string {
  const [before = '', after = ''] = t(key, { ...values, [name]: SPLIT }).split(SPLIT)
  return escapeHtml(before) + html + escapeHtml(after)
}

const SPLIT = '\ue000'

const STYLE = `
:root{color-scheme:light dark;--paper:#f3f5f3;--surface:#fff;--ink:#121a18;--ink-2:#46524f;--line:#d9dfdc;--line-strong:#87938f;--warn:#7a4d00;--warn-soft:#fff0d2;--bad:#b3261e;--focus:#0b5fd8}
@media (prefers-color-scheme:dark){:root{--paper:#0d1312;--surface:#151d1b;--ink:#f2f6f4;--ink-2:#b9c5c1;--line:#2b3634;--line-strong:#74817d;--warn:#ffd58a;--warn-soft:#33260a;--bad:#ffb4a9;--focus:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:anywhere;line-break:strict}
main{max-inline-size:32rem;margin-inline:auto;padding:1.5rem 1rem 3rem}
:lang(my) body,:lang(th) body,:lang(hi) body,:lang(ar) body{line-height:1.7}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 .5rem}
p{margin:0 0 1rem;text-wrap:pretty}
:lang(ja){word-break:auto-phrase}
.mark{background:var(--warn-soft);color:var(--warn);border-radius:.75rem;padding:.625rem .75rem;font-weight:600;font-size:.875rem}
.sheet{background:var(--surface);border:1px solid var(--line);border-radius:1rem;padding:1.25rem}
.sheet>:last-child{margin-block-end:0}
.quiet{color:var(--ink-2)}
.wrong{color:var(--bad);font-weight:600}
button,.back{display:block;inline-size:100%;min-block-size:2.75rem;padding:.5rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border-radius:.75rem;border:1px solid var(--line-strong);background:var(--surface);color:inherit;cursor:pointer}
button.go,.back{background:var(--ink);border-color:var(--ink);color:var(--paper)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
@media (min-width:40rem){main{padding-block-start:3rem}.sheet{padding:1.75rem}}
`

/** One service's pages: the frame all share, and a style of their own. */
export interface Frame {
  readonly page: (
    speech: Speech,
    told: { readonly title: string; readonly mark: string; readonly content: string },
  ) => string
  /** Nothing but the page's own style; forms go to this origin, and to `formTargets`. */
  readonly headers: (
    formTargets?: readonly string[],
    referrerPolicy?: 'no-referrer' | 'same-origin',
  ) => Readonly<Record<string, string>>
}

export function createFrame(ownStyle: string): Frame {
  const style = STYLE + ownStyle
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    page({ language }, { title, mark, content }) {
      const { tag, dir } = getLanguage(language)
      return `<!DOCTYPE html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<main>
<p class="mark">${escapeHtml(mark)}</p>
<div class="sheet">
${content}
</div>
</main>
</body>
</html>
`
    },
    headers: (formTargets = [], referrerPolicy = 'no-referrer') => ({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action ${["'self'", ...formTargets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': referrerPolicy,
      'x-robots-tag': 'noindex',
    }),
  }
}
