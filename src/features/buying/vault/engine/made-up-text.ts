/**
 * A text that fits a pattern, for keys that redeem nothing. Patterns are those of key formats: characters, classes with ranges,
 * groups with choices, repetitions with an upper end (four more than the least where there is none).
 */
export type Piece =
  | { readonly kind: 'one_of'; readonly characters: readonly string[] }
  | { readonly kind: 'choice'; readonly branches: readonly (readonly Piece[])[] }
  | {
      readonly kind: 'repeat'
      readonly piece: Piece
      readonly least: number
      readonly most: number
    }

/** A whole number from 0 up to `end`, without it. */
export type Draw = (end: number) => number

const ENDLESS_MORE = 4
const ESCAPED_CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: ' ' }

/** Reads a pattern once, so that many texts can be made from it. Throws SyntaxError for what stands outside of the subset. */
export function readPattern(pattern: string): readonly Piece[] {
  return new PatternReader(pattern).read()
}

/** Reads from the front; each step begins where the one before it ended. */
class PatternReader {
  readonly #pattern: string
  readonly #characters: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
    this.#characters = [...pattern]
  }

  read(): readonly Piece[] {
    const branches = this.#readBranches()
    if (this.#at < this.#characters.length)
      throw new SyntaxError(
        `${this.#pattern}: unexpected ${this.#characters[this.#at]} at ${this.#at}`,
      )
    return branches.length === 1 ? (branches[0] ?? []) : [{ kind: 'choice', branches }]
  }

  #readBranches(): Piece[][] {
    const found: Piece[][] = [[]]
    for (; this.#at < this.#characters.length && this.#characters[this.#at] !== ')'; ) {
      const character = this.#characters[this.#at]
      if (character === '|') {
        this.#at += 1
        found.push([])
      } else if (character === '^' || character === '$') this.#at += 1
      else found.at(-1)?.push(this.#repeated(this.#readOne()))
    }
    return found
  }

  #readOne(): Piece {
    const character = this.#characters[this.#at++] ?? ''
    if (character === '(') {
      if (this.#characters[this.#at] === '?') {
        if (this.#characters[this.#at + 1] !== ':')
          throw new SyntaxError(`${this.#pattern}: a group that looks around`)
        this.#at += 2
      }
      const branches = this.#readBranches()
      if (this.#characters[this.#at++] !== ')')
        throw new SyntaxError(`${this.#pattern}: a group without end`)
      return { kind: 'choice', branches }
    }
    if (character === '[') return this.#readClass()
    if (character === '\\') return { kind: 'one_of', characters: expand(this.#readEscape()) }
    if (character === '.') return { kind: 'one_of', characters: expand('A-Z0-9') }
    return { kind: 'one_of', characters: [character] }
  }

  /** What an escape stands for, as the inside of a class: one character, or a range. */
  #readEscape(): string {
    const character = this.#characters[this.#at++] ?? ''
    if (character === 'u') {
      const digits = /^(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/i.exec(
        this.#characters.slice(this.#at).join(''),
      )
      if (!digits) throw new SyntaxError(`${this.#pattern}: a code point that is none`)
      this.#at += digits[0].length
      return String.fromCodePoint(Number.parseInt(digits[1] ?? digits[2] ?? '', 16))
    }
    const known = ESCAPED_CLASSES[character]
    if (known === undefined && /[a-z0-9]/i.test(character))
      throw new SyntaxError(`${this.#pattern}: \\${character} is not made up`)
    return known ?? character
  }

  #readClass(): Piece {
    if (this.#characters[this.#at] === '^')
      throw new SyntaxError(`${this.#pattern}: a class of what is left out`)
    const found: string[] = []
    for (; this.#characters[this.#at] !== ']'; ) {
      if (this.#at >= this.#characters.length)
        throw new SyntaxError(`${this.#pattern}: a class without end`)
      const from = this.#readMember()
      const isRange =
        from.length === 1 &&
        this.#characters[this.#at] === '-' &&
        this.#characters[this.#at + 1] !== ']'
      if (!isRange) found.push(...(from.length === 1 ? [from] : expand(from)))
      else {
        this.#at += 1
        found.push(...range(from, this.#readMember()))
      }
    }
    this.#at += 1
    return { kind: 'one_of', characters: found }
  }

  #readMember(): string {
    if (this.#characters[this.#at] !== '\\') return this.#characters[this.#at++] ?? ''
    this.#at += 1
    return this.#readEscape()
  }

  #repeated(piece: Piece): Piece {
    const sign = this.#characters[this.#at]
    if (sign === '?' || sign === '*' || sign === '+') {
      this.#at += 1
      const least = sign === '+' ? 1 : 0
      return { kind: 'repeat', piece, least, most: sign === '?' ? 1 : least + ENDLESS_MORE }
    }
    const counts =
      sign === '{' ? /^\{(\d+)(,(\d*))?\}/.exec(this.#characters.slice(this.#at).join('')) : null
    if (!counts) return piece
    this.#at += counts[0].length
    const least = Number(counts[1])
    return {
      kind: 'repeat',
      piece,
      least,
      most:
        counts[2] === undefined
          ? least
          : counts[3] === ''
            ? least + ENDLESS_MORE
            : Number(counts[3]),
    }
  }
}

/** 'A-Z0-9' as its characters; a single character as itself. */
function expand(inside: string): string[] {
  const characters = [...inside]
  const found: string[] = []
  for (let at = 0; at < characters.length; ) {
    if (characters[at + 1] === '-' && at + 2 < characters.length) {
      found.push(...range(characters[at] ?? '', characters[at + 2] ?? ''))
      at += 3
    } else found.push(characters[at++] ?? '')
  }
  return found
}

function range(from: string, to: string): string[] {
  const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

export function makeText(pieces: readonly Piece[], draw: Draw): string {
  return pieces.map((piece) => makePiece(piece, draw)).join('')
}

function makePiece(piece: Piece, draw: Draw): string {
  switch (piece.kind) {
    case 'one_of':
      return piece.characters[draw(piece.characters.length)] ?? ''
    case 'choice':
      return makeText(piece.branches[draw(piece.branches.length)] ?? [], draw)
    case 'repeat':
      return Array.from({ length: piece.least + draw(piece.most - piece.least + 1) }, () =>
        makePiece(piece.piece, draw),
      ).join('')
    default:
      return piece satisfies never
  }
}
