import { append, groupBounds, type GrowingArray, growingArray } from './growing-array.ts'
import { normaliseText } from './normalise.ts'
import { HIGHEST_SCORE } from './ranking.ts'
import {
  FLAG,
  languageBit,
  type PhoneticIndex,
  type SearchIndex,
  type SearchScratch,
  TEXT_KINDS,
  type TextKind,
} from './search-index.ts'
import { textTerms } from './text-terms.ts'
import { phoneticKey } from './transliterate.ts'
import { buildTypoIndex } from './typo-index.ts'

export type { SearchIndex } from './search-index.ts'

export interface SearchDocument {
  /** Dense: 0 … n − 1. */
  readonly id: number
  /** Higher comes first among equal matches. */
  readonly popularity: number
  readonly texts: readonly SearchText[]
}

export interface SearchText {
  readonly text: string
  /** null = every language: codes, aliases, publishers. */
  readonly language: string | null
  readonly kind: TextKind
}

/** Builds the whole index at once; the documents are not kept. */
export function buildSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const ranked = [...documents].sort((a, b) => b.popularity - a.popularity || a.id - b.id)
  const languageBits = new Map<string, number>()
  const lists = listTexts(ranked)
  const texts = mergeTexts(lists, languageBits)
  const vocabulary = sortVocabulary(texts)
  return {
    documentCount: ranked.length,
    idOfRank: Uint32Array.from(ranked, (document) => document.id),
    ...vocabulary,
    textKind: Uint8Array.from(texts.kinds),
    textLanguages: texts.languages.values.slice(0, texts.languages.length),
    textList: texts.lists.values.slice(0, texts.lists.length),
    listStart: lists.start,
    listRanks: lists.ranks,
    languageBits,
    scratch: makeScratch(ranked.length, texts.kinds.length),
  }
}

interface TextLists {
  /** Distinct (kind, language, normalised text). */
  readonly keys: readonly TextKey[]
  /** Index into `start`, by key. */
  readonly listOfKey: Uint32Array
  readonly start: Uint32Array
  readonly ranks: Uint32Array
}

interface TextKey {
  readonly kind: TextKind
  readonly language: string | null
  readonly normalised: string
}

/** Which ranks carry which text. Equal lists are stored once: the 21 names of one region have the same products. */
function listTexts(ranked: readonly SearchDocument[]): TextLists {
  const ids = new Map<string, number>()
  // Most texts are shared by many products; where the caller shares the object too, no name has to be put together.
  const idOfText = new Map<SearchText, number>()
  const keys: TextKey[] = []
  const lastRank: number[] = []
  const entryKey = growingArray()
  const entryRank = growingArray()
  ranked.forEach((document, rank) => {
    for (const text of document.texts) {
      let id = idOfText.get(text)
      if (id === undefined) {
        id = idOf(text)
        idOfText.set(text, id)
      }
      if (lastRank[id] === rank) continue
      lastRank[id] = rank
      append(entryKey, id)
      append(entryRank, rank)
    }
  })
  const start = groupBounds(entryKey, keys.length)
  const grouped = scatter(entryKey, entryRank, start)
  return { keys, ...shareLists(start, grouped) }

  function idOf(text: SearchText): number {
    const name = `${text.kind}|${text.language ?? ''}|${text.text}`
    let id = ids.get(name)
    if (id === undefined) {
      id = keys.length
      ids.set(name, id)
      keys.push({ kind: text.kind, language: text.language, normalised: normaliseText(text.text) })
      lastRank.push(-1)
    }
    return id
  }
}

function scatter(group: GrowingArray, value: GrowingArray, start: Uint32Array): Uint32Array {
  const next = start.slice()
  const out = new Uint32Array(group.length)
  for (let i = 0; i < group.length; i++) out[next[group.values[i]!]!++] = value.values[i]!
  return out
}

function shareLists(start: Uint32Array, grouped: Uint32Array): Omit<TextLists, 'keys'> {
  const known = new Map<number, number[]>()
  const listOfKey = new Uint32Array(start.length - 1)
  const ranks = growingArray()
  const bounds = growingArray()
  append(bounds, 0)
  for (let key = 0; key + 1 < start.length; key++) {
    const list = grouped.subarray(start[key], start[key + 1])
    let hash = list.length
    for (const rank of list) hash = Math.imul(hash ^ rank, 0x01000193)
    const alike = known.get(hash) ?? []
    let found = alike.find((id) =>
      equalLists(list, ranks.values.subarray(bounds.values[id], bounds.values[id + 1])),
    )
    if (found === undefined) {
      found = bounds.length - 1
      for (const rank of list) append(ranks, rank)
      append(bounds, ranks.length)
      alike.push(found)
      known.set(hash, alike)
    }
    listOfKey[key] = found
  }
  return {
    listOfKey,
    start: bounds.values.slice(0, bounds.length),
    ranks: ranks.values.slice(0, ranks.length),
  }
}

