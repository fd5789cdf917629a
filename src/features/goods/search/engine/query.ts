import { normaliseQuery } from './normalise.ts'
import { lowerBound, type SearchIndex } from './search-index.ts'
import { isClusterStart, TERM_LENGTH, type Token, tokenise, withoutArticle } from './tokenise.ts'
import { toLatin } from './transliterate.ts'

/** A spelling that may stand for the words `from` … `to` of the query. */
export interface QuerySpan {
  readonly term: string
  readonly from: number
  readonly to: number
  /** How far a correction may reach: what the person meant as one word, or the whole query as one word. */
  readonly correctable: boolean
  /** Written in Latin letters for another script: a weaker claim, and worth trying by its sound. */
  readonly transliterated: boolean
  /** A piece of an unspaced run: what follows it is not its own word's ending. */
  readonly dense: boolean
}

export interface ParsedQuery {
  readonly words: number
  readonly spans: readonly QuerySpan[]
}

/** More words than this never come from a person; the rest is left out. */
const MOST_WORDS = 10

/** A query as words, in the form names are kept in. */
export function queryTokens(query: string): Token[] {
  return tokenise(normaliseQuery(query))
}

export function parseTokens(index: SearchIndex, tokens: readonly Token[]): ParsedQuery {
  const pieces: Token[] = []
  const spans: QuerySpan[] = []
  for (const token of tokens) {
    if (pieces.length >= MOST_WORDS) break
    const from = pieces.length
    const cut = token.script === 'dense' ? cutRun(index, token.source) : [token.term]
    for (const piece of cut.slice(0, MOST_WORDS - from)) {
      const at = pieces.length
      pieces.push(
        token.script === 'dense' ? { term: piece, source: piece, script: 'dense' } : token,
      )
      spans.push({
        term: piece,
        from: at,
        to: at,
        correctable: cut.length === 1,
        transliterated: false,
        dense: token.script === 'dense',
      })
    }
    const to = pieces.length - 1
    if (cut.length > 1)
      spans.push({
        term: token.term,
        from,
        to,
        correctable: true,
        transliterated: false,
        dense: true,
      })
    const bare = withoutArticle(token.term)
    if (bare !== undefined)
      spans.push({ term: bare, from, to, correctable: true, transliterated: false, dense: false })
    if (token.script !== 'latin') addLatin(spans, token.source, from, to)
  }
  addJoined(spans, pieces)
  return { words: pieces.length, spans }
}

function addLatin(spans: QuerySpan[], source: string, from: number, to: number): void {
  const term = toLatin(source).slice(0, TERM_LENGTH)
  if (term !== '')
    spans.push({ term, from, to, correctable: true, transliterated: true, dense: false })
}

/** Words a person set apart that the shop writes as one: neighbours, and the query as a whole. */
function addJoined(spans: QuerySpan[], pieces: readonly Token[]): void {
  const last = pieces.length - 1
  for (let i = 0; i < last; i++) {
    const term = `${pieces[i]?.term ?? ''}${pieces[i + 1]?.term ?? ''}`.slice(0, TERM_LENGTH)
    spans.push({
      term,
      from: i,
      to: i + 1,
      correctable: last === 1,
      transliterated: false,
      dense: false,
    })
  }
  if (last > 1) {
    const term = pieces
      .map((piece) => piece.term)
      .join('')
      .slice(0, TERM_LENGTH)
    spans.push({ term, from: 0, to: last, correctable: true, transliterated: false, dense: false })
  }
  if (last > 0 && pieces.some((piece) => piece.script !== 'latin'))
    addLatin(spans, pieces.map((piece) => piece.source).join(''), 0, last)
}

/**
 * Cuts an unspaced run by the longest beginning that the index knows, again and again (maximum matching). What is
 * not known at all stays together as one piece.
 */
function cutRun(index: SearchIndex, run: string): string[] {
  const pieces: string[] = []
  let unknown = 0
  let at = 0
  while (at < run.length) {
    const length = knownPrefix(index, run.slice(at))
    if (length === 0) {
      at++
      while (!isClusterStart(run, at)) at++
      continue
    }
    if (unknown < at) pieces.push(run.slice(unknown, at))
    pieces.push(run.slice(at, at + length))
    at += length
    unknown = at
  }
  if (unknown < run.length) pieces.push(run.slice(unknown))
  return pieces
}

const HAN = /^\p{Script=Han}/u
const KANA = /^[\p{Script=Katakana}\u30fc]/u

/** A Chinese character is a word; a letter of Thai or Burmese says as little as one of Latin. */
function shortestPiece(text: string): number {
  if (HAN.test(text)) return 1
  return KANA.test(text) ? 2 : 4
}

/**
 * Length of the longest beginning of `text` with which some term begins (the best terms stand next to it), or 0
 * when that is too short to mean anything.
 */
function knownPrefix(index: SearchIndex, text: string): number {
  const at = lowerBound(index.terms, text)
  let length = Math.max(
    sharedLength(index.terms[at - 1] ?? '', text),
    sharedLength(index.terms[at] ?? '', text),
  )
  while (length > 0 && !isClusterStart(text, length)) length--
  return length >= shortestPiece(text) ? length : 0
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let length = 0
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
