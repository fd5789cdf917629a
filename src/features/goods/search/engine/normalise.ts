import { latinDigits } from '#kernel/digits.ts'

/**
 * Brings names and queries to one spelling, so that what looks alike to a reader is equal to the index:
 * compatibility forms, case, diacritics, Arabic and Hebrew letter variants, kana, digits of every script.
 */

const ASCII_ONLY = /^[\x20-\x7e]*$/
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const INVISIBLE = /\p{Cf}+/gu
const APOSTROPHES = /['’‘ʼ`´]/g
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu
const LATIN_SPECIAL = /[ßøđłıæœðþς]/g
const LATIN_PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ς: 'σ',
}
// Marks that readers leave out or type in different orders: Arabic vowels, Hebrew points, the Devanagari nukta,
// Thai and Lao tone marks.
const OPTIONAL_MARKS = /[\u0591-\u05c7\u0640\u064b-\u065f\u0670\u093c\u0e47-\u0e4e\u0ec8-\u0ecd]/g
const LETTER_VARIANT = /[أإآٱىیةکؤئךםןףץё]/g
const LETTER_PLAIN: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ؤ: 'و',
  ئ: 'ي',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ё: 'е',
}
const HIRAGANA = /[\u3041-\u3096]/g
const SMALL_KATAKANA = /[ァィゥェォャュョヮッ]/g
const DENSE_PUNCTUATION = /[\u104a-\u104f\u0e2f\u0e5a\u0e5b\u17d4-\u17da]/g

/** The form of `text` that terms are cut from: never longer than a small multiple of the input, never throws. */
export function normaliseText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase().replace(APOSTROPHES, '')
  const folded = text
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .replace(LATIN_SPECIAL, (letter) => LATIN_PLAIN[letter] ?? letter)
    .replace(OPTIONAL_MARKS, '')
    .replace(LETTER_VARIANT, (letter) => LETTER_PLAIN[letter] ?? letter)
    .replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
    .replace(SMALL_KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + 1))
  return latinDigits(folded).replace(DENSE_PUNCTUATION, ' ').replace(APOSTROPHES, '')
}

const QUERY_CODE_POINTS = 64
/** Far above 64 visible characters, far below what would make the regular expressions slow. */
const QUERY_CODE_UNITS = 512

/** A query as a person typed it: control characters out, cut at 64 code points, then normalised. */
export function normaliseQuery(query: string): string {
  const visible = query.slice(0, QUERY_CODE_UNITS).toWellFormed().replace(CONTROLS, ' ').trim()
  const cut =
    visible.length <= QUERY_CODE_POINTS
      ? visible
      : [...visible].slice(0, QUERY_CODE_POINTS).join('')
  return normaliseText(cut)
}