function equalLists(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

interface Texts {
  readonly kinds: number[]
  readonly languages: GrowingArray
  readonly lists: GrowingArray
  /** Terms in the order they were met. */
  readonly terms: string[]
  readonly correctable: number[]
  /** 1 where the term may also be found by its sound. */
  readonly audible: number[]
  readonly postingTerm: GrowingArray
  readonly postingText: GrowingArray
  readonly postingFlags: GrowingArray
}

/** One text for what several languages spell the same about the same products; cut into terms once. */
function mergeTexts(lists: TextLists, bits: Map<string, number>): Texts {
  const texts: Texts = {
    kinds: [],
    languages: growingArray(),
    lists: growingArray(),
    terms: [],
    correctable: [],
    audible: [],
    postingTerm: growingArray(),
    postingText: growingArray(),
    postingFlags: growingArray(),
  }
  const merged = new Map<string, number>()
  const termIds = new Map<string, number>()
  lists.keys.forEach((key, i) => {
    const list = lists.listOfKey[i] ?? 0
    const bit = languageBit(bits, key.language)
    const name = `${key.kind}|${list}|${key.normalised}`
    const known = merged.get(name)
    if (known !== undefined) {
      texts.languages.values[known]! |= bit
      return
    }
    merged.set(name, texts.kinds.length)
    addTextTerms(texts, termIds, key)
    texts.kinds.push(TEXT_KINDS.indexOf(key.kind))
    append(texts.languages, bit)
    append(texts.lists, list)
  })
  return texts
}

function addTextTerms(texts: Texts, termIds: Map<string, number>, key: TextKey): void {
  const titled = key.kind === 'name' || key.kind === 'alias'
  const seen = new Set<string>()
  for (const { term, flags, correctable } of textTerms(key.normalised, key.kind)) {
    const once = `${flags}|${term}`
    if (seen.has(once)) continue
    seen.add(once)
    let id = termIds.get(term)
    if (id === undefined) {
      id = texts.terms.length
      termIds.set(term, id)
      texts.terms.push(term)
      texts.correctable.push(0)
      texts.audible.push(0)
    }
    if (correctable) texts.correctable[id] = 1
    if (correctable && titled && (flags & FLAG.transliterated) === 0 && term.charCodeAt(0) < 0x80)
      texts.audible[id] = 1
    append(texts.postingTerm, id)
    append(texts.postingText, texts.kinds.length)
    append(texts.postingFlags, flags)
  }
}

type Vocabulary = Pick<
  SearchIndex,
  'terms' | 'postingStart' | 'postingText' | 'postingFlags' | 'typos' | 'phonetic'
>

/** Gives the terms their sorted numbers, so that every prefix is one range. */
function sortVocabulary(texts: Texts): Vocabulary {
  const order = Uint32Array.from(texts.terms.keys())
  const byTerm = [...order].sort((a, b) =>
    (texts.terms[a] ?? '') < (texts.terms[b] ?? '') ? -1 : 1,
  )
  const sortedId = new Uint32Array(byTerm.length)
  byTerm.forEach((met, sorted) => {
    sortedId[met] = sorted
  })
  const { postingTerm } = texts
  for (let i = 0; i < postingTerm.length; i++)
    postingTerm.values[i] = sortedId[postingTerm.values[i]!]!
  const terms = byTerm.map((met) => texts.terms[met] ?? '')
  const postingStart = groupBounds(postingTerm, terms.length)
  const correctable = Uint32Array.from(byTerm.keys()).filter(
    (sorted) => texts.correctable[byTerm[sorted] ?? 0] === 1,
  )
  const audible = correctable.filter((sorted) => texts.audible[byTerm[sorted] ?? 0] === 1)
  return {
    terms,
    postingStart,
    postingText: scatter(postingTerm, texts.postingText, postingStart),
    postingFlags: Uint8Array.from(scatter(postingTerm, texts.postingFlags, postingStart)),
    typos: buildTypoIndex(terms, correctable),
    phonetic: buildPhonetic(terms, audible),
  }
}

const SHORTEST_SOUND = 3

function buildPhonetic(terms: readonly string[], audible: Uint32Array): PhoneticIndex {
  const byKey = new Map<string, number[]>()
  for (const id of audible) {
    const key = phoneticKey(terms[id] ?? '')
    if (key.length < SHORTEST_SOUND) continue
    const ids = byKey.get(key)
    if (ids === undefined) byKey.set(key, [id])
    else ids.push(id)
  }
  const keys = [...byKey.keys()].sort()
  const lists = keys.map((key) => byKey.get(key) ?? [])
  const termStart = new Uint32Array(keys.length + 1)
  lists.forEach((list, i) => {
    termStart[i + 1] = termStart[i]! + list.length
  })
  return { keys, termStart, terms: Uint32Array.from(lists.flat()) }
}

function makeScratch(documents: number, texts: number): SearchScratch {
  return {
    textScore: new Uint16Array(texts),
    textsTouched: new Uint32Array(texts),
    wordScore: new Uint16Array(documents),
    wordTouched: new Uint32Array(documents),
    matchedWords: new Uint8Array(documents),
    total: new Uint32Array(documents),
    weighted: new Float32Array(documents),
    bonus: new Uint16Array(documents),
    touched: new Uint32Array(documents),
    score: new Uint16Array(documents),
    placeOfScore: new Uint32Array(HIGHEST_SCORE + 2),
    hitIds: new Uint32Array(documents),
    hitScores: new Uint16Array(documents),
  }
}
