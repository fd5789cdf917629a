import type { TypoIndex } from './typo-index.ts'

/** Kinds in falling weight; the position in this list is the number kept in `textKind`. A `territory` is a country of a wider region. */
export const TEXT_KINDS = [
  'name',
  'alias',
  'publisher',
  'category',
  'region',
  'code',
  'territory',
] as const
export type TextKind = (typeof TEXT_KINDS)[number]

/** How a term came out of a text; combined in `postingFlags`. */
export const FLAG = {
  /** The text begins with it. */
  first: 1,
  /** It is the whole text with the spaces closed up. */
  whole: 2,
  /** Latin letters written for another script. */
  transliterated: 4,
  /** It begins inside an unspaced run. */
  inside: 8,
  /** Initials of the words. */
  initials: 16,
} as const

/**
 * Immutable but for `scratch`. Products are numbered by *rank* (popularity falling, then id rising), so that a list
 * in rank order is already in the order of ties. Every product list is stored once, however many texts share it.
 */
export interface SearchIndex {
  readonly documentCount: number
  /** rank → id given by the caller. */
  readonly idOfRank: Uint32Array
  /** Sorted by UTF-16 unit. */
  readonly terms: readonly string[]
  /** term → its postings, as bounds in the two posting arrays. */
  readonly postingStart: Uint32Array
  readonly postingText: Uint32Array
  readonly postingFlags: Uint8Array
  readonly textKind: Uint8Array
  /** Bits of the languages the text stands in; see `languageBit`. */
  readonly textLanguages: Uint32Array
  readonly textList: Uint32Array
  /** list → its ranks, as bounds in `listRanks`. */
  readonly listStart: Uint32Array
  readonly listRanks: Uint32Array
  readonly languageBits: ReadonlyMap<string, number>
  readonly typos: TypoIndex
  readonly phonetic: PhoneticIndex
  readonly scratch: SearchScratch
}

/** Sorted sound keys and the terms behind each. */
export interface PhoneticIndex {
  readonly keys: readonly string[]
  readonly termStart: Uint32Array
  readonly terms: Uint32Array
}

/**
 * Working memory of one search, all zeros between searches but for what holds the last result. It is made once: arrays made for
 * every search would be garbage outside the heap, which sets off collections of the whole of it.
 */
export interface SearchScratch {
  /** Best score of a text for the expression at hand. */
  readonly textScore: Uint16Array
  readonly textsTouched: Uint32Array
  /** By rank: best score in the word at hand, then what has been summed up over the words. */
  readonly wordScore: Uint16Array
  readonly wordTouched: Uint32Array
  readonly matchedWords: Uint8Array
  readonly total: Uint32Array
  readonly weighted: Float32Array
  readonly bonus: Uint16Array
  readonly touched: Uint32Array
  /** By position in `touched`. */
  readonly score: Uint16Array
  /** How many hits have at least a score, from the highest down. */
  readonly placeOfScore: Uint32Array
  /** The last result, best first. */
  readonly hitIds: Uint32Array
  readonly hitScores: Uint16Array
}

export const EVERY_LANGUAGE = 1 << 30
/** Languages beyond the 29th share one bit: they still match, they only can't be told apart. */
const SHARED_BIT = 1 << 29

export function languageBit(bits: Map<string, number>, language: string | null): number {
  if (language === null) return EVERY_LANGUAGE
  const known = bits.get(language)
  if (known !== undefined) return known
  const bit = bits.size < 29 ? 1 << bits.size : SHARED_BIT
  bits.set(language, bit)
  return bit
}

/** First position whose term is not below `key`. */
export function lowerBound(terms: readonly string[], key: string): number {
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((terms[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

/** First position after the terms that begin with `prefix`, given where they start. */
export function prefixEnd(terms: readonly string[], prefix: string, start: number): number {
  let low = start
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((terms[middle] ?? '').startsWith(prefix)) low = middle + 1
    else high = middle
  }
  return low
}
