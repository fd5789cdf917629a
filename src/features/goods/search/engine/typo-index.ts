/**
 * Deletion neighbourhood of the vocabulary (symmetric delete spelling correction, Garbe 2012): two words within d
 * edits share a form that both reach by deleting at most d letters, so candidates come from a few bucket look-ups
 * instead of a walk over the vocabulary. Only the first letters take part, which bounds the size for long words
 * buckets are by hash, so whoever asks must verify the distance.
 */

export interface TypoIndex {
  readonly bucketStart: Uint32Array
  readonly bucketTerms: Uint32Array
  /** Bucket count − 1; the count is a power of two. */
  readonly mask: number
}

const PREFIX_LENGTH = 7
const SHORTEST_TERM = 3
/** From this length on a term may stand two edits away from a word of 8 letters. */
const TWO_EDITS_FROM = 6

/** `terms[id]` for every id of `eligible` is entered under each of its deletion forms. */
export function buildTypoIndex(terms: readonly string[], eligible: Uint32Array): TypoIndex {
  let total = 0
  for (const id of eligible)
    eachForm(terms[id] ?? '', editsOf(terms[id] ?? ''), () => {
      total++
    })
  const mask = Math.max(1, 2 ** Math.ceil(Math.log2(total + 1))) - 1
  const bucketStart = new Uint32Array(mask + 2)
  for (const id of eligible) {
    const term = terms[id] ?? ''
    eachForm(term, editsOf(term), (hash) => {
      bucketStart[(hash & mask) + 1]! += 1
    })
  }
  for (let bucket = 1; bucket < bucketStart.length; bucket++)
    bucketStart[bucket]! += bucketStart[bucket - 1]!
  const next = bucketStart.slice()
  const bucketTerms = new Uint32Array(total)
  for (const id of eligible) {
    const term = terms[id] ?? ''
    eachForm(term, editsOf(term), (hash) => {
      bucketTerms[next[hash & mask]!++] = id
    })
  }
  return { bucketStart, bucketTerms, mask }
}

/** Calls `visit` with the id of every term that may lie within `edits` of `word`; an id may come more than once. */
export function eachTypoCandidate(
  index: TypoIndex,
  word: string,
  edits: 1 | 2,
  visit: (term: number) => void,
): void {
  const { bucketStart, bucketTerms, mask } = index
  eachForm(word, edits, (hash) => {
    const bucket = hash & mask
    const end = bucketStart[bucket + 1]!
    for (let at = bucketStart[bucket]!; at < end; at++) visit(bucketTerms[at]!)
  })
}

function editsOf(term: string): 0 | 1 | 2 {
  if (term.length < SHORTEST_TERM) return 0
  return term.length < TWO_EDITS_FROM ? 1 : 2
}

/** Hashes of the word's beginning with up to `edits` letters left out; nothing for 0 edits. */
function eachForm(word: string, edits: 0 | 1 | 2, visit: (hash: number) => void): void {
  if (edits === 0) return
  const length = Math.min(word.length, PREFIX_LENGTH)
  visit(hashWithout(word, length, -1, -1))
  for (let first = 0; first < length; first++) {
    visit(hashWithout(word, length, first, -1))
    if (edits === 2)
      for (let second = first + 1; second < length; second++)
        visit(hashWithout(word, length, first, second))
  }
}

/** FNV-1a over the UTF-16 units of the first `length` letters but two, mixed at the end so that low bits are good. */
function hashWithout(word: string, length: number, skipA: number, skipB: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < length; i++) {
    if (i === skipA || i === skipB) continue
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
