import { boundedDistance } from './edit-distance.ts'
import type { QuerySpan } from './query.ts'
import {
  FLAG_COMBINATIONS,
  KIND_TABLE,
  MEETING,
  type Meeting,
  MEETING_TABLE,
  WHOLE_TABLE,
} from './ranking.ts'
import { FLAG, lowerBound, prefixEnd, type SearchIndex, TEXT_KINDS } from './search-index.ts'
import { phoneticKey } from './transliterate.ts'
import { eachTypoCandidate } from './typo-index.ts'

/** Terms that a span of the query may mean: those it begins, and those it may be a misspelling of. */
export interface SpanMatches {
  readonly span: QuerySpan
  readonly exact: number
  readonly prefixFrom: number
  readonly prefixTo: number
  readonly prefixMeeting: Meeting
  readonly corrections: ReadonlyMap<number, Meeting>
}

const NO_CORRECTIONS: ReadonlyMap<number, Meeting> = new Map()
const DIGITS = /\d/g
const HANGUL_OR_DENSE = /[^\p{Script=Latin}\p{Nd}]/u

export function matchSpan(
  index: SearchIndex,
  span: QuerySpan,
  lastWord: number,
  corrected: boolean,
): SpanMatches {
  const { terms } = index
  const start = lowerBound(terms, span.term)
  const exact = terms[start] === span.term ? start : -1
  const isLast = span.to === lastWord
  const open = isLast || span.dense || (span.term.length > 1 && !/^\d+$/.test(span.term))
  const prefixFrom = exact >= 0 ? start + 1 : start
  return {
    span,
    exact,
    prefixFrom,
    prefixTo: open ? prefixEnd(terms, span.term, prefixFrom) : prefixFrom,
    prefixMeeting: isLast || span.dense ? MEETING.prefix : MEETING.innerPrefix,
    corrections: corrected && span.correctable ? corrections(index, span, isLast) : NO_CORRECTIONS,
  }
}

function corrections(index: SearchIndex, span: QuerySpan, isLast: boolean): Map<number, Meeting> {
  const found = new Map<number, Meeting>()
  const edits = editsAllowed(span.term)
  if (edits !== 0) addMisspellings(index, span.term, edits, isLast, found)
  if (span.transliterated || (edits > 0 && span.term.length >= 5 && found.size === 0))
    addSounds(index, span, isLast, found)
  return found
}

/** One edit from 4 letters, two from 8; Hangul counts single letters, two or three to a syllable, so a little more. */
function editsAllowed(term: string): 0 | 1 | 2 {
  const hangul = /^[ㄱ-ㅣ]/.test(term)
  if (term.length < (hangul ? 5 : 4) || /^\d+$/.test(term)) return 0
  return term.length < (hangul ? 10 : 8) ? 1 : 2
}

function addMisspellings(
  index: SearchIndex,
  word: string,
  edits: 1 | 2,
  isLast: boolean,
  found: Map<number, Meeting>,
): void {
  const digits = digitsOf(word)
  const rejected = new Set<number>()
  eachTypoCandidate(index.typos, word, edits, (term) => {
    if (found.has(term) || rejected.has(term)) return
    const candidate = index.terms[term] ?? ''
    let distance = boundedDistance(word, candidate, edits, false)
    if (distance > edits && isLast) distance = boundedDistance(word, candidate, edits, true)
    if (distance === 0 || distance > edits || digitsOf(candidate) !== digits) rejected.add(term)
    else found.set(term, distance === 1 ? MEETING.oneEdit : MEETING.twoEdits)
  })
}

/** Numbers are never guessed: a correction must keep every digit. */
function digitsOf(word: string): string {
  return word.match(DIGITS)?.join('') ?? ''
}

const SHORTEST_OPEN_SOUND = 4

function addSounds(
  index: SearchIndex,
  span: QuerySpan,
  isLast: boolean,
  found: Map<number, Meeting>,
): void {
  const { keys, termStart, terms } = index.phonetic
  const key = phoneticKey(span.term)
  // Shorter keys stand for half the vocabulary.
  if (key.length < 3) return
  const from = lowerBound(keys, key)
  const open = isLast && span.transliterated && key.length >= SHORTEST_OPEN_SOUND
  const to = open ? prefixEnd(keys, key, from) : from + (keys[from] === key ? 1 : 0)
  for (let at = termStart[from] ?? 0; at < (termStart[to] ?? 0); at++) {
    const term = terms[at] ?? 0
    if (span.transliterated) found.set(term, MEETING.heard)
    else if (!found.has(term)) found.set(term, MEETING.sound)
  }
}

