/** What a client may call its visit: 36 random letters, digits and hyphens. */
const VISIT_ID = /^[A-Za-z0-9-]{36}$/

export function isVisitId(text: string): boolean {
  return VISIT_ID.test(text)
}

/** Words of a search that found nothing: so long at most, and so many different ones of a day. */
export const MISS_LENGTH_MAX = 40
export const MISSES_A_DAY = 500
/** Days that they are kept: a year, and what it is compared with. */
export const MISS_DAYS = 800

/** An e-mail address, a link, or what is written with digits: numbers of phones and cards, codes. */
const PERSONAL = /[@/\\]|\d{4,}|(?:\d[\s().+-]*){6,}|www\.|\b\w+\.(?:com|net|org|io|ru|cn|de)\b/u
/** Letters and digits in one word, as codes have them: "A1B2-C3D4". */
const CODE = /(?=[^\s]*\p{L})(?=[^\s]*\d)[^\s]{7,}/u
/** One run of letters that no word is as long as. */
const LONG_RUN = /[^\s]{25,}/u

/**
 * What is counted of a search that found nothing: the words, made alike. Null where they may tell of a person, or of a key: an address, a
 * number, a code is never kept.
 */
export function missedWords(text: string): string | null {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}@/\\.+-]+/gu, ' ')
    .trim()
  const length = [...words].length
  if (length < 2 || words.length > MISS_LENGTH_MAX) return null
  if (!/\p{L}/u.test(words)) return null
  return PERSONAL.test(words) || CODE.test(words) || LONG_RUN.test(words) ? null : words
}
