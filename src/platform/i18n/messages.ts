import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import {
  compileMessage,
  compileMessageOrThrow,
  type CompiledMessage,
} from '@lingui/message-utils/compileMessage'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { MessageKey } from './keys.ts'

export type MessageValues = Readonly<Record<string, string | number>>
/** The text of a key in one language, with its values put in (ICU message syntax). */
export type Translate = (key: MessageKey, values?: MessageValues) => string

/** The owner's own words in place of a text of the program. */
export interface TextOverride {
  readonly language: LanguageCode
  readonly key: string
  readonly text: string
}

const translators = new Map<LanguageCode, Translate>()
const bundled = new Map<LanguageCode, Readonly<Record<string, CompiledMessage>>>()
let overrides: ReadonlyMap<LanguageCode, Readonly<Record<string, CompiledMessage>>> = new Map()
let revision = 0

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

/** All messages of a language, compiled, with the owner's own words laid over those of the release. */
export function compiledMessages(language: LanguageCode): Record<string, CompiledMessage> {
  let own = bundled.get(language)
  if (!own) {
    own = Object.fromEntries(
      Object.entries(readMessages(language)).map(([key, text]) => [key, compileMessage(text)]),
    )
    bundled.set(language, own)
  }
  return { ...own, ...overrides.get(language) }
}

/**
 * Lays other words over the release's, in this process: translators that are asked for from now on say them. What cannot be read as a
 * message, or is of a text that there is not, changes nothing: no row stops a page.
 */
export function replaceTexts(texts: readonly TextOverride[]): void {
  const next = new Map<LanguageCode, Record<string, CompiledMessage>>()
  const known = compiledMessages('en')
  for (const { language, key, text } of texts) {
    const compiled = compiledText(text)
    if (!compiled || !Object.hasOwn(known, key)) continue
    const own = next.get(language) ?? {}
    own[key] = compiled
    next.set(language, own)
  }
  overrides = next
  translators.clear()
  revision += 1
}

/** Another number whenever texts are others: what is made of them is made anew. */
export const textsRevision = (): number => revision

/** A text as it is compiled; null where it is no message, or one that cannot be said of every value. */
export function compiledText(text: string): CompiledMessage | null {
  try {
    const compiled = compileMessageOrThrow(text)
    return canBeSaid(compiled) ? compiled : null
  } catch {
    return null
  }
}

/** Whether nothing in a message fails once its values are put in: a format that there is not, a date of what is none, a number without a form for it. */
function canBeSaid(message: CompiledMessage): boolean {
  if (typeof message === 'string') return true
  return message.every((token) => {
    if (typeof token === 'string') return true
    const [, kind, forms] = token as [string, string?, unknown?]
    if (kind === undefined) return true
    if (kind === 'number') return forms === undefined
    if (kind !== 'plural' && kind !== 'selectordinal' && kind !== 'select') return false
    const { offset: _, ...own } = forms as Readonly<Record<string, CompiledMessage | undefined>>
    return (
      own['other'] !== undefined &&
      Object.values(own).every((form) => form === undefined || canBeSaid(form))
    )
  })
}

/** All texts of a language as the release has them, by key. */
export function readMessages(language: LanguageCode): Record<string, string> {
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
