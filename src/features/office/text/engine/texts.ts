import { createHash } from 'node:crypto'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { readMessages } from '#platform/i18n/messages.ts'

/** As long as a text of the owner's may be. */
export const TEXT_MOST = 4_000

/** A text of the program, in one language. */
export interface ProgramText {
  readonly key: string
  /** As the release has it. */
  readonly original: string
  readonly english: string
}

const known = new Map<LanguageCode, Readonly<Record<string, string>>>()

/** All texts of a language, read once: they change with a release only. */
export function textsOf(language: LanguageCode): Readonly<Record<string, string>> {
  let texts = known.get(language)
  if (!texts) known.set(language, (texts = readMessages(language)))
  return texts
}

export function programText(language: LanguageCode, key: string): ProgramText | null {
  const english = textsOf('en')
  if (!Object.hasOwn(english, key)) return null
  return {
    key,
    english: english[key] ?? '',
    original: textsOf(language)[key] ?? english[key] ?? '',
  }
}

const areaOf = (key: string): string => key.slice(0, key.indexOf('.'))

/** The parts of the program that have texts. */
export const areasOfTexts = (): readonly string[] =>
  [...new Set(Object.keys(textsOf('en')).map(areaOf))].toSorted()

/** Names a text, so that another one is noticed. */
export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** The version of a text that has no words of the owner's. */
export const NO_VERSION = hashOf('')

/** Keys of texts in which every word that is searched for stands: in the key, or in the text in any language. In the order of keys. */
export function foundKeys(query: string, area: string | null): readonly string[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const keys = Object.keys(textsOf('en'))
    .filter((key) => area === null || areaOf(key) === area)
    .toSorted()
  if (words.length === 0) return keys
  return keys.filter((key) => {
    if (words.every((word) => key.toLocaleLowerCase().includes(word))) return true
    return LANGUAGE_CODES.some((code) => {
      const text = textsOf(code)[key]?.toLocaleLowerCase()
      return text !== undefined && words.every((word) => text.includes(word))
    })
  })
}
