import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { MessageKey } from './keys.ts'

export type MessageValues = Readonly<Record<string, string | number>>
/** The text of a key in one language, with its values put in (ICU message syntax). */
export type Translate = (key: MessageKey, values?: MessageValues) => string

const translators = new Map<LanguageCode, Translate>()

/** The translator of a language, over every area of `locales/<lang>`. English stands in for a missing text. */
export function translatorOf(language: LanguageCode): Translate {
  let translate = translators.get(language)
  if (!translate) {
    const i18n = setupI18n({
      locale: language,
      locales: getLanguage(language).intl,
      messages: {
        [language]: {
          ...compiledMessages('en'),
          ...(language === 'en' ? {} : compiledMessages(language)),
        },
      },
    })
    translate = (key, values) => i18n._(key, values)
    translators.set(language, translate)
  }
  return translate
}

/** All messages of a language, compiled. Read once a process: texts change with a release only. */
export function compiledMessages(language: LanguageCode): Record<string, CompiledMessage> {
  const compiled: Record<string, CompiledMessage> = {}
  for (const [key, text] of Object.entries(readMessages(language)))
    compiled[key] = compileMessage(text)
  return compiled
}

function readMessages(language: LanguageCode): Record<string, string> {
  const folder = join(PROJECT_ROOT, 'locales', language)
  const texts: Record<string, string> = {}
  if (!existsSync(folder)) return texts
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    Object.assign(
      texts,
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>,
    )
  return texts
}
