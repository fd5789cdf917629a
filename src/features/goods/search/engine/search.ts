import { withoutGoodsWords } from './goods-words.ts'
import {
  addWholeBonus,
  type MatchContext,
  matchSpan,
  scoreSpan,
  type SpanMatches,
} from './match.ts'
import { type ParsedQuery, parseTokens, queryTokens } from './query.ts'
import { HIGHEST_SCORE } from './ranking.ts'
import { EVERY_LANGUAGE, type SearchIndex } from './search-index.ts'

export interface SearchHit {
  readonly id: number
  readonly score: number
}

/** The same as a list of hits, without an object for each; for callers that page or filter. Good until the index is searched again. */
export interface RankedHits {
  readonly ids: Uint32Array
  readonly scores: Uint16Array
}

const NOTHING: RankedHits = { ids: new Uint32Array(0), scores: new Uint16Array(0) }

/** All products that match, best first. Takes any string. */
export function search(index: SearchIndex, query: string, language: string): readonly SearchHit[] {
  const { ids, scores } = searchRanked(index, query, language)
  return Array.from(ids, (id, i) => ({ id, score: scores[i] ?? 0 }))
}

export function searchRanked(index: SearchIndex, query: string, language: string): RankedHits {
  if (index.documentCount === 0) return NOTHING
  const tokens = queryTokens(query)
  const parsed = parseTokens(index, tokens)
  if (parsed.words === 0) return NOTHING
  const context: MatchContext = {
    index,
    languages: readableLanguages(index, language),
    wordCount: 0,
    textCount: 0,
    readable: false,
  }
  const asTyped = collectAsTyped(context, parsed)
  if (asTyped !== undefined) return finish(index, asTyped, parsed.words)
  // Where nothing has every word, the words for the kind of goods are not what it is about.
  const bare = withoutGoodsWords(tokens)
  if (bare === undefined) return finish(index, collect(context, parsed, true), parsed.words)
  const reduced = parseTokens(index, bare)
  return finish(
    index,
    collectAsTyped(context, reduced) ?? collect(context, reduced, true),
    reduced.words,
  )
}

/** What has every word as it was typed, in texts the caller can read; undefined, with nothing left behind, where nothing has. */
function collectAsTyped(context: MatchContext, parsed: ParsedQuery): Collected | undefined {
  const collected = collect(context, parsed, false)
  if (collected.complete > 0 && collected.readable) return collected
  clear(context.index, collected.touched)
  return undefined
}

/** The caller's language with its regional relatives (zh reads zh-tw), English, and what belongs to no language. */
function readableLanguages(index: SearchIndex, language: string): number {
  const base = language.split('-', 1)[0] ?? ''
  let bits = EVERY_LANGUAGE
  for (const [known, bit] of index.languageBits) {
    if (known === 'en' || known === language || known.split('-', 1)[0] === base) bits |= bit
  }
  return bits
}

interface Collected {
  /** Products touched, in `scratch.touched`. */
  readonly touched: number
  /** Products that matched every word. */
  readonly complete: number
  /** Every word met something the caller can read. */
  readonly readable: boolean
  /** Words that matched any product at all. */
  readonly known: number
  /** Sum of the words' weights. */
  readonly weight: number
}

