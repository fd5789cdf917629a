/** On which line of a JSON text each value stands, by its path: `settings.shop.name`, `settings.shop.social.0`. */
export type LinesOf = ReadonlyMap<string, number>

/** What is wrong with a text as JSON, and where. */
interface BrokenJson {
  readonly line: number
}

const SPACE = /[ \t\n\r]/
const WORD = /[^\s,:{}[\]"]/

/** Reads where values stand; the values themselves are read by the platform's own parser. Null where the text is no JSON, with the line. */
export function readLines(text: string): LinesOf | BrokenJson {
  const lines = new Map<string, number>()
  let at = 0
  let line = 1
  const step = () => {
    if (text[at] === '\n') line += 1
    at += 1
  }
  const skip = () => {
    while (at < text.length && SPACE.test(text[at] ?? '')) step()
  }
  const take = (mark: string): boolean => {
    skip()
    if (text[at] !== mark) return false
    step()
    return true
  }

  function string(): string | null {
    skip()
    const start = at
    if (text[at] !== '"') return null
    step()
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') step()
      step()
    }
    step()
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      return null
    }
  }

  function members(path: string, depth: number): boolean {
    if (take('}')) return true
    do {
      skip()
      const key = string()
      if (key === null || !take(':')) return false
      if (!value(path === '' ? key : `${path}.${key}`, depth)) return false
    } while (take(','))
    return take('}')
  }

  function elements(path: string, depth: number): boolean {
    if (take(']')) return true
    let index = 0
    do {
      if (!value(`${path}.${index}`, depth)) return false
      index += 1
    } while (take(','))
    return take(']')
  }

  function word(): boolean {
    const start = at
    while (at < text.length && WORD.test(text[at] ?? '')) step()
    try {
      JSON.parse(text.slice(start, at))
      return true
    } catch {
      return false
    }
  }

  function value(path: string, depth: number): boolean {
    skip()
    lines.set(path, line)
    if (depth > DEEPEST) return false
    if (take('{')) return members(path, depth + 1)
    if (take('[')) return elements(path, depth + 1)
    return text[at] === '"' ? string() !== null : word()
  }

  const isWhole = value('', 0)
  skip()
  return isWhole && at === text.length ? lines : { line }
}

/** Deeper than any setting; what is nested further is no such file. */
const DEEPEST = 40