export interface MatchContext {
  readonly index: SearchIndex
  /** Bits of the caller's language, English and "every language". */
  readonly languages: number
  /** Number of ranks touched by the word at hand; they stand in `scratch.wordTouched`. */
  wordCount: number
  /** Whether the word at hand met a text the caller can read, exactly or by its beginning. */
  readable: boolean
  textCount: number
}

const FIRST_CONTEXT_KIND = TEXT_KINDS.indexOf('category')
const ALIAS_KIND = TEXT_KINDS.indexOf('alias')

/** Adds what a span finds to the best scores of the word at hand. */
export function scoreSpan(context: MatchContext, matches: SpanMatches): void {
  const { span } = matches
  const factor = span.transliterated ? 0.95 : 1
  // One letter begins half the dictionary: only titles are worth showing for it.
  const kindLimit =
    span.term.length === 1 && !HANGUL_OR_DENSE.test(span.term) ? ALIAS_KIND : TEXT_KINDS.length
  if (matches.exact >= 0)
    scoreTerm(context, matches.exact, MEETING.exact, factor, TEXT_KINDS.length)
  for (let term = matches.prefixFrom; term < matches.prefixTo; term++)
    scoreTerm(context, term, matches.prefixMeeting, factor, kindLimit)
  for (const [term, meeting] of matches.corrections)
    scoreTerm(context, term, meeting, factor, TEXT_KINDS.length)
  passTextsToProducts(context)
}

function scoreTerm(
  context: MatchContext,
  term: number,
  meeting: Meeting,
  factor: number,
  kindLimit: number,
): void {
  const { postingStart, postingText, postingFlags, textKind, textLanguages, scratch } =
    context.index
  const end = postingStart[term + 1]!
  for (let at = postingStart[term]!; at < end; at++) {
    const text = postingText[at]!
    const kind = textKind[text]!
    if (kind > kindLimit) continue
    const foreign = (textLanguages[text]! & context.languages) === 0 ? 1 : 0
    // Names of places and categories in languages the caller doesn't read only count when met exactly.
    if (foreign === 1 && meeting !== MEETING.exact && kind >= FIRST_CONTEXT_KIND) continue
    const flags = postingFlags[at]!
    const score =
      (MEETING_TABLE[meeting * FLAG_COMBINATIONS + flags]! *
        KIND_TABLE[kind * 2 + foreign]! *
        factor) |
      0
    if (score === 0) continue
    if (foreign === 0 && meeting <= MEETING.innerPrefix && (flags & FLAG.initials) === 0)
      context.readable = true
    const known = scratch.textScore[text]!
    if (score <= known) continue
    if (known === 0) scratch.textsTouched[context.textCount++] = text
    scratch.textScore[text] = score
  }
}

function passTextsToProducts(context: MatchContext): void {
  const { textList, listStart, listRanks, scratch } = context.index
  const { textScore, textsTouched, wordScore, wordTouched } = scratch
  let count = context.wordCount
  for (let i = 0; i < context.textCount; i++) {
    const text = textsTouched[i]!
    const score = textScore[text]!
    textScore[text] = 0
    const list = textList[text]!
    const end = listStart[list + 1]!
    for (let at = listStart[list]!; at < end; at++) {
      const rank = listRanks[at]!
      const known = wordScore[rank]!
      if (score <= known) continue
      if (known === 0) wordTouched[count++] = rank
      wordScore[rank] = score
    }
  }
  context.textCount = 0
  context.wordCount = count
}

/** Lifts the products whose text is the whole query. */
export function addWholeBonus(context: MatchContext, exactTerm: number): void {
  const {
    postingStart,
    postingText,
    postingFlags,
    textKind,
    textLanguages,
    textList,
    listStart,
    listRanks,
    scratch,
  } = context.index
  for (let at = postingStart[exactTerm]!; at < postingStart[exactTerm + 1]!; at++) {
    if ((postingFlags[at]! & FLAG.whole) === 0) continue
    const text = postingText[at]!
    const foreign = (textLanguages[text]! & context.languages) === 0 ? 1 : 0
    const bonus = WHOLE_TABLE[textKind[text]! * 2 + foreign]!
    const list = textList[text]!
    for (let i = listStart[list]!; i < listStart[list + 1]!; i++) {
      const rank = listRanks[i]!
      if (bonus > scratch.bonus[rank]!) scratch.bonus[rank] = bonus
    }
  }
}