/** Goes through the words one by one and sums up each product's best score for each. */
function collect(context: MatchContext, parsed: ParsedQuery, corrected: boolean): Collected {
  const { index } = context
  const { wordScore, wordTouched, matchedWords, total, weighted, touched } = index.scratch
  const lastWord = parsed.words - 1
  const spans = parsed.spans.map((span) => matchSpan(index, span, lastWord, corrected))
  let touchedCount = 0
  let complete = 0
  let weight = 0
  let known = 0
  let readable = true
  for (let word = 0; word < parsed.words; word++) {
    context.wordCount = 0
    context.readable = false
    for (const matches of spans)
      if (matches.span.from <= word && word <= matches.span.to) scoreSpan(context, matches)
    readable &&= context.readable
    if (context.wordCount > 0) known++
    // A word that few products carry says more about what is meant.
    const rarity = Math.log2(1 + index.documentCount / (context.wordCount + 1))
    weight += rarity
    complete = 0
    for (let i = 0; i < context.wordCount; i++) {
      const rank = wordTouched[i]!
      if (matchedWords[rank] === 0) touched[touchedCount++] = rank
      const score = wordScore[rank]!
      wordScore[rank] = 0
      total[rank]! += score
      weighted[rank]! += score * rarity
      if ((matchedWords[rank]! += 1) === parsed.words) complete++
    }
  }
  for (const matches of spans) addBonusOf(context, matches, lastWord)
  return { touched: touchedCount, complete, readable, known, weight }
}

function addBonusOf(context: MatchContext, matches: SpanMatches, lastWord: number): void {
  if (matches.exact >= 0 && matches.span.from === 0 && matches.span.to === lastWord)
    addWholeBonus(context, matches.exact)
}

function clear(index: SearchIndex, count: number): void {
  const { matchedWords, total, weighted, bonus, touched } = index.scratch
  for (let i = 0; i < count; i++) {
    const rank = touched[i]!
    matchedWords[rank] = 0
    total[rank] = 0
    weighted[rank] = 0
    bonus[rank] = 0
  }
}

/** Products with most words, when none has all, must come near the best of them. */
const PARTIAL_SHARE = 0.6

/** Turns the sums into scores, keeps what counts as a hit and puts it in order. */
function finish(index: SearchIndex, collected: Collected, words: number): RankedHits {
  const { matchedWords, total, weighted, bonus, touched, score: scoreOf } = index.scratch
  const count = collected.touched
  const ranks = touched.subarray(0, count)
  sortRanks(ranks, matchedWords)
  const scores = scoreOf.subarray(0, count).fill(0)
  const partial = collected.complete === 0
  const needed = partial ? Math.ceil(collected.known / 2) : words
  let best = 0
  for (let i = 0; i < count; i++) {
    const rank = ranks[i]!
    if (matchedWords[rank]! < needed) continue
    const score = Math.round(
      (partial ? weighted[rank]! / collected.weight : total[rank]! / words) + bonus[rank]!,
    )
    scores[i] = Math.min(score, HIGHEST_SCORE)
    if (score > best) best = score
  }
  const threshold = partial ? Math.max(1, best * PARTIAL_SHARE) : 1
  const hits = sortByScore(index, ranks, scores, threshold)
  clear(index, count)
  return hits
}

/** Few are sorted; many are read off the marks, which is a single pass however many there are. */
function sortRanks(ranks: Uint32Array, matchedWords: Uint8Array): void {
  if (ranks.length * 8 < matchedWords.length) {
    ranks.sort()
    return
  }
  let next = 0
  for (let rank = 0; rank < matchedWords.length; rank++)
    if (matchedWords[rank] !== 0) ranks[next++] = rank
}

/** Counting sort, stable: ranks come in order, so equals stay by popularity. */
function sortByScore(
  index: SearchIndex,
  ranks: Uint32Array,
  scores: Uint16Array,
  threshold: number,
): RankedHits {
  const { placeOfScore: start, hitIds, hitScores } = index.scratch
  start.fill(0)
  let kept = 0
  for (const score of scores) {
    if (score < threshold) continue
    start[HIGHEST_SCORE - score + 1]! += 1
    kept++
  }
  for (let i = 1; i < start.length; i++) start[i]! += start[i - 1]!
  for (let i = 0; i < ranks.length; i++) {
    const score = scores[i]!
    if (score < threshold) continue
    const place = start[HIGHEST_SCORE - score]!++
    hitIds[place] = index.idOfRank[ranks[i]!]!
    hitScores[place] = score
  }
  return { ids: hitIds.subarray(0, kept), scores: hitScores.subarray(0, kept) }
}
