/**
 * Reads JSON with every number as the text it came as: amounts stay exact, and an id longer than a double is wide stays itself.
 * Undefined for what is no JSON. A reviver that is told each number's source takes ten times as long as reading does, so that one long
 * body could hold everybody: the numbers are put into quotes before.
 */
export function readJson(text: string): unknown {
  try {
    const quoted = withNumbersQuoted(text)
    return quoted === null ? undefined : JSON.parse(quoted)
  } catch {
    return undefined
  }
}

const QUOTE = 34
const BACKSLASH = 92
const MINUS = 45
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** A text may be a name where a number may not: that is the one thing quotes would make JSON of. */
const COLON = /[\t\n\r ]*:/y

const isDigit = (code: number) => code >= 48 && code <= 57

/** Null where no number or text is whole, or one of them stands where it may not. */
function withNumbersQuoted(text: string): string | null {
  const parts: string[] = []
  let kept = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfText(text, at)
      if (at === 0) return null
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at
      if (!NUMBER.test(text)) return null
      const end = NUMBER.lastIndex
      COLON.lastIndex = end
      if (COLON.test(text)) return null
      parts.push(text.slice(kept, at), text.slice(at, end))
      at = kept = end
    } else at += 1
  }
  parts.push(text.slice(kept))
  return parts.join('"')
}

/** Behind the text that begins there; 0 where it has no end. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
  return 0
}
