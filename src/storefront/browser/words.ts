import { setupI18n } from '@lingui/core'
import type { Words } from '../i18n.tsx'
import type { PageState } from './page-state.ts'

/** The translator over the texts that came with the page. */
export function createWords({ language, words }: PageState): Words {
  const { code, prefix, dir, intl } = language
  const i18n = setupI18n({
    locale: code,
    locales: [...(typeof intl === 'string' ? [intl] : intl)],
    messages: { [code]: { ...words } },
  })
  return { language: code, prefix, dir, t: (key, values) => i18n._(key, values) }
}
