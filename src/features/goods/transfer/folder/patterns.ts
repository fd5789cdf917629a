const LENGTH_MAX = 4_000

/**
 * Why a pattern is refused, or null. Patterns run in the browser on each key press and on the server on what strangers
 * send, so they are anchored, and no repetition without an upper end stands inside another repetition (the usual cause of
 * matching that takes exponential time).
 */
export function refusePattern(pattern: string): string | null {
  if (pattern.length > LENGTH_MAX) return 'the pattern is too long'
  try {
    new RegExp(pattern, 'u')
  } catch {
    return 'the pattern is not a valid regular expression'
  }
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || hasTopLevelChoice(pattern))
    return 'the pattern must match the whole value: begin it with ^ and end it with $'
  if (/\\[1-9]|\\k</.test(pattern))
    return 'the pattern refers back to a group, which can take exponential time'
  return repeatsARepetition(pattern)
    ? 'the pattern repeats a repetition without end, which can take exponential time'
    : null
}

/** `^a|b$` anchors each branch on one side only. */
function hasTopLevelChoice(pattern: string): boolean {
  let depth = 0
  for (const { char } of plainCharacters(pattern)) {
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) return true
  }
  return false
}

function repeatsARepetition(pattern: string): boolean {
  const endless: boolean[] = [false]
  for (const { char, at } of plainCharacters(pattern)) {
    if (char === '(') endless.push(false)
    else if (char === ')') {
      const inner = endless.pop() ?? false
      const repeated = /^(?:[*+]|\{\d+(?:,\d*)?\})/.exec(pattern.slice(at + 1))?.[0]
      if (inner && repeated !== undefined && repeated !== '{1}') return true
      if (inner) endless[endless.length - 1] = true
    } else if (
      char === '*' ||
      char === '+' ||
      (char === '{' && /^\{\d+,\}/.test(pattern.slice(at)))
    )
      endless[endless.length - 1] = true
  }
  return false
}

/** The characters outside of classes and escapes. */
function* plainCharacters(pattern: string): Generator<{ char: string; at: number }> {
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === '\\') at++
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else yield { char, at }
  }
}
