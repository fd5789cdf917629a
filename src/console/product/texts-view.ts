import { hasOwnName } from '#features/goods/editing/engine/words.ts'
import type { Subject } from '#features/goods/editing/rules.ts'
import type { TranslatedWord } from '#features/goods/editing/queries.ts'
import { getLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'

/** A translation as a change takes it. */
export interface TextValue {
  readonly text: string
  readonly english_hash: string
  readonly origin: string
}

export interface WordView {
  readonly subject: Subject
  readonly code: string
  /** The field that says its English, and where in it. */
  readonly field: string
  readonly path: readonly (string | number)[]
  readonly name: string
  readonly english: string
  readonly hash: string
  readonly texts: Readonly<Record<string, TextValue | null>>
  /** The English that a translation was made of, where that is another by now. */
  readonly former: Readonly<Record<string, string | null>>
}

export interface TextsView {
  readonly words: readonly WordView[]
  /** Languages beside English. */
  readonly targets: readonly {
    readonly code: LanguageCode
    readonly tag: string
    readonly name: string
    readonly dir: 'ltr' | 'rtl'
  }[]
  /** Hundredths of the texts that are there and made of the English that is. */
  readonly complete: Readonly<Record<string, number>>
}

const FIRST: readonly LanguageCode[] = ['de', 'ar']

/** Texts side by side: English, and the languages that the address names. */
export function textsView(all: readonly TranslatedWord[], query: URLSearchParams): TextsView {
  // A sentence that several items say is one.
  const seen = new Set<string>()
  const words = all.filter(({ subject, hash, name }) => {
    const key = hasOwnName(subject) && name === 'name' ? 'name' : hash
    return !seen.has(key) && seen.add(key)
  })
  const asked = (query.get('languages') ?? '')
    .split(',')
    .flatMap((code) => LANGUAGE_CODES.find((known) => known === code && known !== 'en') ?? [])
  const targets = [...new Set(asked.length === 0 ? FIRST : asked)].slice(0, 2)
  return {
    words: words.map(({ texts, ...word }) => ({
      ...word,
      former: Object.fromEntries(
        targets.map((code) => {
          const text = texts.get(code)
          return [code, text && text.englishHash !== word.hash ? text.former : null]
        }),
      ),
      texts: Object.fromEntries(
        targets.map((code) => {
          const text = texts.get(code)
          return [
            code,
            text ? { text: text.text, english_hash: text.englishHash, origin: text.origin } : null,
          ]
        }),
      ),
    })),
    targets: targets.map((code) => {
      const { tag, dir, nativeName } = getLanguage(code)
      return { code, tag, dir, name: nativeName }
    }),
    complete: Object.fromEntries(
      LANGUAGE_CODES.map((code) => [code, code === 'en' ? 100 : shareOf(words, code)]),
    ),
  }
}

function shareOf(words: readonly TranslatedWord[], code: LanguageCode): number {
  if (words.length === 0) return 100
  const done = words.filter(({ texts, hash }) => texts.get(code)?.englishHash === hash)
  return Math.floor((done.length * 100) / words.length)
}
