/**
 * Cuts normalised text into words. Scripts written without spaces come out as whole runs ("dense"), which the
 * index and the query parser cut further; Hangul comes out as single letters (jamo), so that a syllable that is
 * still being typed already matches.
 */

export type Script = 'latin' | 'word' | 'dense' | 'hangul'

export interface Token {
  /** What is stored and compared. */
  readonly term: string
  /** The word before Hangul was taken apart: what transliteration starts from. */
  readonly source: string
  readonly script: Script
}

/** Longest term, in UTF-16 units: longer words are cut, in names and queries alike. */
export const TERM_LENGTH = 64

const ASCII_WORD = /[a-z0-9]+/g
const ASCII_ONLY = /^[\x20-\x7e]*$/
const DENSE_SET =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'
const RUN = new RegExp(
  `(${DENSE_SET}+)|(\\p{Script=Hangul}+)|([[\\p{L}\\p{M}\\p{N}]--[\\p{Script=Hangul}${DENSE_SET}]]+)`,
  'gv',
)
const ARABIC_ARTICLE = 'ال'

export function tokenise(normalised: string): Token[] {
  const tokens: Token[] = []
  if (ASCII_ONLY.test(normalised)) {
    for (const word of normalised.match(ASCII_WORD) ?? []) tokens.push(wordToken(word))
    return tokens
  }
  for (const match of normalised.matchAll(RUN)) {
    if (match[1] !== undefined) {
      const term = match[1].slice(0, TERM_LENGTH)
      tokens.push({ term, source: term, script: 'dense' })
    } else if (match[2] !== undefined) {
      tokens.push({
        term: toJamo(match[2]).slice(0, TERM_LENGTH),
        source: match[2],
        script: 'hangul',
      })
    } else if (match[3] !== undefined) {
      tokens.push(wordToken(match[3]))
    }
  }
  return tokens
}

function wordToken(word: string): Token {
  const cut = word.slice(0, TERM_LENGTH)
  if (isAsciiWord(cut)) return { term: cut, source: cut, script: 'latin' }
  return { term: cut, source: cut, script: 'word' }
}

/** An Arabic word without its article, or undefined; some words begin with these letters anyway, so both forms count. */
export function withoutArticle(word: string): string | undefined {
  return word.length >= 5 && word.startsWith(ARABIC_ARTICLE)
    ? word.slice(ARABIC_ARTICLE.length)
    : undefined
}

function isAsciiWord(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 0x7f) return false
  return true
}

const COMBINING = /^\p{M}/u

/** True where a reader could begin or end a piece of an unspaced run: not inside a pair, not before a mark. */
export function isClusterStart(run: string, offset: number): boolean {
  if (offset <= 0 || offset >= run.length) return true
  const unit = run.charCodeAt(offset)
  if (unit >= 0xdc00 && unit <= 0xdfff) return false
  if (unit >= 0x3000 && unit <= 0x9fff) return unit !== 0x30fc
  return !COMBINING.test(run.slice(offset, offset + 1))
}

const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
const INITIALS = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ']
const MEDIALS = [
  'ㅏ',
  'ㅐ',
  'ㅑ',
  'ㅒ',
  'ㅓ',
  'ㅔ',
  'ㅕ',
  'ㅖ',
  'ㅗ',
  'ㅗㅏ',
  'ㅗㅐ',
  'ㅗㅣ',
  'ㅛ',
  'ㅜ',
  'ㅜㅓ',
  'ㅜㅔ',
  'ㅜㅣ',
  'ㅠ',
  'ㅡ',
  'ㅡㅣ',
  'ㅣ',
]
const FINALS = [
  '',
  'ㄱ',
  'ㄲ',
  'ㄱㅅ',
  'ㄴ',
  'ㄴㅈ',
  'ㄴㅎ',
  'ㄷ',
  'ㄹ',
  'ㄹㄱ',
  'ㄹㅁ',
  'ㄹㅂ',
  'ㄹㅅ',
  'ㄹㅌ',
  'ㄹㅍ',
  'ㄹㅎ',
  'ㅁ',
  'ㅂ',
  'ㅂㅅ',
  'ㅅ',
  'ㅆ',
  'ㅇ',
  'ㅈ',
  'ㅊ',
  'ㅋ',
  'ㅌ',
  'ㅍ',
  'ㅎ',
]

/** Hangul syllables as the letters they are typed with; initial and final consonants become the same letter. */
export function toJamo(text: string): string {
  let letters = ''
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < FIRST_SYLLABLE || unit > LAST_SYLLABLE) {
      letters += text[i] ?? ''
      continue
    }
    const syllable = unit - FIRST_SYLLABLE
    letters += INITIALS[Math.floor(syllable / 588)] ?? ''
    letters += MEDIALS[Math.floor((syllable % 588) / 28)] ?? ''
    letters += FINALS[syllable % 28] ?? ''
  }
  return letters
}
