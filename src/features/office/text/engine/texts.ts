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

/** Of each key what is searched: itself and its text in every language, in small letters. Made at the first search. */
let searched: ReadonlyMap<string, readonly string[]> | null = null

function searchedTexts(): ReadonlyMap<string, readonly string[]> {
  searched ??= new Map(
    Object.keys(textsOf('en'))
      .toSorted()
      .map((key) => {
        const texts = LANGUAGE_CODES.flatMap((code) => textsOf(code)[key] ?? [])
        return [key, [key, ...new Set(texts)].map((text) => text.toLocaleLowerCase())]
      }),
  )
  return searched
}

/** Keys of texts in which every word that is searched for stands: in the key, or in the text in any language. In the order of keys. */
export function foundKeys(query: string, area: string | null): readonly string[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return [...searchedTexts()].flatMap(([key, texts]) =>
    (area === null || areaOf(key) === area) &&
    texts.some((text) => words.every((word) => text.includes(word)))
      ? [key]
      : [],
  )
}
