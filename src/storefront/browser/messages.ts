import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { setupI18n, type I18n } from '@lingui/core'
import { findLanguage } from '#kernel/language.ts'
import type { Words } from '../i18n.tsx'

type Catalogue = Record<string, CompiledMessage>

const catalogues = import.meta.glob<Catalogue>('../../../locales/*/*.json', { import: 'default' })
const SHARED_AREAS = ['shell', 'goods', 'title']
const loaded = new Set<string>()

/** The translator of this document's language; `loadAreas` adds what a page needs before it is shown. */
export function createWords(languageCode: string): {
  words: Words
  loadAreas: (areas: readonly string[]) => Promise<void>
} {
  const language = findLanguage(languageCode)
  if (!language) throw new Error(`unknown language ${languageCode}`)
  const i18n: I18n = setupI18n({
    locale: language.code,
    locales: language.intl,
    messages: { [language.code]: {} },
  })
  return {
    words: {
      language: language.code,
      prefix: language.prefix,
      dir: language.dir,
      t: (key, values) => i18n._(key, values),
    },
    loadAreas: async (areas) => {
      await Promise.all(
        [...SHARED_AREAS, ...areas].map((area) => loadArea(i18n, language.code, area)),
      )
    },
  }
}

async function loadArea(i18n: I18n, language: string, area: string): Promise<void> {
  if (loaded.has(area)) return
  const load =
    catalogues[`../../../locales/${language}/${area}.json`] ??
    catalogues[`../../../locales/en/${area}.json`]
  if (!load) return
  i18n.load(language, await load())
  loaded.add(area)
}
