/** Names that are less alike than that are not taken to be the same, nor those of which another is nearly as much. */
export const SCORE_LEAST = 0.85
export const SCORE_AHEAD = 0.05

/** Words of a name: lower case, without accents, numbers without separators. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(\d)[.,'’\s](?=\d{3}(?!\d))/gu, '$1')
  return [...new Set(plain.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? [])]
}
