import { createRequire } from 'node:module'

/** A word of the list and what people put behind it to please a rule: "Dragon2024". */
const WORD_MIN = 4
const WORD_MAX = 20
const TAIL_MAX = 4

/**
 * Passwords that others have had: about 49,000 of the most used. Only what a password of the shop could be made of is kept, in
 * lower case; words shorter than four characters would refuse by chance.
 */
let words: ReadonlySet<string> | undefined

/** @param folded password in lower case */
export function isCommonPassword(folded: string): boolean {
  const known = (words ??= readWords())
  const end = Math.max(folded.length - TAIL_MAX, folded.search(/[^\p{L}]*$/u))
  for (let length = folded.length; length >= end; length -= 1) {
    if (known.has(folded.slice(0, length))) return true
  }
  return false
}

/** Read when the first password is set, not at the start: most processes never need it. */
function readWords(): ReadonlySet<string> {
  const require = createRequire(import.meta.url)
  const { dictionary } =
    require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return new Set(
    dictionary['passwords-common']
      .filter(
        (word) => word.length >= WORD_MIN && word.length <= WORD_MAX && /^[a-z0-9]+$/i.test(word),
      )
      .map((word) => word.toLowerCase()),
  )
}
