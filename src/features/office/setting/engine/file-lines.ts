/** On which line of a JSON text each value stands, by its path: `settings.shop.name`, `settings.shop.social.0`. */
export type LinesOf = ReadonlyMap<string, number>

/** Where a text is no JSON any more. */
interface BrokenJson {
  readonly line: number
}

const SPACE = /[ \t\n\r]/
const WORD = /[^\s,:{}[\]"]/
/** Deeper than any setting; what is nested further is no such file. */
const DEEPEST = 40

/** Reads where values stand; the values themselves are read by the platform's own parser. */
export function readLines(text: string): LinesOf | BrokenJson {
  const at = cursorOf(text)
  const lines = new Map<string, number>()
  const isWhole = value(at, lines, '', 0) && at.isOver()
  return isWhole ? lines : { line: at.line() }
}

type Cursor = ReturnType<typeof cursorOf>

/** A place in the text that only goes on. */
function cursorOf(text: string) {
  let at = 0
  let line = 1
  const step = () => {
    if (text[at] === '\n') line += 1
    at += 1
  }
  const skip = () => {
    while (at < text.length && SPACE.test(text[at] ?? '')) step()
  }
  /** What stands from a place to here, as JSON; undefined where it is none. */
  const since = (start: number): unknown => {
    try {
      return JSON.parse(text.slice(start, at))
    } catch {
      return undefined
    }
  }
  return {
    line: () => line,
    isOver: () => (skip(), at === text.length),
    isString: () => (skip(), text[at] === '"'),
    take(mark: string): boolean {
      skip()
      if (text[at] !== mark) return false
      step()
      return true
    },
    string(): string | null {
      skip()
      const start = at
      if (text[at] !== '"') return null
      step()
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\') step()
        step()
      }
      step()
      const read = since(start)
      return typeof read === 'string' ? read : null
    },
    word(): boolean {
      const start = at
      while (at < text.length && WORD.test(text[at] ?? '')) step()
      return since(start) !== undefined
    },
  }
}

function value(at: Cursor, lines: Map<string, number>, path: string, depth: number): boolean {
  const isText = at.isString()
  lines.set(path, at.line())
  if (depth > DEEPEST) return false
  if (at.take('{')) return members(at, lines, path, depth + 1)
  if (at.take('[')) return elements(at, lines, path, depth + 1)
  return isText ? at.string() !== null : at.word()
}

function members(at: Cursor, lines: Map<string, number>, path: string, depth: number): boolean {
  if (at.take('}')) return true
  do {
    const key = at.string()
    if (key === null || !at.take(':')) return false
    if (!value(at, lines, path === '' ? key : `${path}.${key}`, depth)) return false
  } while (at.take(','))
  return at.take('}')
}

function elements(at: Cursor, lines: Map<string, number>, path: string, depth: number): boolean {
  if (at.take(']')) return true
  let index = 0
  do {
    if (!value(at, lines, `${path}.${index}`, depth)) return false
    index += 1
  } while (at.take(','))
  return at.take(']')
}
