/**
 * The name in three parts around what was searched for: the whole of it, else the first of its words found at the start
 * of a word. Null when nothing of it stands there literally (typing errors, other scripts).
 */
export function markMatch(
  name: string,
  keywords: string,
): readonly [before: string, match: string, after: string] | null {
  const lowered = name.toLowerCase()
  // Letters whose small form has another length would shift every position after them.
  if (lowered.length !== name.length) return null
  const wanted = keywords.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  for (const part of words.length > 1 ? [wanted, ...words] : [wanted]) {
    const at = part === '' ? -1 : findWordStart(lowered, part)
    if (at >= 0)
      return [name.slice(0, at), name.slice(at, at + part.length), name.slice(at + part.length)]
  }
  return null
}

/** The first place where a word begins with it; for scripts without spaces any place. */
function findWordStart(text: string, part: string): number {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || SPACELESS.test(part) || !LETTER.test(text[at - 1] ?? '')) return at
  }
  return -1
}

const LETTER = /[\p{L}\p{N}]/u
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Myanmar}]/u
