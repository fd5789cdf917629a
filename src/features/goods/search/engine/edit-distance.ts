/**
 * Bounded Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
 * transpositions of neighbours count one each.
 */

const WIDTH = 66
let previous2 = new Int32Array(WIDTH)
let previous = new Int32Array(WIDTH)
let current = new Int32Array(WIDTH)

/**
 * Distance between two words of at most 64 units, or `limit + 1` when it is above `limit`.
 * With `asPrefix`, the distance of `word` to the nearest beginning of `term` (a word still being typed).
 */
export function boundedDistance(
  word: string,
  term: string,
  limit: number,
  asPrefix: boolean,
): number {
  const rows = word.length
  const columns = asPrefix ? Math.min(term.length, rows + limit) : term.length
  if (rows - columns > limit || (!asPrefix && columns - rows > limit) || columns >= WIDTH)
    return limit + 1
  for (let j = 0; j <= columns; j++) previous[j] = j
  for (let i = 1; i <= rows; i++) {
    const nearest = fillRow(word, term, i, columns, limit)
    if (nearest > limit) return limit + 1
    const spare = previous2
    previous2 = previous
    previous = current
    current = spare
  }
  if (!asPrefix) return Math.min(previous[columns] ?? limit + 1, limit + 1)
  let best = limit + 1
  for (let j = Math.max(0, rows - limit); j <= columns; j++)
    best = Math.min(best, previous[j] ?? best)
  return best
}

/** Fills row `i` within the band around the diagonal; returns the smallest value in it. */
function fillRow(word: string, term: string, i: number, columns: number, limit: number): number {
  const from = Math.max(1, i - limit)
  const to = Math.min(columns, i + limit)
  current[0] = i
  if (from > 1) current[from - 1] = limit + 1
  let nearest = from > 1 ? limit + 1 : i
  const letter = word.charCodeAt(i - 1)
  for (let j = from; j <= to; j++) {
    const other = term.charCodeAt(j - 1)
    // Right of the band the row above holds values of an older word: count them as out of reach.
    const above = j < i + limit ? at(previous, j) + 1 : limit + 1
    let cost = Math.min(
      at(previous, j - 1) + (letter === other ? 0 : 1),
      above,
      at(current, j - 1) + 1,
    )
    if (i > 1 && j > 1 && letter === term.charCodeAt(j - 2) && word.charCodeAt(i - 2) === other) {
      cost = Math.min(cost, at(previous2, j - 2) + 1)
    }
    current[j] = cost
    if (cost < nearest) nearest = cost
  }
  return nearest
}

function at(row: Int32Array, column: number): number {
  return row[column] ?? WIDTH
}
