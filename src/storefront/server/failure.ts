import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { Log } from '#platform/log.ts'
import type { ClientAssets } from './assets.ts'

export interface FailureInput {
  readonly id: string
  readonly language: Language
  readonly t: Translate
  readonly assets: () => ClientAssets
  readonly log: Log
}

/** The error page: needs neither the catalogue nor React. If even that fails, a page in plain English with a way home. */
export function renderFailure(input: FailureInput): string {
  try {
    return failurePage(input)
  } catch (error) {
    input.log.error('error page failed', { id: input.id, error })
    return LAST_RESORT
  }
}

const LAST_RESORT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error</title></head>' +
  '<body><main><h1>An error occurred while showing the error page</h1><p><a href="/">Home</a></p></main></body></html>'

function failurePage({ id, language, t, assets }: FailureInput): string {
  const home = language.prefix === '' ? '/' : language.prefix
  return (
    `<!doctype html><html lang="${language.tag}" dir="${language.dir}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${t('title.failure')}</title>` +
    assets()
      .styles.map((href) => `<link rel="stylesheet" href="${href}">`)
      .join('') +
    `</head><body><main class="failure"><h1>${t('title.failure')}</h1><p>${t('error.internal', { id })}</p>` +
    `<p><a class="link" href="${home}">${t('shell.home')}</a></p></main></body></html>`
  )
}
