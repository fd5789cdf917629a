import { FLAG, type TextKind } from './search-index.ts'
import {
  isClusterStart,
  TERM_LENGTH,
  toJamo,
  type Token,
  tokenise,
  withoutArticle,
} from './tokenise.ts'
import { toLatin } from './transliterate.ts'

export interface TextTerm {
  readonly term: string
  readonly flags: number
  /** Whether a word typed wrongly may stand for it. */
  readonly correctable: boolean
}

const LONGEST_INSIDE = 12
const MOST_INSIDE = 24
const ROMAN: ReadonlyMap<string, string> = new Map(
  [
    'ii',
    'iii',
    'iv',
    'v',
    'vi',
    'vii',
    'viii',
    'ix',
    'x',
    'xi',
    'xii',
    'xiii',
    'xiv',
    'xv',
    'xvi',
  ].map((numeral, i) => [numeral, String(i + 2)]),
)

/** Every term under which a normalised text is found. */
export function textTerms(normalised: string, kind: TextKind): TextTerm[] {
  const tokens = tokenise(normalised)
  if (tokens.length === 0) return []
  const out: TextTerm[] = []
  const titled = kind === 'name' || kind === 'alias'
  tokens.forEach((token, position) => {
    const flags = (position === 0 ? FLAG.first : 0) | (tokens.length === 1 ? FLAG.whole : 0)
    out.push({ term: token.term, flags, correctable: kind !== 'code' && kind !== 'territory' })
    addVariants(out, token, flags, titled)
  })
  if (tokens.length > 1) {
    const joined = tokens
      .map((token) => token.term)
      .join('')
      .slice(0, TERM_LENGTH)
    out.push({ term: joined, flags: FLAG.first | FLAG.whole, correctable: titled })
  }
  if (titled && tokens.length > 2) addPairs(out, tokens)
  if (kind === 'name' && tokens.length > 2) addInitials(out, tokens)
  if (kind !== 'region' && kind !== 'category' && kind !== 'territory') addLatinWhole(out, tokens)
  return out
}

function addVariants(out: TextTerm[], token: Token, flags: number, titled: boolean): void {
  if (token.script === 'latin') {
    const number = titled ? ROMAN.get(token.term) : undefined
    if (number !== undefined)
      out.push({ term: number, flags: flags & FLAG.first, correctable: false })
    return
  }
  const bare = withoutArticle(token.term)
  if (bare !== undefined) out.push({ term: bare, flags, correctable: true })
  if (titled) {
    const latin = toLatin(token.source).slice(0, TERM_LENGTH)
    if (latin !== '')
      out.push({ term: latin, flags: flags | FLAG.transliterated, correctable: true })
  }
  if (token.script === 'dense') addInside(out, token.source, 1, (piece) => piece)
  if (token.script === 'hangul' && titled) addInside(out, token.source, 2, toJamo)
}

/** The endings of an unspaced run: whatever stands in the middle is the beginning of one of them. */
function addInside(
  out: TextTerm[],
  run: string,
  shortest: number,
  write: (piece: string) => string,
): void {
  let added = 0
  for (let offset = 1; offset <= run.length - shortest && added < MOST_INSIDE; offset++) {
    if (!isClusterStart(run, offset)) continue
    out.push({
      term: write(run.slice(offset, offset + LONGEST_INSIDE)),
      flags: FLAG.inside,
      correctable: false,
    })
    added++
  }
}

/** Neighbours written as one word ("dutymobile"); the two ends of a text of two words are its whole. */
function addPairs(out: TextTerm[], tokens: readonly Token[]): void {
  for (let i = 0; i + 1 < tokens.length; i++) {
    const term = `${tokens[i]?.term ?? ''}${tokens[i + 1]?.term ?? ''}`.slice(0, TERM_LENGTH)
    out.push({ term, flags: i === 0 ? FLAG.first : 0, correctable: false })
  }
}

function addInitials(out: TextTerm[], tokens: readonly Token[]): void {
  const latin = tokens.filter((token) => token.script === 'latin')
  if (latin.length < 3) return
  const term = latin
    .map((token) => (/^\d/.test(token.term) ? token.term : token.term.slice(0, 1)))
    .join('')
    .slice(0, TERM_LENGTH)
  out.push({ term, flags: FLAG.initials, correctable: false })
}

function addLatinWhole(out: TextTerm[], tokens: readonly Token[]): void {
  if (tokens.length < 2 || tokens.every((token) => token.script === 'latin')) return
  const term = toLatin(tokens.map((token) => token.source).join('')).slice(0, TERM_LENGTH)
  if (term !== '')
    out.push({ term, flags: FLAG.first | FLAG.whole | FLAG.transliterated, correctable: true })
}
